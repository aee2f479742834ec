import type { ReactNode } from 'react'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { PageHeader } from '@/components/kits/layout/page-header'
import { AgeChip, RelativeTime } from '@/components/kits/layout/relative-time'
import { Dimmed, ListFrame, RefreshList, Updating } from '@/components/kits/list/frame'
import { PendingChanges } from '@/components/kits/list/pending-changes'
import type { PageContext } from '@/lib/client/page-context'
import type { CutOffTime } from '@/lib/domain/bank-time'
import { queueIds, queueLabels } from '@/lib/features/home/labels'
import { type HeldTotals, type QueueSummary, summarize } from '@/lib/features/home/queues'
import { moneyText } from '@/lib/money'
import type { Role } from '@/lib/operations/define'
import { StableQueues } from './kept-queues'
import { buildQueueSections, QueueBoard, type QueueReads, type QueueSection } from './queue-board'

/** The next cut-offs of the banks: for decisions on held payments, and for the next same-day window. */
type HomeCutOffs = { held: CutOffTime; sameDay: CutOffTime }

type HeadLineProps = {
  summary: QueueSummary
  /** Null if the held payments could not be read. */
  held: HeldTotals | null
  cutOffs: HomeCutOffs
}

/** The key figures: pending items, the oldest one, the amount on hold, and the next cut-off. Figures that are 0 are omitted. */
function HeadLine({ summary, held, cutOffs }: HeadLineProps) {
  const more = summary.atLeast || summary.missing.length > 0 ? '+' : ''
  const note = missingText(summary)
  return (
    <dl className="grid min-h-[3.75rem] grid-cols-2 gap-x-6 gap-y-2 border-line border-y py-2 sm:flex sm:flex-wrap sm:gap-x-10">
      {summary.mine > 0 && (
        <Figure name="For you" note={note}>
          {summary.mine.toLocaleString('en-US')}
          {more}
        </Figure>
      )}
      {summary.others > 0 && (
        <Figure name="For others" note={summary.mine > 0 ? null : note}>
          {summary.others.toLocaleString('en-US')}
          {more}
        </Figure>
      )}
      {summary.oldest && (
        <Figure name="Oldest">
          <RelativeTime at={summary.oldest} show="ago" />
        </Figure>
      )}
      {(held === null || held.count > 0) && (
        <Figure name="Amount on hold" note={heldNote(held)}>
          {heldText(held)}
        </Figure>
      )}
      <Figure
        name="Next bank cut-off"
        note={
          <>
            {cutOffs.held.name}. {cutOffs.sameDay.name}: <RelativeTime at={cutOffs.sameDay.at} show="ago" />
          </>
        }
        wide
      >
        <RelativeTime at={cutOffs.held.at} />
      </Figure>
    </dl>
  )
}

const Figure = ({ name, note, wide, children }: { name: string; note?: ReactNode; wide?: boolean; children: ReactNode }) => (
  <div className={wide ? 'min-w-0 max-sm:col-span-2' : 'min-w-0'}>
    <dt className="text-2xs text-ink-3">{name}</dt>
    <dd className="font-semibold text-lg tabular-nums">{children}</dd>
    {note && <dd className="text-2xs text-ink-3">{note}</dd>}
  </div>
)

const missingText = ({ missing }: QueueSummary): string | null =>
  missing.length > 0 ? `without ${missing.map((id) => queueLabels[id].title.toLowerCase()).join(', ')}` : null

const heldText = (held: HeldTotals | null): ReactNode =>
  held === null ? (
    <span className="text-held">unknown</span>
  ) : (
    <>
      {moneyText(held.sum)}
      {held.atLeast && '+'}
    </>
  )

function heldNote(held: HeldTotals | null): string {
  if (held === null) return 'held payments could not be read'
  const without = held.unreadable > 0 ? `, ${held.unreadable} of them in no readable amount` : ''
  return `in ${held.count.toLocaleString('en-US')} ${held.count === 1 ? 'payment' : 'payments'}${without}`
}

type HomeProps = {
  context: PageContext
  /** The person's roles in the shown scope. */
  roles: readonly Role[]
  reads: QueueReads
  held: HeldTotals | null
  cutOffs: HomeCutOffs
  /** Time (ISO) up to which the payment data is current. */
  readAt: string
  children: ReactNode
}

export function Home({ context, roles, reads, held, cutOffs, readAt, children }: HomeProps) {
  const sections = buildQueueSections(reads, roles)
  const queues = (
    <>
      {sections.length === 0 && <AllDone cutOff={cutOffs.held} />}
      {sections.length > 0 && !sections[0]?.mine && <p className="text-ink-2">{nothingForYou(roles)}</p>}
      {sections.map((part) => (
        <QueueSectionView key={part.title} part={part} />
      ))}
    </>
  )
  return (
    <ListFrame follows={followedResources}>
      <PageHeader
        title="Queue"
        meta={context.account === null && `across ${context.needsAccount ? 'your' : 'all'} accounts`}
        actions={
          <>
            <Updating />
            <PendingChanges>{null}</PendingChanges>
            <AgeChip at={readAt} limit={120_000} />
            <RefreshList />
          </>
        }
      />
      <HeadLine summary={summarize(reads, roles)} held={held} cutOffs={cutOffs} />
      <Dimmed>
        <div className="grid gap-6 pt-4">
          <StableQueues given={{ shape: toLayoutShape(reads), queues }} />
          {children}
        </div>
      </Dimmed>
    </ListFrame>
  )
}

/** The resources whose changes refresh the page. */
const followedResources = ['payments', 'paykeys', 'customers', 'accounts', 'capability_requests', 'actions']

const toLayoutShape = (reads: QueueReads) =>
  queueIds.flatMap((id) => {
    const read = reads[id]
    return read.ok ? [{ id, total: read.group.total, keys: read.group.rows.map(({ key }) => key) }] : []
  })

const nothingForYou = (roles: readonly Role[]) =>
  roles.every((role) => role === 'viewer') ? 'You have read-only access. Other roles decide the items below.' : 'Nothing for you.'

const QueueSectionView = ({ part: { title, groups } }: { part: QueueSection }) => (
  <section aria-label={title} className="grid gap-2">
    <h2 className="font-semibold text-ink-2 text-sm">{title}</h2>
    <QueueBoard groups={groups} />
  </section>
)

/** Shown if every queue was read and is empty. */
const AllDone = ({ cutOff }: { cutOff: CutOffTime }) => (
  <EmptyState tone="good" title="All done" className="px-0 py-4">
    <p>
      No payments on hold, no reviews and no unknown outcomes. The next bank cut-off is <RelativeTime at={cutOff.at} /> ({cutOff.name}).
    </p>
  </EmptyState>
)
