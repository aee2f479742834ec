import type { ReactNode } from 'react'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { PageHeader } from '@/components/kits/layout/page-header'
import { AgeChip, RelativeTime } from '@/components/kits/layout/relative-time'
import {
  DimmedWhileLoading,
  ListFrame,
  RefreshListButton,
  UpdatingText,
} from '@/components/kits/list/frame'
import { PendingChangesStatus } from '@/components/kits/list/pending-changes'
import type { PageContext } from '@/lib/client/page-context'
import type { DatedCutOff } from '@/lib/domain/bank-time'
import { queueIds, queueLabels } from '@/lib/features/home/labels'
import { type HeldTotals, type QueueSummary, summarizeQueues } from '@/lib/features/home/queues'
import { moneyText } from '@/lib/money'
import type { Role } from '@/lib/operations/define'
import {
  buildQueueSections,
  QueueBoard,
  type QueueReadResults,
  type QueueSection,
} from './queue-board'
import { StableQueues } from './stable-queues'

/** The next cut-off times: `held` for decisions on payments on hold, `sameDay` for same-day ACH. */
type HomeCutOffs = { held: DatedCutOff; sameDay: DatedCutOff }

type KeyFiguresProps = {
  summary: QueueSummary
  /** Null if the held payments could not be read. */
  held: HeldTotals | null
  cutOffs: HomeCutOffs
}

function KeyFigures({ summary, held, cutOffs }: KeyFiguresProps) {
  const atLeastSuffix = summary.atLeast || summary.missing.length > 0 ? '+' : ''
  const missingQueuesNote = formatMissingQueues(summary)
  return (
    <dl className="grid min-h-[3.75rem] grid-cols-2 gap-x-6 gap-y-2 border-line border-y py-2 sm:flex sm:flex-wrap sm:gap-x-10">
      {summary.mine > 0 && (
        <KeyFigure name="For you" note={missingQueuesNote}>
          {summary.mine.toLocaleString('en-US')}
          {atLeastSuffix}
        </KeyFigure>
      )}
      {summary.others > 0 && (
        <KeyFigure name="For others" note={summary.mine > 0 ? null : missingQueuesNote}>
          {summary.others.toLocaleString('en-US')}
          {atLeastSuffix}
        </KeyFigure>
      )}
      {summary.oldest && (
        <KeyFigure name="Oldest">
          <RelativeTime at={summary.oldest} show="ago" />
        </KeyFigure>
      )}
      {(held === null || held.count > 0) && (
        <KeyFigure name="Amount on hold" note={formatHeldNote(held)}>
          {formatHeldAmount(held)}
        </KeyFigure>
      )}
      <KeyFigure
        name="Cut-off for held payments"
        note={
          <>
            A payment released by then is sent that day. {cutOffs.sameDay.name}, closes{' '}
            <RelativeTime at={cutOffs.sameDay.at} show="ago" />
          </>
        }
        wide
      >
        <RelativeTime at={cutOffs.held.at} />
      </KeyFigure>
    </dl>
  )
}

const KeyFigure = ({
  name,
  note,
  wide,
  children,
}: {
  name: string
  note?: ReactNode
  wide?: boolean
  children: ReactNode
}) => (
  <div className={wide ? 'min-w-0 max-sm:col-span-2' : 'min-w-0'}>
    <dt className="text-2xs text-ink-3">{name}</dt>
    <dd className="font-semibold text-lg tabular-nums">{children}</dd>
    {note && <dd className="text-2xs text-ink-3">{note}</dd>}
  </div>
)

const formatMissingQueues = ({ missing }: QueueSummary): string | null =>
  missing.length > 0
    ? `without ${missing.map((id) => queueLabels[id].title.toLowerCase()).join(', ')}`
    : null

const formatHeldAmount = (held: HeldTotals | null): ReactNode =>
  held === null ? (
    <span className="text-held">unknown</span>
  ) : (
    <>
      {moneyText(held.sum)}
      {held.atLeast && '+'}
    </>
  )

function formatHeldNote(held: HeldTotals | null): string {
  if (held === null) return 'held payments could not be read'
  const unreadableSuffix =
    held.unreadable > 0 ? `, ${held.unreadable} of them in no readable amount` : ''
  return `in ${held.count.toLocaleString('en-US')} ${held.count === 1 ? 'payment' : 'payments'}${unreadableSuffix}`
}

type HomeProps = {
  context: PageContext
  /** The person's roles in the accounts of this page. */
  roles: readonly Role[]
  reads: QueueReadResults
  held: HeldTotals | null
  cutOffs: HomeCutOffs
  /** Time (ISO) up to which the payment data is current. */
  readAt: string
  children: ReactNode
}

export function Home({ context, roles, reads, held, cutOffs, readAt, children }: HomeProps) {
  const sections = buildQueueSections(reads, roles)
  const queueSectionsContent = (
    <>
      {sections.length === 0 && <AllQueuesEmpty cutOff={cutOffs.held} />}
      {sections.length > 0 && !sections[0]?.mine && (
        <p className="text-ink-2">{formatNoQueuesText(roles)}</p>
      )}
      {sections.map((part) => (
        <QueueSectionView key={part.title} part={part} />
      ))}
    </>
  )
  return (
    <ListFrame follows={followedResources}>
      <PageHeader
        title="Home"
        meta={
          context.account === null &&
          context.integration !== 'account' &&
          `across ${context.needsAccount ? 'your' : 'all'} accounts`
        }
        actions={
          <>
            <UpdatingText />
            <PendingChangesStatus>{null}</PendingChangesStatus>
            <AgeChip at={readAt} limit={120_000} />
            <RefreshListButton />
          </>
        }
      />
      <KeyFigures summary={summarizeQueues(reads, roles)} held={held} cutOffs={cutOffs} />
      <DimmedWhileLoading>
        <div className="grid gap-6 pt-4">
          <StableQueues given={{ shape: toQueueRowKeys(reads), queues: queueSectionsContent }} />
          {children}
        </div>
      </DimmedWhileLoading>
    </ListFrame>
  )
}

/** The resources whose changes refresh the page. */
const followedResources = [
  'payments',
  'paykeys',
  'customers',
  'accounts',
  'capability_requests',
  'actions',
]

const toQueueRowKeys = (reads: QueueReadResults) =>
  queueIds.flatMap((id) => {
    const read = reads[id]
    return read.ok
      ? [{ id, total: read.group.total, keys: read.group.rows.map(({ key }) => key) }]
      : []
  })

const formatNoQueuesText = (roles: readonly Role[]) =>
  roles.every((role) => role === 'viewer')
    ? 'You have read-only access. Other roles decide the items below.'
    : 'Nothing for you.'

const QueueSectionView = ({ part: { title, groups } }: { part: QueueSection }) => (
  <section aria-label={title} className="grid gap-2">
    <h2 className="font-semibold text-ink-2 text-sm">{title}</h2>
    <QueueBoard groups={groups} />
  </section>
)

const AllQueuesEmpty = ({ cutOff }: { cutOff: DatedCutOff }) => (
  <EmptyState tone="good" title="All done" className="py-4">
    <p>
      No payments on hold, no reviews and no unknown outcomes. The next bank cut-off is{' '}
      <RelativeTime at={cutOff.at} /> ({cutOff.name}).
    </p>
  </EmptyState>
)
