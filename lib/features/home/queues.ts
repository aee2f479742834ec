import type { PaymentDeadline } from '@/lib/domain/bank-time'
import type { WireError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Role } from '@/lib/operations/define'
import { canProcessQueue, type QueueId, queueIds } from './labels'

/** The payments that wait for a row's decision: their number, and their sum in minor units. */
export type WaitingPayments = { count: number; sum: number }

/**
 * A row of a queue.
 * - `since`: when it began to wait.
 * - `due`: until when a decision has an effect in time.
 * - `account`: `acct_…`, null if unknown, missing if the row needs none.
 * - `amount`: as the service wrote it.
 * - `waiting`: null if the payments that wait for it could not be read.
 * - `tail`: the end of the title, which is never truncated.
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
  due?: PaymentDeadline
  waiting?: WaitingPayments | null
  code?: string
}

/**
 * A queue with its first rows, sorted by the next cut-off or by age. `total` is the known number of rows. `atLeast`: there may be more,
 * because any of the `unreadable` rows may belong to the queue. `oldest` is when the row that waits longest began to wait.
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

/** A queue, or the error of its read. */
export type QueueRead = { ok: true; group: QueueGroup } | { ok: false; error: WireError; requestId: string }

/** Number of rows of a queue on the first page. */
export const rowsPerQueue = 5

/** The payments on hold. `atLeast`: not all were read. `unreadable`: number of those with an unknown amount or currency. */
export type HeldTotals = { count: number; sum: number; atLeast: boolean; unreadable: number }

/**
 * The summary at the top of the page: the number of rows for the reader (`mine`) and for others, and since when the oldest waits.
 * `atLeast`: at least one queue was not counted completely.
 */
export type QueueSummary = { mine: number; others: number; oldest: string | null; atLeast: boolean; missing: QueueId[] }

/** Returns the summary of the queues for a person with the roles `held`. `missing` lists the queues that could not be read. */
export function summarizeQueues(reads: Readonly<Partial<Record<QueueId, QueueRead>>>, held: readonly Role[]): QueueSummary {
  const groups = queueIds.flatMap((id) => (reads[id]?.ok ? [reads[id].group] : []))
  const ownGroups = groups.filter((group) => canProcessQueue(group.id, held))
  const count = (list: readonly QueueGroup[]) => list.reduce((sum, group) => sum + group.total, 0)
  const times = (ownGroups.some((group) => group.total > 0) ? ownGroups : groups).flatMap((group) => group.oldest ?? [])
  return {
    mine: count(ownGroups),
    others: count(groups) - count(ownGroups),
    oldest: times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
    atLeast: groups.some((group) => group.atLeast),
    missing: queueIds.filter((id) => reads[id]?.ok === false),
  }
}

/** Returns the height of a queue in lines: its heading and its rows. */
const getQueueHeight = (rows: number) => 1.5 + rows

/**
 * Splits queues, in their order, into two columns of similar height. `rows` are the numbers of rows that they show. Returns the number of
 * queues in the first column.
 */
export function findColumnSplit(rows: readonly number[]): number {
  const heights = rows.map(getQueueHeight)
  const totalHeight = heights.reduce((sum, height) => sum + height, 0)
  let bestSplit = { at: rows.length, high: totalHeight }
  let firstColumnHeight = 0
  for (const [at, height] of heights.entries()) {
    firstColumnHeight += height
    const tallerHeight = Math.max(firstColumnHeight, totalHeight - firstColumnHeight)
    if (tallerHeight < bestSplit.high) bestSplit = { at: at + 1, high: tallerHeight }
  }
  return bestSplit.at
}
