'use client'

import type { UseFormReturn } from 'react-hook-form'
import { ActionForm } from '@/components/kits/form/action-form'
import { AmountField, setFieldValue, TextField } from '@/components/kits/form/fields'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { paymentOperations } from '@/components/payments/operations'
import { type PaymentCheckData, usePaymentChecks } from '@/components/payments/record/check-list'
import { Button } from '@/components/ui/button'
import { toNewYorkDate } from '@/lib/dates'
import { type CheckResult, isLoading } from '@/lib/domain/check'
import type { DecisionReason } from '@/lib/domain/reasons'
import type { Warning } from '@/lib/domain/warnings'
import {
  findRefundAmountFault,
  isAnyCheckLoading,
  listRefundWarnings,
  listReleaseWarnings,
  listResubmitWarnings,
} from '@/lib/features/payments/form'
import { toSendButtonLabel } from '@/lib/features/payments/labels'
import { moneyText, parseCents, toMinorUnits } from '@/lib/money'
import {
  chargeRefund,
  paymentDecision,
  paymentResubmit,
} from '@/lib/operations/payment-input.schema'
import { EditPaymentForm } from './edit-form'
import {
  DecisionSentence,
  findPastDateFault,
  PaymentDateField,
  type PaymentFormProps,
} from './form-parts'
import { usePaymentReasons } from './use-payment-reasons'

type DecisionFormProps = PaymentFormProps & { reasons: readonly DecisionReason[] }

type PaymentDecisionFormProps = DecisionFormProps & { action: 'release' | 'hold' | 'cancel' }

function PaymentDecisionForm({ action, kind, payment, ...form }: PaymentDecisionFormProps) {
  const context = usePageContext()
  const { warnings, frame } = useActionForm({
    ...form,
    operation: paymentOperations[kind][action],
    id: payment.id,
    names: [payment.customer_details?.name],
    schema: paymentDecision,
    values: {},
    toInput: () => ({}),
  })
  return (
    <ActionForm
      {...frame}
      requestLabel={null}
      layout="panel"
      sentence={
        <DecisionSentence
          action={action}
          kind={kind}
          payment={payment}
          account={form.account}
          although={warnings.although}
        />
      }
      send={toSendButtonLabel(
        action,
        kind,
        toMinorUnits(payment.amount, context.amountUnit),
        payment.currency,
        frame.requestLabel,
      )}
      danger={action === 'cancel'}
    />
  )
}

type ResubmitValues = { payment_date: string; description: string }

/** An empty description is omitted: the service then copies it from the failed payment. */
const toResubmitInput = ({ payment_date, description }: ResubmitValues) => ({
  payment_date,
  ...(description.trim() === '' ? {} : { description }),
})

/** A resubmission creates a new payment and is possible only once. */
function ResubmitForm({ kind, payment, ...open }: DecisionFormProps) {
  const context = usePageContext()
  const today = toNewYorkDate(useNow())
  const { form, warnings, frame } = useActionForm<
    'charges.resubmit' | 'payouts.resubmit',
    ResubmitValues
  >({
    ...open,
    operation: paymentOperations[kind].resubmit,
    id: payment.id,
    names: [payment.customer_details?.name],
    schema: paymentResubmit,
    values: { payment_date: today, description: payment.description ?? '' },
    toInput: toResubmitInput,
    check: ({ payment_date }) => findPastDateFault(payment_date, today),
  })
  return (
    <ActionForm
      {...frame}
      requestLabel={null}
      layout="panel"
      sentence={
        <DecisionSentence
          action="resubmit"
          kind={kind}
          payment={payment}
          account={open.account}
          although={warnings.although}
        />
      }
      send={toSendButtonLabel(
        'resubmit',
        kind,
        toMinorUnits(payment.amount, context.amountUnit),
        payment.currency,
        frame.requestLabel,
      )}
    >
      <div className="grid items-start gap-3 @lg:grid-cols-[minmax(11rem,2fr)_3fr]">
        <PaymentDateField form={form} />
        <TextField
          form={form}
          name="description"
          label="Description"
          hint="Shown on the bank statement, up to 80 characters."
          maxLength={80}
        />
      </div>
    </ActionForm>
  )
}

type RefundValues = { amount: string; payment_date: string; description: string }

/**
 * Returns the input of a refund. An amount that is not a number is omitted here; the form's `check`
 * returns the error for it.
 */
const toRefundInput = ({ amount, payment_date, description }: RefundValues) => ({
  amount: parseCents(amount) ?? undefined,
  payment_date,
  ...(description.trim() === '' ? {} : { description }),
})

function RefundForm({ kind, payment, ...open }: DecisionFormProps) {
  const context = usePageContext()
  const today = toNewYorkDate(useNow())
  const chargedCents = toMinorUnits(payment.amount, context.amountUnit)
  const chargedText = chargedCents === null ? '' : moneyText(chargedCents)
  const { form, typed, warnings, frame } = useActionForm<'charges.refund', RefundValues>({
    ...open,
    operation: 'charges.refund',
    id: payment.id,
    names: [payment.customer_details?.name],
    schema: chargeRefund,
    values: { amount: chargedText, payment_date: today, description: payment.description ?? '' },
    toInput: toRefundInput,
    payment: ({ amount }) => ({ cents: parseCents(amount) }),
    check: ({ amount, payment_date }) => ({
      ...findRefundAmountFault(amount, chargedCents),
      ...findPastDateFault(payment_date, today),
    }),
  })
  const typedRefundCents = parseCents(typed.amount)
  const refundSentenceProps = {
    kind,
    payment,
    cents: typedRefundCents,
    account: open.account,
    although: warnings.although,
  }
  return (
    <ActionForm
      {...frame}
      requestLabel={null}
      layout="panel"
      sentence={
        <DecisionSentence action="refund" {...refundSentenceProps}>
          {formatRemainingAmount(typedRefundCents, chargedCents)}
        </DecisionSentence>
      }
      send={toSendButtonLabel(
        'refund',
        kind,
        typedRefundCents,
        payment.currency,
        frame.requestLabel,
      )}
    >
      <RefundFields form={form} amount={typed.amount} whole={chargedText} />
    </ActionForm>
  )
}

function formatRemainingAmount(refundCents: number | null, charged: number | null): string {
  if (refundCents === null || charged === null || refundCents > charged) return ''
  if (refundCents === charged) return 'This refunds the full charge.'
  return `This refunds ${moneyText(refundCents)} of ${moneyText(charged)}. The remaining ${moneyText(charged - refundCents)} cannot be refunded later.`
}

type RefundFieldsProps = { form: UseFormReturn<RefundValues>; amount: string; whole: string }

function RefundFields({ form, amount, whole }: RefundFieldsProps) {
  return (
    <div className="grid items-start gap-3 @lg:grid-cols-3">
      <div className="grid justify-items-start gap-1">
        <AmountField
          form={form}
          name="amount"
          label="Amount to refund"
          cents={parseCents(amount)}
          hint={`of ${whole} charged`}
          className="w-full"
        />
        {amount !== whole && (
          <Button size="small" variant="quiet" onClick={() => setFieldValue(form, 'amount', whole)}>
            Full amount
          </Button>
        )}
      </div>
      <PaymentDateField form={form} />
      <TextField
        form={form}
        name="description"
        label="Description"
        hint="Shown on the bank statement."
        maxLength={80}
      />
    </div>
  )
}

type OpenPaymentFormProps = Omit<PaymentFormProps, 'warnings'> & PaymentCheckData

const checksLoadingReason = 'The checks are still loading.'

/**
 * Returns the warnings to confirm before an action. `notYet` is the reason the warnings are not
 * known yet; null if they are known.
 */
function useActionWarnings(
  action: string,
  { payment, facts }: OpenPaymentFormProps,
  checks: readonly CheckResult[],
): { warnings: readonly Warning[]; notYet: string | null } {
  const now = useNow()
  if (action === 'release')
    return {
      warnings: listReleaseWarnings(checks),
      notYet: isAnyCheckLoading(checks) ? checksLoadingReason : null,
    }
  if (action === 'refund') return { warnings: listRefundWarnings(payment, now), notYet: null }
  if (action !== 'resubmit') return { warnings: [], notYet: null }
  const { paykey } = facts
  return {
    warnings: listResubmitWarnings(payment, paykey),
    notYet: isLoading(paykey) ? checksLoadingReason : null,
  }
}

export function PaymentForm(openForm: OpenPaymentFormProps) {
  const { facts: _, readAt: __, ...form } = openForm
  const paymentAction = form.operation.slice(form.operation.indexOf('.') + 1)
  const checks = usePaymentChecks(openForm)
  const { warnings, notYet } = useActionWarnings(paymentAction, openForm, checks)
  const getReasons = usePaymentReasons(openForm, checks)
  const props: PaymentFormProps = {
    ...form,
    warnings,
    disabledReason: form.disabledReason ?? notYet,
  }
  switch (paymentAction) {
    case 'release':
    case 'hold':
    case 'cancel':
      return (
        <PaymentDecisionForm
          {...props}
          action={paymentAction}
          reasons={getReasons(paymentAction)}
        />
      )
    case 'update':
      return <EditPaymentForm {...props} />
    case 'resubmit':
      return <ResubmitForm {...props} reasons={getReasons('resubmit')} />
    case 'refund':
      return <RefundForm {...props} reasons={getReasons('refund')} />
    default:
      return null
  }
}
