'use client'

import { type UseFormReturn, useWatch } from 'react-hook-form'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import type { ReasonValues } from '@/components/kits/action/reason-fields'
import { AmountField, DateField, setField, TextField } from '@/components/kits/form/fields'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { bankDay } from '@/lib/dates'
import { decisionReasons } from '@/lib/domain/decision-reasons'
import { refundAmountFault } from '@/lib/domain/payment-amounts'
import { centsOf, formatMinor, minorUnits } from '@/lib/money'
import { chargeRefund } from '@/lib/operations/payment-input.schema'
import { pastDate } from './date-fault'
import { DecisionSentence } from './decision-sentence'
import { sendLabel } from './decision-words'
import type { PaymentFormProps } from './payment-form-props'

type Values = { amount: string; payment_date: string; description: string }

/** An amount that cannot be read is left to `check`, which names the bound as well. */
const toInput = ({ amount, payment_date, description }: Values) => ({
  amount: centsOf(amount) ?? undefined,
  payment_date,
  ...(description.trim() === '' ? {} : { description }),
})

/** The confirm sheet of a refund: how much of the charge, bounded by it, and what the customer gets. */
export function RefundForm({ kind, payment, cautions, ...form }: PaymentFormProps) {
  const desk = useDesk()
  const today = bankDay(useNow())
  const charged = minorUnits(payment.amount, desk.amountUnit)
  const whole = charged === null ? '' : formatMinor(charged)
  return (
    <ConfirmForm<'charges.refund', Values>
      {...form}
      operation="charges.refund"
      id={payment.id}
      sentence={({ amount }) => (
        <DecisionSentence action="refund" kind={kind} payment={payment} account={form.account} cents={centsOf(amount)}>
          {restText(centsOf(amount), charged)}
        </DecisionSentence>
      )}
      send={({ amount }) => sendLabel('refund', kind, centsOf(amount))}
      reasons={decisionReasons.refund}
      names={[payment.customer_details?.name]}
      cautions={cautions.refund ?? []}
      schema={chargeRefund}
      values={{ amount: whole, payment_date: today, description: payment.description ?? '' }}
      toInput={toInput}
      check={({ amount, payment_date }) => ({ ...refundAmountFault(amount, charged), ...pastDate(payment_date, today) })}
    >
      {(fields) => <Fields fields={fields} whole={whole} />}
    </ConfirmForm>
  )
}

/** What is left of the charge, in words; nothing is said of an amount that is none. */
function restText(cents: number | null, charged: number | null): string {
  if (cents === null || charged === null || cents > charged) return ''
  if (cents === charged) return 'The customer gets the whole charge back.'
  return `The customer gets ${formatMinor(cents)} of ${formatMinor(charged)} back; ${formatMinor(charged - cents)} stays charged and cannot be refunded later.`
}

function Fields({ fields, whole }: { fields: UseFormReturn<Values & ReasonValues>; whole: string }) {
  const amount = useWatch({ control: fields.control, name: 'amount' })
  return (
    <div className="grid items-start gap-3 sm:grid-cols-3">
      <div className="grid justify-items-start gap-1">
        <AmountField
          form={fields}
          name="amount"
          label="Amount to refund"
          cents={centsOf(amount)}
          hint={`of ${whole} charged`}
          className="w-full"
        />
        {amount !== whole && (
          <Button size="small" variant="quiet" onClick={() => setField(fields, 'amount', whole)}>
            All of it
          </Button>
        )}
      </div>
      <DateField form={fields} name="payment_date" label="Payment date" hint="A day in New York; today is sent at once." />
      <TextField form={fields} name="description" label="Description" hint="Stands on the bank statement." maxLength={80} />
    </div>
  )
}
