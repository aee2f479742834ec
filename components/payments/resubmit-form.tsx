'use client'

import { ConfirmForm } from '@/components/kits/action/confirm-form'
import { DateField, TextField } from '@/components/kits/form/fields'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { bankDay } from '@/lib/dates'
import { decisionReasons } from '@/lib/domain/decision-reasons'
import { minorUnits } from '@/lib/money'
import { paymentResubmit } from '@/lib/operations/payment-input.schema'
import { pastDate } from './date-fault'
import { DecisionSentence } from './decision-sentence'
import { sendLabel } from './decision-words'
import type { PaymentFormProps } from './payment-form-props'
import { paymentOperations } from './payment-operations'

type Values = { payment_date: string; description: string }

/** What is left out is taken from the first payment, so an empty description is not sent. */
const toInput = ({ payment_date, description }: Values) => ({
  payment_date,
  ...(description.trim() === '' ? {} : { description }),
})

/** The confirm sheet of a second try: a new payment, so it says so, and that this can be done once. */
export function ResubmitForm({ kind, payment, cautions, ...form }: PaymentFormProps) {
  const desk = useDesk()
  const today = bankDay(useNow())
  return (
    <ConfirmForm<'charges.resubmit' | 'payouts.resubmit', Values>
      {...form}
      operation={paymentOperations[kind].resubmit}
      id={payment.id}
      sentence={<DecisionSentence action="resubmit" kind={kind} payment={payment} account={form.account} />}
      send={sendLabel('resubmit', kind, minorUnits(payment.amount, desk.amountUnit))}
      reasons={decisionReasons.resubmit}
      names={[payment.customer_details?.name]}
      cautions={cautions.resubmit ?? []}
      schema={paymentResubmit}
      values={{ payment_date: today, description: payment.description ?? '' }}
      toInput={toInput}
      check={({ payment_date }) => pastDate(payment_date, today)}
    >
      {(fields) => (
        <div className="grid items-start gap-3 sm:grid-cols-[minmax(11rem,2fr)_3fr]">
          <DateField form={fields} name="payment_date" label="Payment date" hint="A day in New York; today is sent at once." />
          <TextField
            form={fields}
            name="description"
            label="Description"
            hint="Stands on the bank statement, up to 80 characters."
            maxLength={80}
          />
        </div>
      )}
    </ConfirmForm>
  )
}
