import type { WireError } from '@/lib/errors'
import { provers, type Role } from '@/lib/operations/define'
import { rowOf } from '@/lib/operations/rows'
import type { Due } from './bank-time'
import { rolesText } from './permissions'

/** The queues of the desk, the most urgent first: what is not known, then money that stands still, then what stands behind it. */
export const workIds = [
  'outcomes',
  'payouts_held',
  'charges_held',
  'paykeys_review',
  'customers_review',
  'paykeys_unblockable',
  'returned',
  'accounts_created',
  'capability_requests',
  'accounts_onboarding',
] as const

/** One queue of the desk. */
export type WorkId = (typeof workIds)[number]

/** What stands behind a row: how many payments wait for it, and their sum in minor units. */
export type Waiting = { count: number; sum: number }

/**
 * One thing that waits. `since` is when it began to wait; `due` until when a decision still helps; `account` is `acct_…`, null where it is not
 * known, left out where the row says it itself. `amount` is as the service wrote it. `waiting` is null where the payments behind it could not be
 * read. `tail` is the end of the title that must never be cut off.
 */
export type WorkRow = {
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
 * A queue with its first rows, the nearest cut-off or the oldest first. `total` is the service's own count; `atLeast` says that more may wait
 * than could be counted. `oldest` is when the longest-waiting began to wait. `note` says what was left out.
 */
export type WorkGroup = {
  id: WorkId
  total: number
  atLeast: boolean
  rows: WorkRow[]
  oldest: string | null
  href: string
  readAt: string
  note?: string
}

/** A queue as it was read, or why it could not be. */
export type WorkRead = { ok: true; group: WorkGroup } | { ok: false; error: WireError; requestId: string }

/** Rows of a queue that stand on the first page. */
export const workRows = 5

/** How a queue is told, and whose it is: `who` may take a row out of it. Null: nobody here can, it waits for the provider. */
export type WorkWords = { title: string; who: readonly Role[] | null }

const may = (operation: Parameters<typeof rowOf>[0]) => rowOf(operation).allow

/** The words and the rule of every queue. */
export const workWords: Readonly<Record<WorkId, WorkWords>> = {
  outcomes: { title: 'Outcome unknown', who: provers },
  payouts_held: { title: 'Held payouts', who: may('payouts.release') },
  charges_held: { title: 'Held charges', who: may('charges.release') },
  paykeys_review: { title: 'Paykeys in review', who: may('paykeys.decide') },
  customers_review: { title: 'Customers in review', who: may('customers.decide') },
  paykeys_unblockable: { title: 'Paykeys that can be unblocked', who: may('paykeys.unblock') },
  returned: { title: 'Failed and reversed, last 7 days', who: may('payouts.resubmit') },
  accounts_created: { title: 'Accounts to onboard', who: may('accounts.onboard') },
  capability_requests: { title: 'Capability requests open', who: null },
  accounts_onboarding: { title: 'Accounts being onboarded', who: null },
}

/** Whether somebody with these roles can take rows out of a queue. */
export const isMine = (id: WorkId, held: readonly Role[]): boolean => workWords[id].who?.some((role) => held.includes(role)) ?? false

/** Who a queue waits for, in words: `an operator or an admin`. */
export function waitsFor(id: WorkId): string {
  const { who } = workWords[id]
  return who ? rolesText(who) : 'the provider’s compliance'
}

/** Payments on hold in one sum. `atLeast`: not every one was read; `unreadable` ones have an amount that was not understood. */
export type Held = { count: number; sum: number; atLeast: boolean; unreadable: number }

/** The head of the page: what waits for the reader, what waits for others, and since when. `atLeast`: some queue could not be counted whole. */
export type WorkSummary = { mine: number; others: number; oldest: string | null; atLeast: boolean; missing: WorkId[] }

/** Sums up the queues that were read, for somebody with these roles; `missing` names those that were not. */
export function summarize(reads: Readonly<Partial<Record<WorkId, WorkRead>>>, held: readonly Role[]): WorkSummary {
  const groups = workIds.flatMap((id) => (reads[id]?.ok ? [reads[id].group] : []))
  const mine = groups.filter((group) => isMine(group.id, held))
  const count = (list: readonly WorkGroup[]) => list.reduce((sum, group) => sum + group.total, 0)
  const times = (mine.some((group) => group.total > 0) ? mine : groups).flatMap((group) => group.oldest ?? [])
  return {
    mine: count(mine),
    others: count(groups) - count(mine),
    oldest: times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
    atLeast: groups.some((group) => group.atLeast),
    missing: workIds.filter((id) => reads[id]?.ok === false),
  }
}

/** The height of a queue on the page, in lines: its head and its rows, the last of which may say that there are more. */
const linesOf = (rows: number) => 1.5 + rows

/**
 * Cuts queues in their order into two columns of about equal height, so that reading down the first and then the second keeps the order.
 * `rows` are the rows each one draws. Gives how many stand in the first column.
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
