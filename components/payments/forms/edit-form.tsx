'use client'

import { type UseFormReturn, useWatch } from 'react-hook-form'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import type { ReasonValues } from '@/components/kits/action/reason-fields'
import { AmountField, setField, TextField } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useNow } from '@/components/kits/layout/browser-state'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { paymentOperations } from '@/components/payments/operations'
import { bankDay } from '@/lib/dates'
import { type MetadataLine, metadataFault, metadataLines, metadataOf } from '@/lib/domain/metadata-rules'
import type { Payment } from '@/lib/domain/payment-kind'
import { changesOf, draftOfPayment, type PaymentChange } from '@/lib/features/payments/changes'
import { amountFault, paymentChangeReasons } from '@/lib/features/payments/form'
import { type AmountUnit, centsOf, formatMinor } from '@/lib/money'
import { paymentUpdate } from '@/lib/operations/payment-input.schema'
import { DecisionSentence, PaymentDateField, type PaymentFormProps, pastDate } from './form-parts'

type Values = { amount: string; description: string; payment_date: string; lines: MetadataLine[]; changes: string }

const draftOf = ({ lines, ...values }: Values) => ({ ...values, metadata: metadataOf(lines) })
const changed = (payment: Payment, values: Values, unit: AmountUnit) => changesOf(payment, draftOf(values), unit)

/** Input of the change. Metadata is sent only if it changed: omitted metadata stays, sent metadata replaces the whole map. */
const inputOf = (payment: Payment, values: Values, unit: AmountUnit) => ({
  amount: centsOf(values.amount) ?? 0,
  description: values.description,
  payment_date: values.payment_date,
  ...(changed(payment, values, unit).some(({ name }) => name === 'metadata') ? { metadata: metadataOf(values.lines) } : {}),
})

function faultsOf(payment: Payment, values: Values, unit: AmountUnit, today: string): Record<string, string> {
  const faults: Record<string, string> = { ...amountFault(values.amount), ...pastDate(values.payment_date, today) }
  if (values.lines.some((line) => metadataFault(line, values.lines) !== null)) faults.changes = 'Fix the marked metadata first.'
  else if (changed(payment, values, unit).length === 0) faults.changes = 'Nothing has changed yet.'
  return faults
}

/** Confirm sheet of a change: the fields with their current values, and a summary before and after. */
export function EditForm({ kind, payment, warnings: _, ...form }: PaymentFormProps) {
  const { amountUnit } = usePageContext()
  const today = bankDay(useNow())
  const { metadata, ...first } = draftOfPayment(payment, amountUnit)
  return (
    <ConfirmForm<'charges.update' | 'payouts.update', Values>
      {...form}
      operation={paymentOperations[kind].update}
      id={payment.id}
      sentence={<DecisionSentence action="update" kind={kind} payment={payment} account={form.account} />}
      send={(values) => sendText(changed(payment, values, amountUnit), centsOf(values.amount))}
      reasons={paymentChangeReasons}
      names={[payment.customer_details?.name]}
      schema={paymentUpdate}
      values={{ ...first, lines: metadataLines(metadata), changes: '' }}
      toInput={(values) => inputOf(payment, values, amountUnit)}
      check={(values) => faultsOf(payment, values, amountUnit, today)}
    >
      {(fields) => <Fields fields={fields} payment={payment} unit={amountUnit} />}
    </ConfirmForm>
  )
}

const sendText = (changes: readonly PaymentChange[], cents: number | null) =>
  changes.some(({ name }) => name === 'amount') && cents !== null ? `Save with ${formatMinor(cents)}` : 'Save changes'

type FieldsProps = { fields: UseFormReturn<Values & ReasonValues>; payment: Payment; unit: AmountUnit }

function Fields({ fields, payment, unit }: FieldsProps) {
  const values = useWatch({ control: fields.control }) as Values
  return (
    <>
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <AmountField form={fields} name="amount" label="Amount" cents={centsOf(values.amount)} />
        <PaymentDateField form={fields} />
        <TextField form={fields} name="description" label="Description" hint="Shown on the bank statement." maxLength={80} />
      </div>
      <MetadataField before={payment.metadata} lines={values.lines} onChange={(lines) => setField(fields, 'lines', lines)} />
      <Changes changes={changed(payment, values, unit)} fault={fields.formState.errors.changes?.message} />
    </>
  )
}

const Changes = ({ changes, fault }: { changes: readonly PaymentChange[]; fault: string | undefined }) => (
  <div className="grid gap-1 text-sm">
    <ul aria-label="Changes" className="grid gap-1">
      {changes.map(({ name, label, before, after }) => (
        <li key={name} className="flex flex-wrap gap-x-2">
          <span className="w-28 text-ink-3">{label}</span>
          <OutsideText className="text-ink-3 line-through">{before || 'none'}</OutsideText>
          <span aria-hidden="true">→</span>
          <span className="sr-only">becomes</span>
          <OutsideText className="font-medium">{after || 'none'}</OutsideText>
        </li>
      ))}
    </ul>
    {fault && (
      <p role="alert" className="font-medium text-bad text-xs">
        {fault}
      </p>
    )}
  </div>
)
