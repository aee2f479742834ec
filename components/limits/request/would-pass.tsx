'use client'

import { useQuery } from '@tanstack/react-query'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { AccountScope } from '@/components/limits/limit-reads'
import { cn } from '@/components/ui/cn'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { operationQuery } from '@/lib/client/query/reads'
import { type LimitedPaymentType, type LimitSet, paymentTypeNouns } from '@/lib/domain/limit-labels'
import { assessHeldPayments, type HeldPaymentVerdict } from '@/lib/features/limits/held-payments'
import type { LimitUsage } from '@/lib/features/limits/usage'
import { moneyText } from '@/lib/money'
import { countServiceRows, findTotalRowCount } from '@/lib/operations/list-count'
import { recordPath } from '@/lib/routes'

const verdictLabels: Record<HeldPaymentVerdict['verdict'], { tone: Tone; word: string }> = {
  passes: { tone: 'good', word: 'within the new limits' },
  held: { tone: 'held', word: 'still held' },
  unknown: { tone: 'unknown', word: 'unknown' },
}

const maxRows = 8
const pageSize = 200

type PassingPaymentsProps = {
  type: LimitedPaymentType
  scope: AccountScope
  limits: LimitSet
  usage: LimitUsage
}

/**
 * Shows which payments on hold would be within the requested limits. It is only a preview and
 * releases no payment.
 */
export function PassingPayments({ type, scope, limits, usage }: PassingPaymentsProps) {
  const context = usePageContext()
  const { amountUnit } = context
  const { many, payment } = paymentTypeNouns[type]
  const heldPaymentsQuery = useQuery(
    operationQuery(scope, 'payments.search', {
      payment_type: payment,
      payment_status: 'on_hold',
      status_reason: 'amount_too_large',
      page_size: pageSize,
      sort_by: 'created_at',
      sort_order: 'asc',
    }),
  )
  if (heldPaymentsQuery.isPending)
    return <p className="text-ink-3 text-xs">Loading the {many} that are held for a limit…</p>
  if (heldPaymentsQuery.error && !heldPaymentsQuery.data)
    return (
      <p className="text-ink-2 text-xs">
        The {many} that are held could not be read: {heldPaymentsQuery.error.message}
      </p>
    )
  const assessedPayments = assessHeldPayments(
    heldPaymentsQuery.data.data,
    limits,
    usage,
    amountUnit,
  )
  const unreadableCount = countServiceRows(heldPaymentsQuery.data) - assessedPayments.length
  if (assessedPayments.length + unreadableCount === 0)
    return (
      <p className="text-ink-3 text-xs">
        No {paymentTypeNouns[type].one} of this account is held for a limit now.
      </p>
    )
  const passingCount = assessedPayments.filter((each) => each.verdict === 'passes').length
  const totalHeldCount = findTotalRowCount(heldPaymentsQuery.data, { size: pageSize })
  return (
    <section aria-label="Held payments under these limits" className="grid gap-1">
      <p>
        <span className="font-medium">
          {passingCount} of {assessedPayments.length} held {many}
        </span>{' '}
        would be within these limits. They stay on hold until someone releases each of them.
        {totalHeldCount === null
          ? ' More payments may not be included here.'
          : totalHeldCount > assessedPayments.length &&
            ` ${totalHeldCount - assessedPayments.length} more are not included here.`}
        {unreadableCount > 0 && ` ${unreadableCount} could not be read.`}
      </p>
      <ul className="grid gap-x-4 @lg:grid-cols-2">
        {assessedPayments.slice(0, maxRows).map((each) => (
          <li key={each.id} className="flex min-h-6 items-baseline gap-1.5">
            <ToneIcon
              tone={verdictLabels[each.verdict].tone}
              className={cn(
                'size-3.5 self-center',
                toneTextClasses[verdictLabels[each.verdict].tone],
              )}
            />
            <Link
              href={recordPath(context, type, each.id, { account: scope.account })}
              className="font-medium tabular-nums hover:underline"
            >
              {each.amount === null ? 'amount unclear' : moneyText(each.amount)}
            </Link>
            <span className="truncate text-ink-2 text-xs" title={each.why}>
              {verdictLabels[each.verdict].word}
              {each.why && `: ${each.why}`}
            </span>
          </li>
        ))}
      </ul>
      {assessedPayments.length > maxRows && (
        <p className="text-ink-3 text-xs">and {assessedPayments.length - maxRows} more</p>
      )}
    </section>
  )
}
