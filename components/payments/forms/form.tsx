'use client'

import { type UseFormReturn, useWatch } from 'react-hook-form'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import type { ReasonValues } from '@/components/kits/action/reason-fields'
import { AmountField, setField, TextField } from '@/components/kits/form/fields'
import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { paymentOperations } from '@/components/payments/operations'
import { type CheckedPayment, usePaymentChecks } from '@/components/payments/record/check-list'
import { Button } from '@/components/ui/button'
import { bankDay } from '@/lib/dates'
import { decisionReasons } from '@/lib/domain/reasons'
import type { Warning } from '@/lib/domain/warnings'
import { isReading, refundAmountFault, refundWarnings, releaseWarnings, resubmitWarnings } from '@/lib/features/payments/form'
import { sendLabel } from '@/lib/features/payments/labels'
import { centsOf, formatMinor, minorUnits } from '@/lib/money'
import { chargeRefund, paymentDecision, paymentResubmit } from '@/lib/operations/payment-input.schema'
import { EditForm } from './edit-form'
import { DecisionSentence, PaymentDateField, type PaymentFormProps, pastDate } from './form-parts'

type DecisionFormProps = PaymentFormProps & { action: 'release' | 'hold' | 'cancel' }

const noFields = () => ({})

function DecisionForm({ action, kind, payment, ...form }: DecisionFormProps) {
  const context = usePageContext()
  return (
    <ConfirmForm
      {...form}
      operation={paymentOperations[kind][action]}
      id={payment.id}
      sentence={(_, although) => (
        <DecisionSentence action={action} kind={kind} payment={payment} account={form.account} although={although} />
      )}
      send={sendLabel(action, kind, minorUnits(payment.amount, context.amountUnit))}
      danger={action === 'cancel'}
      reasons={decisionReasons[action]}
      names={[payment.customer_details?.name]}
      schema={paymentDecision}
      values={{}}
      toInput={noFields}
    />
  )
}

type ResubmitValues = { payment_date: string; description: string }

/** Omitted fields are taken from the first payment, so an empty description is not sent. */
const resubmitInput = ({ payment_date, description }: ResubmitValues) => ({
  payment_date,
  ...(description.trim() === '' ? {} : { description }),
})

/** Confirm sheet of a resubmission. States that it creates a new payment and can be done once. */
function ResubmitForm({ kind, payment, ...form }: PaymentFormProps) {
  const context = usePageContext()
  const today = bankDay(useNow())
  return (
    <ConfirmForm<'charges.resubmit' | 'payouts.resubmit', ResubmitValues>
      {...form}
      operation={paymentOperations[kind].resubmit}
      id={payment.id}
      sentence={(_, although) => (
        <DecisionSentence action="resubmit" kind={kind} payment={payment} account={form.account} although={although} />
      )}
      send={sendLabel('resubmit', kind, minorUnits(payment.amount, context.amountUnit))}
      reasons={decisionReasons.resubmit}
      names={[payment.customer_details?.name]}
      schema={paymentResubmit}
      values={{ payment_date: today, description: payment.description ?? '' }}
      toInput={resubmitInput}
      check={({ payment_date }) => pastDate(payment_date, today)}
    >
      {(fields) => (
        <div className="grid items-start gap-3 sm:grid-cols-[minmax(11rem,2fr)_3fr]">
          <PaymentDateField form={fields} />
          <TextField
            form={fields}
            name="description"
            label="Description"
            hint="Shown on the bank statement, up to 80 characters."
            maxLength={80}
          />
        </div>
      )}
    </ConfirmForm>
  )
}

type RefundValues = { amount: string; payment_date: string; description: string }

/** An unreadable amount is reported by `check`, which also names the maximum. */
const refundInput = ({ amount, payment_date, description }: RefundValues) => ({
  amount: centsOf(amount) ?? undefined,
  payment_date,
  ...(description.trim() === '' ? {} : { description }),
})

/** Confirm sheet of a refund, up to the charged amount. */
function RefundForm({ kind, payment, ...form }: PaymentFormProps) {
  const context = usePageContext()
  const today = bankDay(useNow())
  const charged = minorUnits(payment.amount, context.amountUnit)
  const chargedText = charged === null ? '' : formatMinor(charged)
  return (
    <ConfirmForm<'charges.refund', RefundValues>
      {...form}
      operation="charges.refund"
      id={payment.id}
      sentence={({ amount }, although) => (
        <DecisionSentence action="refund" kind={kind} payment={payment} account={form.account} cents={centsOf(amount)} although={although}>
          {restText(centsOf(amount), charged)}
        </DecisionSentence>
      )}
      send={({ amount }) => sendLabel('refund', kind, centsOf(amount))}
      reasons={decisionReasons.refund}
      names={[payment.customer_details?.name]}
      schema={chargeRefund}
      values={{ amount: chargedText, payment_date: today, description: payment.description ?? '' }}
      toInput={refundInput}
      check={({ amount, payment_date }) => ({ ...refundAmountFault(amount, charged), ...pastDate(payment_date, today) })}
    >
      {(fields) => <RefundFields fields={fields} whole={chargedText} />}
    </ConfirmForm>
  )
}

/** States the amount that remains of the charge. Empty if the amount is invalid. */
function restText(cents: number | null, charged: number | null): string {
  if (cents === null || charged === null || cents > charged) return ''
  if (cents === charged) return 'This refunds the full charge.'
  return `This refunds ${formatMinor(cents)} of ${formatMinor(charged)}. The remaining ${formatMinor(charged - cents)} cannot be refunded later.`
}

function RefundFields({ fields, whole }: { fields: UseFormReturn<RefundValues & ReasonValues>; whole: string }) {
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
            Full amount
          </Button>
        )}
      </div>
      <PaymentDateField form={fields} />
      <TextField form={fields} name="description" label="Description" hint="Shown on the bank statement." maxLength={80} />
    </div>
  )
}

type OpenPaymentForm = Omit<PaymentFormProps, 'warnings'> & CheckedPayment

const reading = 'The checks are still loading.'

/** Warnings to tick before an action, and why they are not known yet (null if they are). */
function useActionWarnings(action: string, form: OpenPaymentForm): { warnings: readonly Warning[]; notYet: string | null } {
  const checks = usePaymentChecks(form)
  const now = useNow()
  const { payment, facts } = form
  if (action === 'release') return { warnings: releaseWarnings(checks), notYet: isReading(checks) ? reading : null }
  if (action === 'refund') return { warnings: refundWarnings(payment, now), notYet: null }
  if (action !== 'resubmit') return { warnings: [], notYet: null }
  const { paykey } = facts
  return { warnings: resubmitWarnings(payment, paykey), notYet: paykey.state === 'loading' ? reading : null }
}

export function PaymentForm({ facts, readAt, ...form }: OpenPaymentForm) {
  const action = form.operation.slice(form.operation.indexOf('.') + 1)
  const { warnings, notYet } = useActionWarnings(action, { ...form, facts, readAt })
  const props: PaymentFormProps = { ...form, warnings, disabledReason: form.disabledReason ?? notYet }
  switch (action) {
    case 'release':
    case 'hold':
    case 'cancel':
      return <DecisionForm {...props} action={action} />
    case 'update':
      return <EditForm {...props} />
    case 'resubmit':
      return <ResubmitForm {...props} />
    case 'refund':
      return <RefundForm {...props} />
    default:
      return null
  }
}
