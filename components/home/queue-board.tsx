import type { ReactNode } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { isMine, type QueueId, queueIds, queueLabels, waitsFor } from '@/lib/features/home/labels'
import { type QueueRead, splitAt } from '@/lib/features/home/queues'
import type { Role } from '@/lib/operations/define'
import { QueueGroupCard, ReadAgain } from './queue-rows'

type Failed = Extract<QueueRead, { ok: false }>

/** An error in place of a queue that could not be read, so that the queue does not look empty. */
const GroupFailed = ({ id, read }: { id: QueueId; read: Failed }) => (
  <ErrorNotice
    what={`${queueLabels[id].title}: could not be read`}
    error={read.error}
    requestId={read.requestId}
    actions={<ReadAgain what={queueLabels[id].title} />}
  />
)

export type QueueReads = Readonly<Record<QueueId, QueueRead>>

type Placed = { id: QueueId; rows: number; node: ReactNode }

const isEmpty = (read: QueueRead) => read.ok && read.group.total === 0 && !read.group.atLeast

/** Returns the card of a queue; null if the queue is empty. */
function buildQueueCard(id: QueueId, read: QueueRead, mine: boolean): Placed | null {
  if (isEmpty(read)) return null
  if (!read.ok) return { id, rows: 2, node: <GroupFailed id={id} read={read} /> }
  return { id, rows: read.group.rows.length, node: <QueueGroupCard group={read.group} title={queueLabels[id].title} mine={mine} /> }
}

/** A section of the page: the queues that wait for the same roles. */
export type QueuePart = { title: string; mine: boolean; groups: Placed[] }

/** Returns the sections of the page: first the person's own queues, then the others by the roles they wait for. */
export function partsOf(reads: QueueReads, held: readonly Role[]): QueuePart[] {
  const sections = new Map<string, QueuePart>()
  for (const id of queueIds.toSorted((a, b) => Number(isMine(b, held)) - Number(isMine(a, held)))) {
    const mine = isMine(id, held)
    const found = buildQueueCard(id, reads[id], mine)
    if (!found) continue
    const title = mine ? 'For you' : `For ${waitsFor(id)}`
    const section = sections.get(title) ?? { title, mine, groups: [] }
    sections.set(title, { ...section, groups: [...section.groups, found] })
  }
  return [...sections.values()]
}

/** The queues in two columns; the second continues the first. Narrow windows have one column. */
export function QueueBoard({ groups }: { groups: readonly Placed[] }) {
  const at = splitAt(groups.map(({ rows }) => rows))
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      {[groups.slice(0, at), groups.slice(at)].map(
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
