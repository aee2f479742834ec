import type { PaymentDeadline } from '@/lib/domain/bank-time'
import type { WireError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Role } from '@/lib/operations/define'
import { canProcessQueue, type QueueId, queueIds } from './labels'

/**
 * The held payments that wait for the decision on a row: their number, and their sum in minor
 * units.
 */
export type WaitingPayments = { count: number; sum: number }

/**
 * A row of a queue.
 * - `since`: the time at which the row began to wait.
 * - `due`: the deadline for the decision.
 * - `account`: `acct_…`; null if unknown, missing if the row does not show it.
 * - `amount`: the amount in the format of the service.
 * - `waiting`: the payments that wait for this row; null if they could not be read.
 * - `tail`: the end of the title, which must stay visible when the title is truncated.
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
 * A queue with its first rows, sorted by the next cut-off or by age. `total` is the number of all
 * rows. `atLeast`: there may be more, because each of the `unreadable` rows may belong to the
 * queue. `oldest` is the time at which the longest-waiting row began to wait.
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
export type QueueRead =
  | { ok: true; group: QueueGroup }
  | { ok: false; error: WireError; requestId: string }

/** Maximum number of rows that the home page shows of a queue. */
export const rowsPerQueue = 5

/**
 * The number and the sum of the payments on hold. `atLeast`: there may be more, because not all
 * could be read. `unreadable` is the number of payments that the sum leaves out, because their
 * amount is unknown or not in US dollars.
 */
export type HeldTotals = { count: number; sum: number; atLeast: boolean; unreadable: number }

/**
 * The summary at the top of the home page.
 * - `mine`: number of rows that the person can process; `others`: number of all other rows.
 * - `oldest`: since when the oldest of the person's rows waits; if there are none, the oldest of
 *   all rows.
 * - `atLeast`: there may be more rows, because a queue was not counted completely.
 * - `missing`: the queues that could not be read.
 */
export type QueueSummary = {
  mine: number
  others: number
  oldest: string | null
  atLeast: boolean
  missing: QueueId[]
}

/** Returns the summary of the queues for a person with the given roles. */
export function summarizeQueues(
  reads: Readonly<Partial<Record<QueueId, QueueRead>>>,
  personRoles: readonly Role[],
): QueueSummary {
  const groups = queueIds.flatMap((id) => (reads[id]?.ok ? [reads[id].group] : []))
  const ownGroups = groups.filter((group) => canProcessQueue(group.id, personRoles))
  const sumTotals = (list: readonly QueueGroup[]) =>
    list.reduce((sum, group) => sum + group.total, 0)
  const oldestTimes = (ownGroups.some((group) => group.total > 0) ? ownGroups : groups).flatMap(
    (group) => group.oldest ?? [],
  )
  return {
    mine: sumTotals(ownGroups),
    others: sumTotals(groups) - sumTotals(ownGroups),
    oldest: oldestTimes.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
    atLeast: groups.some((group) => group.atLeast),
    missing: queueIds.filter((id) => reads[id]?.ok === false),
  }
}

/** Returns the height of a queue: each row has the height 1, and the heading 1.5. */
const getQueueHeight = (rowCount: number) => 1.5 + rowCount

/**
 * Splits a list of queues, without changing their order, into two columns of similar height. Takes
 * the number of rows of each queue. Returns the number of queues in the first column.
 */
export function findColumnSplit(rowCounts: readonly number[]): number {
  const heights = rowCounts.map(getQueueHeight)
  const totalHeight = heights.reduce((sum, height) => sum + height, 0)
  let bestSplit = { at: rowCounts.length, high: totalHeight }
  let firstColumnHeight = 0
  for (const [at, height] of heights.entries()) {
    firstColumnHeight += height
    const tallerHeight = Math.max(firstColumnHeight, totalHeight - firstColumnHeight)
    if (tallerHeight < bestSplit.high) bestSplit = { at: at + 1, high: tallerHeight }
  }
  return bestSplit.at
}
