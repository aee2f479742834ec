'use client'

import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RefreshButton } from '@/components/kits/layout/refresh-button'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { AwaitingApprovalBadge } from '@/components/kits/list/approval-badge'
import { AccountCell } from '@/components/kits/list/columns'
import { useListNavigation } from '@/components/kits/list/frame'
import { toFirstRowHref } from '@/components/kits/list/view'
import { ClaimBadge, useClaims } from '@/components/kits/queue/claim-badge'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import { ToneIcon } from '@/components/ui/tone'
import { type QueueId, queueLabels } from '@/lib/features/home/labels'
import { type QueueGroup as Group, type QueueRow, rowsPerQueue } from '@/lib/features/home/queues'
import { moneyText } from '@/lib/money'
import type { Claim, ClaimableResource } from '@/lib/operations/claims'
import type { Resource } from '@/lib/operations/define'
import { getOwnerRule } from '@/lib/operations/ownership'

/** An item that missed an earlier cut-off is marked. */
const WaitingTimeText = ({ since, due }: Pick<QueueRow, 'since' | 'due'>) => (
  <>
    <RelativeTime at={since} show="ago" />
    {due &&
      (due.missed ? (
        <span className="ml-2 inline-flex items-baseline gap-0.5 text-bad">
          <ToneIcon tone="bad" className="size-3 self-center" />
          missed its cut-off
          <span className="sr-only">
            , next cut-off <RelativeTime at={due.at} show="ago" />
          </span>
        </span>
      ) : (
        <span className="ml-2 text-held">
          cut-off <RelativeTime at={due.at} show="ago" />
        </span>
      ))}
  </>
)

/** A row has two lines, on a phone three. Screen readers read both layouts in the same order. */
const rowGridClasses = {
  row: 'grid-cols-[fit-content(62%)_minmax(0,1fr)_auto] max-sm:grid-cols-[minmax(0,1fr)_auto]',
  account: 'max-sm:col-start-1 max-sm:row-start-3',
  figure: 'max-sm:col-start-2 max-sm:row-start-1',
  line: 'col-span-2 max-sm:row-start-2',
  since: 'max-sm:col-start-2 max-sm:row-start-3',
}

/** The link covers the row, so that a click anywhere opens the record. */
function QueueRowItem({ row, claim }: { row: QueueRow; claim: Claim | undefined }) {
  const context = usePageContext()
  const [resource, id] = row.key.split('/')
  const isOfPlatform = getOwnerRule(resource as Resource, context.integration) === 'platform'
  return (
    <li
      className={`group relative grid items-baseline gap-x-2 border-line border-b px-3 py-1.5 last:border-b-0 hover:bg-sunken ${rowGridClasses.row}`}
    >
      <Link
        href={row.href}
        className="flex min-w-0 gap-1 font-medium text-ink after:absolute after:inset-0 group-hover:underline"
      >
        <ExternalText className="truncate">{row.title}</ExternalText>
        {row.tail && <span className="shrink-0">{row.tail}</span>}
        <span className="sr-only">, {id?.slice(-6)}</span>
      </Link>
      <span
        className={`flex min-w-0 items-center gap-1.5 text-ink-3 text-xs ${rowGridClasses.account}`}
      >
        {row.account !== undefined && !isOfPlatform && (
          <span className="truncate">
            <AccountCell known={row.account} />
          </span>
        )}
        {claim && <ClaimBadge claim={claim} />}
      </span>
      <span className={`text-right ${rowGridClasses.figure}`}>
        {row.amount && (
          <Amount
            raw={row.amount.raw}
            currency={row.amount.currency}
            unit={context.amountUnit}
            className="font-medium"
          />
        )}
        {row.waiting !== undefined && <PendingPayments waiting={row.waiting} />}
      </span>
      <span className={`flex min-w-0 gap-1.5 text-ink-2 text-xs ${rowGridClasses.line}`}>
        {row.awaitsApproval && <AwaitingApprovalBadge />}
        {row.code && <code className="shrink-0 font-mono text-ink">{row.code}</code>}
        <ExternalText className="truncate" title={row.line}>
          {row.line}
        </ExternalText>
      </span>
      <span className={`whitespace-nowrap text-right text-ink-3 text-xs ${rowGridClasses.since}`}>
        <WaitingTimeText since={row.since} due={row.due} />
      </span>
    </li>
  )
}

function PendingPayments({ waiting }: { waiting: QueueRow['waiting'] }) {
  if (!waiting) return <span className="text-held text-xs">pending payments unknown</span>
  if (waiting.count === 0) return <span className="text-ink-3 text-xs">No pending payments</span>
  return (
    <span className="tabular-nums">
      <span className="text-ink-3 text-xs">
        {waiting.count === 1 ? '1 payment, ' : `${waiting.count} payments, `}
      </span>
      <span className="font-medium">{moneyText(waiting.sum)}</span>
    </span>
  )
}

const QueueCardFrame = ({
  id,
  title,
  count,
  aside,
  children,
}: {
  id: string
  title: string
  count?: ReactNode
  aside?: ReactNode
  children: ReactNode
}) => (
  <section
    aria-labelledby={`queue-${id}`}
    className="min-w-0 rounded border border-line bg-surface"
  >
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 border-line border-b px-3 py-1">
      <h3 id={`queue-${id}`} className="font-semibold text-sm">
        {title}
      </h3>
      {count}
      <div className="ml-auto flex items-center gap-3">{aside}</div>
    </div>
    {children}
  </section>
)

type QueueGroupProps = { group: Group; title: string; mine: boolean }

const claimResources: Partial<Record<QueueId, ClaimableResource>> = {
  payouts_held: 'payouts',
  charges_held: 'charges',
  paykeys_review: 'paykeys',
  customers_review: 'customers',
}

const formatQueueTotal = (group: Group) =>
  `${group.total.toLocaleString('en-US')}${group.atLeast ? '+' : ''}`

/** A client component, so that the server sends the rows only as data and not also as markup. */
export function QueueGroupCard({ group, title, mine }: QueueGroupProps) {
  const listLinkLabel =
    group.total > group.rows.length ? `all ${formatQueueTotal(group)}` : 'the list'
  // If true, the link opens the list with its first record, and each decision offers the next.
  const canStartQueue = mine && queueLabels[group.id].queue === true
  const claims = useClaims(claimResources[group.id])
  return (
    <QueueCardFrame
      id={group.id}
      title={title}
      count={
        <span className="rounded-full bg-ink/6 px-1.5 text-2xs text-ink-2 tabular-nums">
          {formatQueueTotal(group)}
          <span className="sr-only"> waiting</span>
        </span>
      }
      aside={
        <>
          {group.oldest && (
            <span className="text-ink-3 text-xs">
              oldest <RelativeTime at={group.oldest} show="ago" />
            </span>
          )}
          <Link
            href={canStartQueue ? toFirstRowHref(group.href) : group.href}
            className="inline-block min-h-6 rounded-sm text-accent text-xs leading-6 hover:underline"
          >
            {canStartQueue
              ? `Start queue (${formatQueueTotal(group)})`
              : mine
                ? `Open ${listLinkLabel}`
                : `See ${listLinkLabel}`}
            <span className="sr-only">in {title}</span>
          </Link>
        </>
      }
    >
      <ul className="grid">
        {group.rows.map((row) => (
          <QueueRowItem
            key={row.key}
            row={row}
            claim={claims?.find(({ id }) => row.key.endsWith(`/${id}`))}
          />
        ))}
      </ul>
      <UnreadableRows
        rows={group.unreadable?.slice(0, rowsPerQueue) ?? []}
        one="object"
        className="px-3"
      />
    </QueueCardFrame>
  )
}

/** The old content stays until the new content arrives. */
export function RetryButton({ what }: { what: string }) {
  const { pending, refresh } = useListNavigation()
  return (
    <RefreshButton reading={pending} onRefresh={refresh}>
      Try again
      <span className="sr-only">to read {what}</span>
    </RefreshButton>
  )
}
