import 'server-only'
import { timeOf } from '@/lib/dates'
import type { Desk } from '@/lib/operations/desk'
import { knownAccountsOf } from './account-of'
import { learnAccountsOf, type Swept } from './account-sweep'
import type { Found } from './work-read'

/** The earliest of some ISO times; null where there is none that can be read. */
export function oldestOf(times: readonly (string | null | undefined)[]): string | null {
  const known = times.flatMap((time) => (time && timeOf(time) !== null ? [time] : []))
  return known.reduce<string | null>((oldest, time) => (oldest === null || Date.parse(time) < Date.parse(oldest) ? time : oldest), null)
}

const unknownIn = (found: readonly { account: string | null }[]) => found.some(({ account }) => account === null)

/**
 * The rows with the accounts they belong to, as far as those were learnt. Where one is not known, `sweep` has every account asked for its own
 * (once a minute at most, and the page waits a moment only); what is not known then is shown as unknown.
 */
export async function withAccounts<R>(
  desk: Desk,
  found: readonly Found<R>[],
  targetOf: (row: R) => string,
  sweep?: Swept,
): Promise<Found<R>[]> {
  const look = async (): Promise<Found<R>[]> => {
    const asked = found.filter(({ account }) => account === null).map(({ row }) => targetOf(row))
    const known = asked.length > 0 ? await knownAccountsOf(desk, asked) : {}
    return found.map(({ row, account }) => ({ row, account: account ?? known[targetOf(row)] ?? null }))
  }
  const first = await look()
  if (!sweep || !unknownIn(first)) return first
  await learnAccountsOf(desk, sweep)
  return look()
}
