'use client'

import { useQuery } from '@tanstack/react-query'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Notice } from '@/components/ui/notice'
import { operationQuery } from '@/lib/client/query/reads'
import { isLoading } from '@/lib/domain/check'
import { explainHold } from '@/lib/domain/holds/explain-hold'
import { toHeldPaymentPaykey } from '@/lib/domain/holds/limit-checks'
import { type PaymentKind, parsePaymentKind } from '@/lib/domain/payment-kind'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { maxRelatedRecords } from '@/lib/features/paykeys/related'
import { toMinorUnits } from '@/lib/money'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { listR29Payments, PaykeyPaymentItem, R29PaymentList, usePaymentHref } from './payments'
import type { PaykeyRelatedReads } from './use-facts'

type HeldPaymentsProps = { payments: readonly PaymentSummary[]; paykey: Paykey }

function HeldPaymentList({ payments, paykey }: HeldPaymentsProps) {
  const { amountUnit } = usePageContext()
  const explainPaymentHold = ({ status_details: details, amount }: PaymentSummary) =>
    explainHold({
      details,
      amount: toMinorUnits(amount, amountUnit),
      paykey: toHeldPaymentPaykey(paykey),
    }).line
  return (
    <ul aria-label="Payments still on hold" className="grid">
      {payments.map((payment) => (
        <PaykeyPaymentItem key={payment.id} payment={payment}>
          <ExternalText className="min-w-0 truncate">
            {payment.customer_details?.name ?? 'Unknown customer'}
          </ExternalText>
          <ExternalText className="min-w-0 text-ink-3 text-xs">
            {explainPaymentHold(payment)}
          </ExternalText>
          <ReleaseLink payment={payment} />
        </PaykeyPaymentItem>
      ))}
    </ul>
  )
}

const releaseOperations = {
  payout: 'payouts.release',
  charge: 'charges.release',
} as const satisfies Record<PaymentKind, string>

function ReleaseLink({ payment }: { payment: PaymentSummary }) {
  const { person } = usePageContext()
  const toPaymentHref = usePaymentHref()
  const kind = parsePaymentKind(payment.payment_type)
  if (kind === null) return null
  const releaseLabel = `Release held ${kind}`
  const disabledReason = whyNotAllowed(person.roles, getServiceOperation(releaseOperations[kind]))
  if (disabledReason !== null) {
    return (
      <Button size="small" disabledReason={disabledReason}>
        {releaseLabel}
      </Button>
    )
  }
  return (
    <Link
      href={toPaymentHref(payment, { do: 'release' })}
      className={buttonVariants({ size: 'small' })}
    >
      {releaseLabel}
      <span className="sr-only"> {payment.id.slice(-6)}</span>
    </Link>
  )
}

const paymentsPollIntervalMs = 5_000
const maxPaymentsPolls = 6

type DecisionResultProps = {
  operation: ServiceOperationId
  paykey: Paykey
  /** Ids of the payments that were pending when the form was opened. */
  waited: readonly string[]
  waiting: PaykeyRelatedReads['waiting']
  lost: PaykeyRelatedReads['lost']
}

export function DecisionResult({ operation, paykey, waited, waiting, lost }: DecisionResultProps) {
  if (operation === 'paykeys.decide')
    return <PaymentsAfterDecision id={paykey.id} waited={waited} />
  return operation === 'paykeys.unblock' ? (
    <PaymentsAfterUnblock paykey={paykey} waiting={waiting} lost={lost} />
  ) : null
}

/**
 * Shown after an approval or rejection: the current status of the payments that were pending before
 * it (`waited`). It is read several times, because the provider does not document what a decision
 * does to these payments.
 */
function PaymentsAfterDecision({ id, waited }: { id: string; waited: readonly string[] }) {
  const context = usePageContext()
  const paymentsQuery = useQuery({
    ...operationQuery(context, 'payments.search', { paykey_id: id, page_size: maxRelatedRecords }),
    enabled: waited.length > 0,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < maxPaymentsPolls ? paymentsPollIntervalMs : false,
  })
  if (waited.length === 0) return null
  const affectedPayments =
    paymentsQuery.data?.data.filter((payment) => waited.includes(payment.id)) ?? []
  return (
    <div className="grid gap-1">
      <h3 className="text-ink-3 text-xs">Current status of the affected payments</h3>
      {paymentsQuery.error && (
        <p className="text-ink-2 text-sm">
          The payments could not be read: {paymentsQuery.error.message}
        </p>
      )}
      <ul aria-label="Affected payments" className="grid">
        {affectedPayments.map((payment) => (
          <PaykeyPaymentItem key={payment.id} payment={payment} />
        ))}
      </ul>
      {affectedPayments.length < waited.length && paymentsQuery.data && (
        <p className="text-ink-3 text-xs">
          {waited.length - affectedPayments.length} more are not among the newest payments of this
          paykey.
        </p>
      )}
    </div>
  )
}

function PaymentsAfterUnblock({
  paykey,
  waiting,
  lost,
}: Pick<DecisionResultProps, 'paykey' | 'waiting' | 'lost'>) {
  if (paykey.status !== 'active') {
    return (
      <Notice
        tone="held"
        title="The service does not show the paykey as active yet. Refresh before you create a payment."
      />
    )
  }
  return (
    <div className="grid gap-2">
      <PaymentsStillHeld paykey={paykey} waiting={waiting} />
      <ResubmittablePayments lost={lost} />
    </div>
  )
}

/** The payments on hold. An unblock releases none of them, so each needs a decision. */
function PaymentsStillHeld({ paykey, waiting }: Pick<DecisionResultProps, 'paykey' | 'waiting'>) {
  if (isLoading(waiting)) return <p className="text-ink-3 text-sm">Loading payments on hold…</p>
  if (!waiting.data)
    return <p className="text-held text-sm">Payments on hold could not be read: {waiting.error}</p>
  const heldPayments = waiting.data.filter(({ status }) => status === 'on_hold')
  if (heldPayments.length === 0)
    return <p className="text-ink-2 text-sm">No payment on this bank account is on hold.</p>
  return (
    <div className="grid gap-1">
      <h3 className="font-medium text-sm">
        {heldPayments.length === 1 ? 'One payment is' : `${heldPayments.length} payments are`} still
        on hold. Release the ones to be paid:
      </h3>
      <HeldPaymentList payments={heldPayments} paykey={paykey} />
    </div>
  )
}

function ResubmittablePayments({ lost }: Pick<DecisionResultProps, 'lost'>) {
  if (isLoading(lost)) return <p className="text-ink-3 text-sm">Loading failed payments…</p>
  if (!lost.data)
    return <p className="text-held text-sm">Failed payments could not be read: {lost.error}</p>
  const resubmittablePayments = listR29Payments(lost).filter(({ has_resubmit }) => !has_resubmit)
  if (resubmittablePayments.length === 0)
    return <p className="text-ink-2 text-sm">No failed payment needs a resubmission.</p>
  return (
    <div className="grid gap-1">
      <h3 className="font-medium text-sm">
        {resubmittablePayments.length === 1
          ? 'One payment'
          : `${resubmittablePayments.length} payments`}{' '}
        failed because of the block and can be resubmitted:
      </h3>
      <R29PaymentList payments={resubmittablePayments} usable />
    </div>
  )
}
