import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { bankDay } from '@/lib/dates'
import { newYorkTime } from '@/lib/domain/bank-time'
import { readFor } from '@/lib/server/store/read-for'
import { mirrorPayments as payments, mirrorPaymentSums as sums } from '@/lib/server/store/schema/mirror-payments'
import type { Conditions } from './conditions'
import type { ListInput } from './lists'
import { limitOf, matching, type Place, seesAll, type Viewer } from './query'

/**
 * SQL expressions by which payment sums can be grouped. `day` is the settlement day in New York, `date` the payment date. `since` is not a
 * group: it returns the earliest time at which a payment of the group entered its state (ISO).
 */
const keys = {
  account: payments.accountId,
  type: payments.paymentType,
  status: payments.status,
  source: payments.statusSource,
  code: payments.code,
  refund: payments.isRefund,
  currency: payments.currency,
  paykey: payments.paykeyId,
  date: sql`${payments.paymentDate}::text`,
  day: sql`(${payments.effectiveAt} at time zone 'America/New_York')::date::text`,
  since: sql`min(coalesce(${payments.changedAt}, ${payments.updatedAt}, ${payments.createdAt}))`,
} satisfies Record<string, AnyColumn | SQL>

export type SumKey = keyof typeof keys

type Keys = { [K in SumKey]: K extends 'refund' ? boolean | null : K extends 'type' | 'status' ? string : string | null }

/** The sum of a group of payments. `minor` is in cents. Payments with an unreadable amount are not in it; `unreadable` is their number. */
export type Sum<K extends SumKey> = Pick<Keys, K> & { count: number; minor: number; unreadable: number }

type Asked = ListInput<'payments.search'>

/** The group keys and filters that daily sums support, and the fields of a search that do not filter. */
const keysOfDays: readonly SumKey[] = ['type', 'status', 'source', 'code', 'refund', 'currency', 'date', 'day']
const fieldsOfDays = ['payment_type', 'payment_status', 'min_payment_date', 'max_payment_date', 'min_effective_at']
const paging = ['sort_by', 'sort_order', 'page_number', 'page_size', 'include_metadata']

/** Returns the New York day that starts at this instant; null if the instant is not the start of a day. */
function dayFrom(instant: string): string | null {
  const day = bankDay(Date.parse(instant))
  return newYorkTime(day, '00:00') === Date.parse(instant) ? day : null
}

/** The SQL parts of a sum. The table and its columns are named like those of payments. */
type Source = Readonly<Record<'from' | 'day' | 'where' | 'count' | 'minor' | 'unreadable', SQL>>

async function rowsOf(actor: Viewer, asked: Asked, place: Place, besides?: Conditions): Promise<Source> {
  return {
    from: sql`${payments}`,
    day: keys.day,
    where: await matching('payments.search', asked, actor, place, besides),
    count: sql`count(*)`,
    minor: sql`sum(${payments.amount})`,
    unreadable: sql`count(*) filter (where ${payments.amount} is null)`,
  }
}

/**
 * Returns the SQL parts of a sum over the daily sums; null if these do not support the search. Daily sums do not distinguish accounts, so
 * they are only for people and scopes without an account limit.
 */
async function daysOf(actor: Viewer, asked: Asked, place: Place, by: readonly SumKey[]): Promise<Source | null> {
  const { min_effective_at: from, ...rest } = asked
  const first = from === undefined ? null : dayFrom(from)
  const fields = Object.entries(asked).flatMap(([field, value]) => (value === undefined || paging.includes(field) ? [] : [field]))
  const isTold = by.every((key) => keysOfDays.includes(key)) && fields.every((field) => fieldsOfDays.includes(field))
  if (!isTold || (from !== undefined && first === null) || !seesAll('payments.search', actor, place)) return null
  return {
    from: sql`${sums} as ${payments}`,
    day: sql`settled_on::text`,
    where: await matching('payments.search', rest, actor, place, first === null ? [] : [sql`settled_on >= ${first}`]),
    count: sql`sum(count)`,
    minor: sql`sum(minor)`,
    unreadable: sql`sum(unreadable)`,
  }
}

/**
 * Sums the payments that match a search and that the person can see, in one statement. Uses the daily sums if they support the search,
 * because they have far fewer rows. Otherwise sums the payments. Throws store errors.
 */
export async function sumPayments<K extends SumKey>(
  actor: Viewer,
  asked: Asked,
  place: Place,
  by: readonly K[],
  besides?: Conditions,
): Promise<Sum<K>[]> {
  const source = (besides ? null : await daysOf(actor, asked, place, by)) ?? (await rowsOf(actor, asked, place, besides))
  const names = by.map((key) => sql`${key === 'day' ? source.day : keys[key]} as ${sql.identifier(key)}`)
  const numbers = by.flatMap((key, at) => (key === 'since' ? [] : [sql.raw(String(at + 1))]))
  const comma = sql`, `
  // Returns one JSON value: for the embedded store, reading the fields of rows takes longer than the sum itself.
  const rows = await readFor<{ sums: (Sum<K> & { since?: string | null })[] }>(
    limitOf(actor, place),
    sql`
    select coalesce(json_agg(sums), '[]') as sums from (
      select ${sql.join(names, comma)}, ${source.count}::int as count, coalesce(${source.minor}, 0)::float8 as minor, ${source.unreadable}::int as unreadable
      from ${source.from} where ${source.where} group by ${sql.join(numbers, comma)} having ${source.count} <> 0) sums`,
  )
  return (rows[0]?.sums ?? []).map((row) => (row.since ? { ...row, since: new Date(row.since).toISOString() } : row))
}
