'use client'

import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { getScopeForListLink, toOtherAccountSuffix } from '@/lib/client/page-context'
import { parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { whyNotAllowed } from '@/lib/domain/permissions'
import {
  formatExpectedEffects,
  hasFailedWithR29,
  sumWaitingPayments,
  waitingStates,
} from '@/lib/features/paykeys/related'
import { moneyText } from '@/lib/money'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { listPath, recordPath } from '@/lib/routes'
import { findTotalPaymentCount, type PaykeyRelatedReads } from './use-facts'

/**
 * Returns a function that builds the link to a payment. `search` are extra URL parameters. A
 * payment that is neither a charge nor a payout has no page, so its link opens the payments search
 * with the payment's id.
 */
export function usePaymentHref(): (
  payment: Pick<PaymentSummary, 'id' | 'payment_type'>,
  search?: Record<string, string>,
) => string {
  const context = usePageContext()
  const { account } = context
  return ({ id, payment_type }, search) => {
    const kind = parsePaymentKind(payment_type)
    if (kind === null)
      return listPath(getScopeForListLink(context, account), 'payments', { payment_id: id })
    return recordPath(context, resourceByKind[kind], id, { account, ...search })
  }
}

export function PaykeyPaymentItem({
  payment,
  children,
}: {
  payment: PaymentSummary
  children?: ReactNode
}) {
  const { amountUnit } = usePageContext()
  const toPaymentHref = usePaymentHref()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-b py-1 last:border-b-0">
      <Link href={toPaymentHref(payment)} className="text-accent hover:underline">
        <span className="first-letter:uppercase">{payment.payment_type || 'payment'}</span>
        <span className="sr-only"> {payment.id.slice(-6)}</span>
      </Link>
      <Amount
        raw={payment.amount}
        currency={payment.currency}
        unit={amountUnit}
        className="font-medium"
      />
      <RecordStatusBadge kind="payment" status={payment.status} />
      {children}
      <RelativeTime at={payment.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}

/**
 * Returns the payments that failed or were reversed with return code R29; empty if they were not
 * read.
 */
export const listR29Payments = ({ data = [] }: PaykeyRelatedReads['lost']): PaymentSummary[] =>
  data.filter(hasFailedWithR29)

/**
 * The payments that failed or were reversed with R29. They can be resubmitted if the paykey is
 * `usable`.
 */
export function R29PaymentsPanel({
  lost,
  usable,
}: {
  lost: PaykeyRelatedReads['lost']
  usable: boolean
}) {
  const payments = listR29Payments(lost)
  const unreadableRows = lost.unread ?? []
  if (!lost.error && payments.length + unreadableRows.length === 0) return null
  return (
    <Panel title="Failed with R29">
      {lost.error && (
        <p className="text-held text-sm">Failed payments could not be read: {lost.error}</p>
      )}
      <R29PaymentList payments={payments} usable={usable} />
      <UnreadableRows rows={unreadableRows} one="payment" />
    </Panel>
  )
}

export const R29PaymentList = ({
  payments,
  usable,
}: {
  payments: readonly PaymentSummary[]
  usable: boolean
}) => (
  <ul aria-label="Payments failed with R29" className="grid">
    {payments.map((payment) => (
      <PaykeyPaymentItem key={payment.id} payment={payment}>
        <ResubmitLink payment={payment} usable={usable} />
      </PaykeyPaymentItem>
    ))}
  </ul>
)

function ResubmitLink({ payment, usable }: { payment: PaymentSummary; usable: boolean }) {
  const { person } = usePageContext()
  const hrefOf = usePaymentHref()
  if (payment.has_resubmit) return <span className="text-ink-3 text-xs">was resubmitted</span>
  const kind = parsePaymentKind(payment.payment_type)
  if (kind === null)
    return <span className="text-ink-3 text-xs">neither a charge nor a payout</span>
  const operation = kind === 'payout' ? 'payouts.resubmit' : 'charges.resubmit'
  const disabledReason =
    whyNotAllowed(person.roles, getServiceOperation(operation)) ??
    (usable ? null : 'The resubmission would fail: the bank account is not usable.')
  if (disabledReason !== null) {
    return (
      <Button size="small" disabledReason={disabledReason}>
        Resubmit…
      </Button>
    )
  }
  return (
    <Link href={hrefOf(payment, { do: 'resubmit' })} className={buttonVariants({ size: 'small' })}>
      Resubmit…<span className="sr-only"> {payment.id.slice(-6)}</span>
    </Link>
  )
}

const maxRows = 8

export function PendingPaymentsPanel({
  paykey,
  waiting,
}: {
  paykey: Paykey
  waiting: PaykeyRelatedReads['waiting']
}) {
  const context = usePageContext()
  const allPaymentsHref = listPath(getScopeForListLink(context, context.account), 'payments', {
    paykey_id: paykey.id,
    payment_status: waitingStates,
  })
  return (
    <Panel
      title="Pending payments"
      aside={
        <Link href={allPaymentsHref} className="text-accent text-xs hover:underline">
          All of them{toOtherAccountSuffix(context, context.account)}
        </Link>
      }
    >
      <ReadResultBlock read={waiting} onAgain={waiting.again}>
        {(payments) =>
          payments.length === 0 ? (
            <p className="text-ink-3">No pending payments.</p>
          ) : (
            <div className="grid gap-2">
              <PendingPaymentsSum payments={payments} total={findTotalPaymentCount(waiting)} />
              {paykey.status === 'review' && <ExpectedDecisionEffect payments={payments} />}
              <ul className="grid">
                {payments.slice(0, maxRows).map((payment) => (
                  <PaykeyPaymentItem key={payment.id} payment={payment}>
                    {payment.status_details?.message && (
                      <ExternalText className="min-w-0 truncate text-ink-3 text-xs">
                        {payment.status_details.message}
                      </ExternalText>
                    )}
                  </PaykeyPaymentItem>
                ))}
              </ul>
              {payments.length > maxRows && (
                <p className="text-ink-3 text-xs">and {payments.length - maxRows} more</p>
              )}
            </div>
          )
        }
      </ReadResultBlock>
    </Panel>
  )
}

/** If `total` is higher than the number of payments or unknown (null), the text states that. */
export function PendingPaymentsSum({
  payments,
  total,
}: {
  payments: readonly PaymentSummary[]
  total: number | null
}) {
  const { amountUnit } = usePageContext()
  const { count, charges, payouts, unreadable } = sumWaitingPayments(payments, amountUnit)
  const amountTexts = [
    charges > 0 && `${moneyText(charges)} to collect`,
    payouts > 0 && `${moneyText(payouts)} to pay out`,
  ]
  return (
    <p>
      <strong className="font-semibold">
        {count} {count === 1 ? 'payment' : 'payments'}
      </strong>
      {amountTexts.some(Boolean) && `: ${amountTexts.filter(Boolean).join(', ')}`}
      {unreadable > 0 && `; ${unreadable} with an unclear amount`}
      {total === null
        ? `; there may be more than these ${count}`
        : total > count && `; the sums are of ${count} of ${total}`}
      .
    </p>
  )
}

const expectedDecisionLabels = { approve: 'Approved', reject: 'Rejected' } as const

const ExpectedDecisionEffect = ({ payments }: { payments: readonly PaymentSummary[] }) => (
  <div className="grid gap-0.5 rounded-sm bg-sunken px-3 py-2 text-sm">
    <dl className="grid gap-x-3 gap-y-0.5 sm:grid-cols-[5rem_minmax(0,1fr)]">
      {(['approve', 'reject'] as const).map((decision) => (
        <div key={decision} className="contents">
          <dt className="text-ink-3">{expectedDecisionLabels[decision]}</dt>
          <dd>{formatExpectedEffects(payments, decision)}</dd>
        </div>
      ))}
    </dl>
    <p className="text-ink-3 text-xs">
      Expected effect: the provider does not document what a decision does to pending payments.
    </p>
  </div>
)
