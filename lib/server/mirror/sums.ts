import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { mirrorPayments as payments } from '@/lib/server/store/mirror-schema'
import { database } from '@/lib/server/store/store'
import type { Conditions } from './conditions'
import type { ListInput } from './lists'
import { matching, type Place, type Viewer } from './query'

/** What payments are added up by; `day` is that of their settlement in New York, `date` their payment date. */
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
} satisfies Record<string, AnyColumn | SQL>

export type SumKey = keyof typeof keys

type Keys = { [K in SumKey]: K extends 'refund' ? boolean | null : K extends 'type' | 'status' ? string : string | null }

/** Payments that are alike in what they are added up by. `minor` is the sum of the amounts that could be read, in cents, `unreadable` counts the others, and `since` (ISO) is when the first of them came into its state. */
export type Sum<K extends SumKey> = Pick<Keys, K> & { count: number; minor: number; unreadable: number; since: string | null }

/** Adds up the payments a search finds that somebody may see in a place, in one statement, however many they are. Throws what the store throws. */
export async function sumPayments<K extends SumKey>(
  actor: Viewer,
  asked: ListInput<'payments.search'>,
  place: Place,
  by: readonly K[],
  besides?: Conditions,
): Promise<Sum<K>[]> {
  const where = await matching('payments.search', asked, actor, place, besides)
  const names = by.map((key) => sql`${keys[key]} as ${sql.identifier(key)}`)
  const numbers = by.map((_, at) => sql.raw(String(at + 1)))
  const comma = sql`, `
  const db = await database()
  // As one value: reading it field by field costs the embedded store more than adding up.
  const { rows } = (await db.execute(sql`
    select coalesce(json_agg(sums), '[]') as sums from (
      select ${sql.join(names, comma)}, count(*)::int as count, coalesce(sum(${payments.amount}), 0)::float8 as minor,
        (count(*) filter (where ${payments.amount} is null))::int as unreadable,
        min(coalesce(${payments.changedAt}, ${payments.updatedAt}, ${payments.createdAt})) as since
      from ${payments} where ${where} group by ${sql.join(numbers, comma)}) sums`)) as unknown as { rows: [{ sums: Sum<K>[] }] }
  return rows[0].sums.map((row) => ({ ...row, since: row.since && new Date(row.since).toISOString() }))
}
