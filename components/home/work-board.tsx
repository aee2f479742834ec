import type { ReactNode } from 'react'
import { isMine, splitAt, type WorkId, type WorkRead, waitsFor, workIds, workRows, workWords } from '@/lib/domain/work'
import type { Role } from '@/lib/operations/define'
import { GroupFailed } from './group-failed'
import { LateGroup } from './late-group'
import { WorkGroup } from './work-group'

/** The queues as they came: those that were read in time, and the readings of all. */
export type WorkReads = { early: Readonly<Partial<Record<WorkId, WorkRead>>>; all: Readonly<Record<WorkId, Promise<WorkRead>>> }

type Placed = { id: WorkId; rows: number; node: ReactNode }

const isEmpty = (read: WorkRead) => read.ok && read.group.total === 0 && !read.group.note

/** A queue in its place; null for one in which nothing waits: only what is there is drawn. */
function place(id: WorkId, { early, all }: WorkReads, mine: boolean): Placed | null {
  const read = early[id]
  if (!read) return { id, rows: workRows, node: <LateGroup id={id} mine={mine} reading={all[id]} /> }
  if (isEmpty(read)) return null
  if (!read.ok) return { id, rows: 2, node: <GroupFailed id={id} read={read} /> }
  return { id, rows: read.group.rows.length, node: <WorkGroup group={read.group} title={workWords[id].title} mine={mine} /> }
}

/** A part of the page: whose queues they are, and the queues. */
export type WorkPart = { title: string; mine: boolean; groups: Placed[] }

/** The queues in parts: those of the reader, then those of others, by whom they wait for. In each part the late ones are last. */
export function partsOf(reads: WorkReads, held: readonly Role[]): WorkPart[] {
  const inOrder = [...workIds.filter((id) => reads.early[id]), ...workIds.filter((id) => !reads.early[id])]
  const parts = new Map<string, WorkPart>()
  for (const id of inOrder.toSorted((a, b) => Number(isMine(b, held)) - Number(isMine(a, held)))) {
    const mine = isMine(id, held)
    const found = place(id, reads, mine)
    if (!found) continue
    const title = mine ? 'Waits for you' : `Waits for ${waitsFor(id)}`
    const part = parts.get(title) ?? { title, mine, groups: [] }
    parts.set(title, { ...part, groups: [...part.groups, found] })
  }
  return [...parts.values()]
}

/** Queues in two columns, read down the first and then the second; one column where the window is narrow. */
export function WorkBoard({ groups }: { groups: readonly Placed[] }) {
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
