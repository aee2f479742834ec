'use client'

import type { UseFormReturn } from 'react-hook-form'
import { ActionForm } from '@/components/kits/form/action-form'
import { AmountField, setFieldValue, TextField } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { useNow } from '@/components/kits/layout/browser-state'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { paymentOperations } from '@/components/payments/operations'
import { toNewYorkDate } from '@/lib/dates'
import {
  findMetadataFault,
  type MetadataLine,
  toMetadata,
  toMetadataLines,
} from '@/lib/domain/metadata-rules'
import type { Payment } from '@/lib/domain/payment-kind'
import {
  findPaymentChanges,
  type PaymentChange,
  toPaymentDraft,
} from '@/lib/features/payments/changes'
import { findAmountFault, paymentChangeReasons } from '@/lib/features/payments/form'
import { type AmountUnit, moneyText, parseCents } from '@/lib/money'
import { paymentUpdate } from '@/lib/operations/payment-input.schema'
import {
  DecisionSentence,
  findPastDateFault,
  PaymentDateField,
  type PaymentFormProps,
} from './form-parts'

type EditPaymentValues = {
  amount: string
  description: string
  payment_date: string
  lines: MetadataLine[]
  changes: string
}

const toDraftValues = ({ lines, ...values }: EditPaymentValues) => ({
  ...values,
  metadata: toMetadata(lines),
})
const listChanges = (payment: Payment, values: EditPaymentValues, unit: AmountUnit) =>
  findPaymentChanges(payment, toDraftValues(values), unit)

/**
 * Returns the input of the update. It contains metadata only if the person changed it: sent
 * metadata replaces all stored metadata, and if none is sent, the stored metadata stays.
 */
const toUpdateInput = (payment: Payment, values: EditPaymentValues, unit: AmountUnit) => ({
  amount: parseCents(values.amount) ?? 0,
  description: values.description,
  payment_date: values.payment_date,
  ...(listChanges(payment, values, unit).some(({ name }) => name === 'metadata')
    ? { metadata: toMetadata(values.lines) }
    : {}),
})

function findEditFaults(
  payment: Payment,
  values: EditPaymentValues,
  unit: AmountUnit,
  today: string,
): Record<string, string> {
  const faults: Record<string, string> = {
    ...findAmountFault(values.amount),
    ...findPastDateFault(values.payment_date, today),
  }
  if (values.lines.some((line) => findMetadataFault(line, values.lines) !== null))
    faults.changes = 'Fix the marked metadata first.'
  else if (listChanges(payment, values, unit).length === 0)
    faults.changes = 'Nothing has changed yet.'
  return faults
}

export function EditPaymentForm({ kind, payment, warnings: _, ...open }: PaymentFormProps) {
  const { amountUnit } = usePageContext()
  const today = toNewYorkDate(useNow())
  const { metadata, ...first } = toPaymentDraft(payment, amountUnit)
  const { form, typed, frame } = useActionForm<
    'charges.update' | 'payouts.update',
    EditPaymentValues
  >({
    ...open,
    operation: paymentOperations[kind].update,
    id: payment.id,
    reasons: paymentChangeReasons,
    names: [payment.customer_details?.name],
    schema: paymentUpdate,
    values: { ...first, lines: toMetadataLines(metadata), changes: '' },
    toInput: (values) => toUpdateInput(payment, values, amountUnit),
    payment: ({ amount }) => ({ cents: parseCents(amount) }),
    check: (values) => findEditFaults(payment, values, amountUnit, today),
  })
  const changes = listChanges(payment, typed, amountUnit)
  return (
    <ActionForm
      {...frame}
      layout="panel"
      sentence={
        <DecisionSentence action="update" kind={kind} payment={payment} account={open.account} />
      }
      send={formatSendLabel(changes, parseCents(typed.amount))}
    >
      <EditPaymentFields form={form} typed={typed} payment={payment} />
      <PaymentChangeList changes={changes} fault={form.formState.errors.changes?.message} />
    </ActionForm>
  )
}

const formatSendLabel = (changes: readonly PaymentChange[], cents: number | null) =>
  changes.some(({ name }) => name === 'amount') && cents !== null
    ? `Save with ${moneyText(cents)}`
    : 'Save changes'

type EditPaymentFieldsProps = {
  form: UseFormReturn<EditPaymentValues>
  typed: EditPaymentValues
  payment: Payment
}

const EditPaymentFields = ({ form, typed, payment }: EditPaymentFieldsProps) => (
  <>
    <div className="grid items-start gap-3 @lg:grid-cols-3">
      <AmountField form={form} name="amount" label="Amount" cents={parseCents(typed.amount)} />
      <PaymentDateField form={form} />
      <TextField
        form={form}
        name="description"
        label="Description"
        hint="Shown on the bank statement."
        maxLength={80}
      />
    </div>
    <MetadataField
      before={payment.metadata}
      lines={typed.lines}
      onChange={(lines) => setFieldValue(form, 'lines', lines)}
    />
  </>
)

const PaymentChangeList = ({
  changes,
  fault,
}: {
  changes: readonly PaymentChange[]
  fault: string | undefined
}) => (
  <div className="grid gap-1 text-sm">
    <ul aria-label="Changes" className="grid gap-1">
      {changes.map(({ name, label, before, after }) => (
        <li key={name} className="flex flex-wrap gap-x-2">
          <span className="w-28 text-ink-3">{label}</span>
          <ExternalText className="text-ink-3 line-through">{before || 'none'}</ExternalText>
          <span aria-hidden="true">→</span>
          <span className="sr-only">becomes</span>
          <ExternalText className="font-medium">{after || 'none'}</ExternalText>
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
