import type { Due } from '@/lib/domain/bank-time'
import type { WireError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Role } from '@/lib/operations/define'
import { isMine, type QueueId, queueIds } from './labels'

/** What is behind a row: how many payments wait for it, and their sum in minor units. */
export type Waiting = { count: number; sum: number }

/**
 * One thing that waits. `since` is when it began to wait; `due` until when a decision still helps; `account` is `acct_…`, null where it is not
 * known, left out where the row says it itself. `amount` is as the service wrote it. `waiting` is null where the payments behind it could not be
 * read. `tail` is the end of the title that must never be cut off.
 */
export type QueueRow = {
  key: string
  href: string
  title: string
  tail?: string
  line: string
  since: string | null
  account?: string | null
  amount?: { raw: string; currency: string }
  due?: Due
  waiting?: Waiting | null
  code?: string
}

/**
 * A queue with its first rows, the nearest cut-off or the oldest first. `total` is how many are known to wait; `atLeast` says that more may, because
 * something came that could not be read: those `unreadable` rows may be any. `oldest` is when the longest-waiting began to wait.
 */
export type QueueGroup = {
  id: QueueId
  total: number
  atLeast: boolean
  rows: QueueRow[]
  unreadable?: readonly UnreadableRow[]
  oldest: string | null
  href: string
  readAt: string
}

/** A queue as it was read, or why it could not be. */
export type QueueRead = { ok: true; group: QueueGroup } | { ok: false; error: WireError; requestId: string }

/** Rows of a queue that are on the first page. */
export const queueRows = 5

/** Payments on hold in one sum. `atLeast`: not every one was read; `unreadable` ones have an amount or currency that was not understood. */
export type Held = { count: number; sum: number; atLeast: boolean; unreadable: number }

/** The head of the page: what waits for the reader, what waits for others, and since when. `atLeast`: some queue could not be counted whole. */
export type QueueSummary = { mine: number; others: number; oldest: string | null; atLeast: boolean; missing: QueueId[] }

/** Sums up the queues, for somebody with these roles; `missing` names those that could not be read. */
export function summarize(reads: Readonly<Partial<Record<QueueId, QueueRead>>>, held: readonly Role[]): QueueSummary {
  const groups = queueIds.flatMap((id) => (reads[id]?.ok ? [reads[id].group] : []))
  const mine = groups.filter((group) => isMine(group.id, held))
  const count = (list: readonly QueueGroup[]) => list.reduce((sum, group) => sum + group.total, 0)
  const times = (mine.some((group) => group.total > 0) ? mine : groups).flatMap((group) => group.oldest ?? [])
  return {
    mine: count(mine),
    others: count(groups) - count(mine),
    oldest: times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
    atLeast: groups.some((group) => group.atLeast),
    missing: queueIds.filter((id) => reads[id]?.ok === false),
  }
}

/** The height of a queue on the page, in lines: its head and its rows, the last of which may say that there are more. */
const linesOf = (rows: number) => 1.5 + rows

/**
 * Cuts queues in their order into two columns of about equal height, so that reading down the first and then the second keeps the order.
 * `rows` are the rows each one draws. Gives how many are in the first column.
 */
export function splitAt(rows: readonly number[]): number {
  const heights = rows.map(linesOf)
  const all = heights.reduce((sum, height) => sum + height, 0)
  let best = { at: rows.length, high: all }
  let first = 0
  for (const [at, height] of heights.entries()) {
    first += height
    const high = Math.max(first, all - first)
    if (high < best.high) best = { at: at + 1, high }
  }
  return best.at
}
