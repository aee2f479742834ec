import 'server-only'
import { eq, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { CallPriority } from '@/lib/server/auth/scoped-account'
import { serviceBudgets } from '@/lib/server/store/schema/audit'
import { getDatabase } from '@/lib/server/store/store'

export type CallCounts = Record<CallPriority, number>

/**
 * Result of `takeCalls`. `calls` is the number of calls that may be sent now. `allowed` is the
 * current limit per second, `used` the number of calls in the last second. `refusedAt` is when the
 * service last refused a call. `pausedSeconds` is the rest of the pause that the service requested.
 */
export type BudgetResult = {
  calls: CallCounts
  allowed: number
  used: number
  refusedAt: Date | null
  pausedSeconds: number
}

/**
 * Number of slots of 100 ms in which calls are counted, including the current one. Eleven slots
 * always cover a full second of the service, whenever that second begins.
 */
const slotCount = 11
/** Share of the limit that each priority may use. The rest is reserved for more urgent calls. */
const priorityShares: CallCounts = { write: 1, read: 0.6, background: 0.5 }
/** Maximum length of a pause (seconds). If the service requests a longer one, it is cut to this. */
export const maxPauseSeconds = 60
/**
 * After a refusal, the limit is reduced. It then grows by 10 % of the full limit each time this
 * many seconds have passed.
 */
const limitRegrowSeconds = 5
const minLimitShare = 0.1

/**
 * Returns SQL for the share of the full limit that is allowed at a time. If the clock was set back,
 * the share stays as it is.
 */
const toShareSql = (share: unknown, since: unknown, at: unknown) =>
  sql`least(1, ${share} + 0.1 * greatest(0, floor(extract(epoch from ${at} - ${since}) / ${limitRegrowSeconds})))`

async function ensureBudgetRow(environment: Environment): Promise<void> {
  const db = await getDatabase()
  await db
    .insert(serviceBudgets)
    .values({ environment, slots: Array<number>(slotCount).fill(0), slot: 0 })
    .onConflictDoNothing()
}

type BudgetRow = CallCounts & {
  allowed: number
  used: number
  refused: number | null
  paused: number
}

/**
 * Takes calls from the budget that all instances share, in one statement. The calls of the last
 * second limit how many it takes. Urgent calls come first. Throws store errors. Locks the row
 * before it counts, and uses the database clock. Ignores a slot or a pause that is far in the
 * future, because that happens only if the clock was set back.
 */
export async function takeCalls(
  environment: Environment,
  limit: number,
  requested: CallCounts,
): Promise<BudgetResult> {
  const db = await getDatabase()
  const toGrantedCalls = (priority: CallPriority, takenCalls: unknown) =>
    sql`case when paused > 0 then 0 else least(${requested[priority]}::int, greatest(0, greatest(1, floor(allowed * ${priorityShares[priority]}::float8)) - used - ${takenCalls}))::int end`
  const result = await db.execute(sql`
    with held as (
      select * from ${serviceBudgets} where environment = ${environment} for update
    ), timed as (
      select held.*, clock_timestamp() as now from held
    ), placed as (
      select timed.*, floor(extract(epoch from now) * 10)::bigint as tick,
        greatest(1, floor(${limit}::int * ${toShareSql(sql`share`, sql`shrunk_at`, sql`now`)}))::int as allowed,
        ceil(extract(epoch from paused_until - now))::int as seconds
      from timed
    ), aged as (
      select allowed,
        case when seconds between 1 and ${maxPauseSeconds} then seconds else 0 end as paused,
        case when slot - tick between 1 and ${slotCount} then slot else tick end as slot,
        case
          when slot - tick between 0 and ${slotCount} then slots
          when tick - slot between 1 and ${slotCount - 1} then array_fill(0, array[(tick - slot)::int]) || slots[1:${slotCount} - (tick - slot)::int]
          else array_fill(0, array[${slotCount}::int])
        end as slots
      from placed
    ), counted as (
      select aged.*, (select sum(calls) from unnest(slots) calls)::int as used from aged
    ), first as (
      select counted.*, ${toGrantedCalls('write', 0)} as write from counted
    ), second as (
      select first.*, ${toGrantedCalls('read', sql`write`)} as read from first
    ), third as (
      select second.*, ${toGrantedCalls('background', sql`write - read`)} as background from second
    )
    update ${serviceBudgets} as budget
    set slot = third.slot, slots = array[third.slots[1] + write + read + background] || third.slots[2:${slotCount}]
    from third
    where budget.environment = ${environment}
    returning write, read, background, allowed, used + write + read + background as used,
      case when share < 1 then floor(extract(epoch from shrunk_at) * 1000)::float8 end as refused, paused`)
  const [row] = (result as unknown as { rows: BudgetRow[] }).rows
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
  await ensureBudgetRow(environment)
  return takeCalls(environment, limit, requested)
}

/**
 * Halves the limit for all instances. Called after the service refused a call because there were
 * too many. Several refusals within one second halve it only once. The limit then grows back step
 * by step. `seconds` is the pause that the service requested, if any. Throws store errors.
 */
export async function shrinkBudget(
  environment: Environment,
  seconds: number | undefined,
): Promise<void> {
  const { share, shrunkAt, pausedUntil } = serviceBudgets
  const now = sql`clock_timestamp()`
  const wasJustShrunk = sql`${shrunkAt} between ${now} - interval '1 second' and ${now} and ${share} < 1`
  const pauseEnd = sql`${now} + make_interval(secs => ${Math.min(seconds ?? 0, maxPauseSeconds)}::int)`
  const isPausePlausible = sql`${pausedUntil} < ${now} + make_interval(secs => ${maxPauseSeconds})`
  await ensureBudgetRow(environment)
  const db = await getDatabase()
  await db
    .update(serviceBudgets)
    .set({
      share: sql`case when ${wasJustShrunk} then ${share} else greatest(${minLimitShare}, ${toShareSql(share, shrunkAt, now)} / 2) end`,
      shrunkAt: sql`case when ${wasJustShrunk} then ${shrunkAt} else ${now} end`,
      ...(seconds
        ? {
            pausedUntil: sql`case when ${isPausePlausible} then greatest(${pausedUntil}, ${pauseEnd}) else ${pauseEnd} end`,
          }
        : {}),
    })
    .where(eq(serviceBudgets.environment, environment))
}
