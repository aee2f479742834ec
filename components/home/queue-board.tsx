import type { ReactNode } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import {
  canProcessQueue,
  formatWaitingRoles,
  type QueueId,
  queueIds,
  queueLabels,
} from '@/lib/features/home/labels'
import { findColumnSplit, type QueueReadResult } from '@/lib/features/home/queues'
import type { Role } from '@/lib/operations/define'
import { QueueGroupCard, RetryButton } from './queue-rows'

type FailedQueueReadResult = Extract<QueueReadResult, { ok: false }>

/** An error in place of a queue that could not be read, so that the queue does not look empty. */
const FailedQueueCard = ({ id, read }: { id: QueueId; read: FailedQueueReadResult }) => (
  <ErrorNotice
    what={`${queueLabels[id].title}: could not be read`}
    error={read.error}
    requestId={read.requestId}
    actions={<RetryButton what={queueLabels[id].title} />}
  />
)

export type QueueReadResults = Readonly<Record<QueueId, QueueReadResult>>

type QueueCard = { id: QueueId; rows: number; node: ReactNode }

const isQueueEmpty = (read: QueueReadResult) =>
  read.ok && read.group.total === 0 && !read.group.atLeast

function buildQueueCard(id: QueueId, read: QueueReadResult, isOwn: boolean): QueueCard | null {
  if (isQueueEmpty(read)) return null
  if (!read.ok) return { id, rows: 2, node: <FailedQueueCard id={id} read={read} /> }
  return {
    id,
    rows: read.group.rows.length,
    node: <QueueGroupCard group={read.group} title={queueLabels[id].title} mine={isOwn} />,
  }
}

/** The queues that the same roles process. `mine`: the person can process them. */
export type QueueSection = { title: string; mine: boolean; groups: QueueCard[] }

/** The person's own queues come first; the others are grouped by the roles that process them. */
export function buildQueueSections(
  reads: QueueReadResults,
  roles: readonly Role[],
): QueueSection[] {
  const sectionsByTitle = new Map<string, QueueSection>()
  for (const id of queueIds.toSorted(
    (a, b) => Number(canProcessQueue(b, roles)) - Number(canProcessQueue(a, roles)),
  )) {
    const isOwnQueue = canProcessQueue(id, roles)
    const card = buildQueueCard(id, reads[id], isOwnQueue)
    if (!card) continue
    const title = isOwnQueue ? 'For you' : `For ${formatWaitingRoles(id)}`
    const section = sectionsByTitle.get(title) ?? { title, mine: isOwnQueue, groups: [] }
    sectionsByTitle.set(title, { ...section, groups: [...section.groups, card] })
  }
  return [...sectionsByTitle.values()]
}

/** The second column continues the first. Narrow windows have one column. */
export function QueueBoard({ groups }: { groups: readonly QueueCard[] }) {
  const splitIndex = findColumnSplit(groups.map(({ rows }) => rows))
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      {[groups.slice(0, splitIndex), groups.slice(splitIndex)].map(
        (column) =>
          column.length > 0 && (
            <div key={column[0]?.id} className="grid min-w-0 gap-4">
              {column.map(({ id, node }) => (
                <div key={id} className="min-w-0">
                  {node}
                </div>
              ))}
            </div>
          ),
      )}
    </div>
  )
}
