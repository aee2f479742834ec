import type { PaymentDeadline } from '@/lib/domain/bank-time'
import type { WireError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Role } from '@/lib/operations/define'
import { canProcessQueue, type QueueId, queueIds } from './labels'

/** Held payments that wait for the decision on a row. `sum` is in minor units. */
export type WaitingPaymentTotals = { count: number; sum: number }

/**
 * `since`: when the row began to wait. `account`: `acct_…`; null if unknown, missing if not shown.
 * `waiting`: payments that wait for this row; null if they could not be read. `tail`: end of the
 * title, which must stay visible when the title is truncated. `awaitsApproval`: an action on the
 * row's object awaits the approval of a second person.
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
  waiting?: WaitingPaymentTotals | null
  code?: string
  awaitsApproval?: boolean
}

/**
 * `atLeast`: there may be more rows, because each of the `unreadable` ones may belong to the queue.
 * `oldest`: the time at which the longest-waiting row began to wait.
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

export type QueueReadResult =
  | { ok: true; group: QueueGroup }
  | { ok: false; error: WireError; requestId: string }

export const rowsPerQueue = 5

/** `unreadable`: payments not in `sum`, because their amount is unknown or not in US dollars. */
export type HeldTotals = { count: number; sum: number; atLeast: boolean; unreadable: number }

/**
 * `mine`: rows that the person can process. `oldest`: since when the oldest of these waits; if
 * there are none, the oldest of all rows. `missing`: queues that could not be read.
 */
export type QueueSummary = {
  mine: number
  others: number
  oldest: string | null
  atLeast: boolean
  missing: QueueId[]
}

export function summarizeQueues(
  reads: Readonly<Partial<Record<QueueId, QueueReadResult>>>,
  personRoles: readonly Role[],
): QueueSummary {
  const readableGroups = queueIds.flatMap((id) => (reads[id]?.ok ? [reads[id].group] : []))
  const ownGroups = readableGroups.filter((group) => canProcessQueue(group.id, personRoles))
  const sumTotals = (queueGroups: readonly QueueGroup[]) =>
    queueGroups.reduce((sum, group) => sum + group.total, 0)
  const oldestTimes = (
    ownGroups.some((group) => group.total > 0) ? ownGroups : readableGroups
  ).flatMap((group) => group.oldest ?? [])
  return {
    mine: sumTotals(ownGroups),
    others: sumTotals(readableGroups) - sumTotals(ownGroups),
    oldest: oldestTimes.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
    atLeast: readableGroups.some((group) => group.atLeast),
    missing: queueIds.filter((id) => reads[id]?.ok === false),
  }
}

/** The heading is as high as 1.5 rows. */
const getQueueHeight = (rowCount: number) => 1.5 + rowCount

/** Splits queues, in order, into columns of similar height. Returns how many are in the first. */
export function findColumnSplit(rowCounts: readonly number[]): number {
  const queueHeights = rowCounts.map(getQueueHeight)
  const totalHeight = queueHeights.reduce((sum, height) => sum + height, 0)
  let bestSplit = { at: rowCounts.length, high: totalHeight }
  let firstColumnHeight = 0
  for (const [at, height] of queueHeights.entries()) {
    firstColumnHeight += height
    const tallerHeight = Math.max(firstColumnHeight, totalHeight - firstColumnHeight)
    if (tallerHeight < bestSplit.high) bestSplit = { at: at + 1, high: tallerHeight }
  }
  return bestSplit.at
}
