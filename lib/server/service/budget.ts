import 'server-only'
import { eq, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { Priority } from '@/lib/server/auth/scoped-account'
import { serviceBudgets } from '@/lib/server/store/quota-schema'
import { database } from '@/lib/server/store/store'

export type Calls = Record<Priority, number>

/**
 * What a taking came to: the calls that may be made now, how many a second are allowed at present and were used in the last, when the service last refused
 * one, and the seconds of a pause it asked for.
 */
export type Taken = { calls: Calls; allowed: number; used: number; refusedAt: Date | null; pausedSeconds: number }

/**
 * Eleven slots of a tenth of a second, the current one among them: what is counted is never less than the last whole second, however the service
 * cuts its own seconds.
 */
const slots = 11
/** The part of the limit that each priority may fill. What is left over belongs to the more urgent ones. */
const shares: Calls = { write: 1, read: 0.6, background: 0.5 }
/** The longest a service may silence us (seconds). */
export const longestPause = 60
/** After a refusal a tenth of the limit comes back with each of these (seconds). */
const regrowEvery = 5
const leastShare = 0.1

/** The part of the limit to go by at an instant. A clock that was set back takes nothing away. */
const shareAt = (share: unknown, since: unknown, at: unknown) =>
  sql`least(1, ${share} + 0.1 * greatest(0, floor(extract(epoch from ${at} - ${since}) / ${regrowEvery})))`

async function ensureRow(environment: Environment): Promise<void> {
  const db = await database()
  await db
    .insert(serviceBudgets)
    .values({ environment, slots: Array<number>(slots).fill(0), slot: 0 })
    .onConflictDoNothing()
}

type Row = Calls & { allowed: number; used: number; refused: number | null; paused: number }

/**
 * Takes calls out of the budget all instances share, in one statement: as many of the wanted as the last second leaves room for, the urgent first.
 * The row is locked before it is counted, and the store's clock counts. A slot or a pause out of the future, left by a clock that was set back, is
 * not believed. Throws what the store throws.
 */
export async function takeCalls(environment: Environment, limit: number, wanted: Calls): Promise<Taken> {
  const db = await database()
  const given = (priority: Priority, before: unknown) =>
    sql`case when paused > 0 then 0 else least(${wanted[priority]}::int, greatest(0, greatest(1, floor(allowed * ${shares[priority]}::float8)) - used - ${before}))::int end`
  const result = await db.execute(sql`
    with held as (
      select * from ${serviceBudgets} where environment = ${environment} for update
    ), timed as (
      select held.*, clock_timestamp() as now from held
    ), placed as (
      select timed.*, floor(extract(epoch from now) * 10)::bigint as tick,
        greatest(1, floor(${limit}::int * ${shareAt(sql`share`, sql`shrunk_at`, sql`now`)}))::int as allowed,
        ceil(extract(epoch from paused_until - now))::int as seconds
      from timed
    ), aged as (
      select allowed,
        case when seconds between 1 and ${longestPause} then seconds else 0 end as paused,
        case when slot - tick between 1 and ${slots} then slot else tick end as slot,
        case
          when slot - tick between 0 and ${slots} then slots
          when tick - slot between 1 and ${slots - 1} then array_fill(0, array[(tick - slot)::int]) || slots[1:${slots} - (tick - slot)::int]
          else array_fill(0, array[${slots}::int])
        end as slots
      from placed
    ), counted as (
      select aged.*, (select sum(calls) from unnest(slots) calls)::int as used from aged
    ), first as (
      select counted.*, ${given('write', 0)} as write from counted
    ), second as (
      select first.*, ${given('read', sql`write`)} as read from first
    ), third as (
      select second.*, ${given('background', sql`write - read`)} as background from second
    )
    update ${serviceBudgets} as budget
    set slot = third.slot, slots = array[third.slots[1] + write + read + background] || third.slots[2:${slots}]
    from third
    where budget.environment = ${environment}
    returning write, read, background, allowed, used + write + read + background as used,
      case when share < 1 then floor(extract(epoch from shrunk_at) * 1000)::float8 end as refused, paused`)
  const [row] = (result as unknown as { rows: Row[] }).rows
  if (row) {
    const { write, read, background, allowed, used, refused, paused } = row
    return {
      calls: { write, read, background },
      allowed,
      used,
      refusedAt: refused === null ? null : new Date(refused),
      pausedSeconds: paused,
    }
  }
  await ensureRow(environment)
  return takeCalls(environment, limit, wanted)
}

/**
 * Notes that the service refused a call for coming too soon: for all instances the limit is halved, once for the refusals of one second, and grows
 * back step by step; `seconds` is the pause it asked for, if it named one. Throws what the store throws.
 */
export async function shrinkBudget(environment: Environment, seconds: number | undefined): Promise<void> {
  const { share, shrunkAt, pausedUntil } = serviceBudgets
  const now = sql`clock_timestamp()`
  const lately = sql`${shrunkAt} between ${now} - interval '1 second' and ${now} and ${share} < 1`
  const until = sql`${now} + make_interval(secs => ${Math.min(seconds ?? 0, longestPause)}::int)`
  const believed = sql`${pausedUntil} < ${now} + make_interval(secs => ${longestPause})`
  await ensureRow(environment)
  const db = await database()
  await db
    .update(serviceBudgets)
    .set({
      share: sql`case when ${lately} then ${share} else greatest(${leastShare}, ${shareAt(share, shrunkAt, now)} / 2) end`,
      shrunkAt: sql`case when ${lately} then ${shrunkAt} else ${now} end`,
      ...(seconds ? { pausedUntil: sql`case when ${believed} then greatest(${pausedUntil}, ${until}) else ${until} end` } : {}),
    })
    .where(eq(serviceBudgets.environment, environment))
}
