import 'server-only'
import { eq, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { Priority } from '@/lib/server/auth/scoped-account'
import { serviceBudgets } from '@/lib/server/store/schema/audit'
import { database } from '@/lib/server/store/store'

export type Calls = Record<Priority, number>

/**
 * Result of taking calls: `calls` may be made now, `allowed` is the present limit per second, and `used` were made in the last second.
 * `refusedAt` is the last refusal by the service, and `pausedSeconds` the pause that it requested.
 */
export type Taken = { calls: Calls; allowed: number; used: number; refusedAt: Date | null; pausedSeconds: number }

/**
 * Eleven slots of a tenth of a second, including the current one. The count never covers less than the last whole second, however the
 * service aligns its own seconds.
 */
const slots = 11
/** Share of the limit that each priority may fill. The rest is reserved for more urgent calls. */
const shares: Calls = { write: 1, read: 0.6, background: 0.5 }
/** Longest pause that a service can request (seconds). */
export const longestPause = 60
/** Seconds until another tenth of the limit returns after a refusal. */
const regrowEvery = 5
const leastShare = 0.1

/** SQL: the share of the limit at an instant. A clock that was set back does not reduce it. */
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
 * Takes calls from the budget that all instances share, in one statement: as many as the last second leaves room for, urgent ones first.
 * Locks the row before it counts, and uses the store's clock. Ignores a slot or a pause too far in the future, left by a clock that was set
 * back. Throws the errors of the store.
 */
export async function takeCalls(environment: Environment, limit: number, wanted: Calls): Promise<Taken> {
  const db = await database()
  const grantedCalls = (priority: Priority, before: unknown) =>
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
      select counted.*, ${grantedCalls('write', 0)} as write from counted
    ), second as (
      select first.*, ${grantedCalls('read', sql`write`)} as read from first
    ), third as (
      select second.*, ${grantedCalls('background', sql`write - read`)} as background from second
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
 * Halves the limit for all instances after the service refused a call as too frequent. Refusals within one second count once, and the limit
 * grows back step by step. `seconds` is the pause that the service requested, if any. Throws the errors of the store.
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
