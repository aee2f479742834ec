import 'server-only'
import { eq, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { CallPriority } from '@/lib/server/auth/scoped-account'
import { serviceBudgets } from '@/lib/server/store/schema/audit'
import { getDatabase } from '@/lib/server/store/store'

export type CallCounts = Record<CallPriority, number>

/**
 * `allowed` is the current limit per second, `used` the calls of the last second. `refusedAt` is
 * when the service last refused a call, `pausedSeconds` the rest of the pause that it requested.
 */
export type BudgetResult = {
  calls: CallCounts
  allowed: number
  used: number
  refusedAt: Date | null
  pausedSeconds: number
}

/** Eleven slots of 100 ms always cover a full second of the service, whenever it begins. */
const timeSlotCount = 11
/** Share of the limit that each priority may use. The rest is reserved for more urgent calls. */
const limitShareByPriority: CallCounts = { write: 1, read: 0.6, background: 0.5 }
/** Maximum length of a pause (seconds). If the service requests a longer one, it is cut to this. */
export const maxPauseSeconds = 60
/** After a refusal, the reduced limit grows by 10 % of the full limit at this interval. */
const limitRegrowSeconds = 5
const minLimitShare = 0.1

/**
 * SQL for the share of the limit that may be used at the time `at`: it grows back step by step
 * after a refusal at `since`. If the clock was set back, the share stays as it is.
 */
const toShareSql = (share: unknown, since: unknown, at: unknown) =>
  sql`least(1, ${share} + 0.1 * greatest(0, floor(extract(epoch from ${at} - ${since}) / ${limitRegrowSeconds})))`

async function ensureBudgetRow(environment: Environment): Promise<void> {
  const db = await getDatabase()
  await db
    .insert(serviceBudgets)
    .values({ environment, slots: Array<number>(timeSlotCount).fill(0), slot: 0 })
    .onConflictDoNothing()
}

type BudgetRow = CallCounts & {
  allowed: number
  used: number
  refused: number | null
  paused: number
}

/**
 * All instances share the budget: locks its row before counting, and uses the database clock.
 * Ignores a slot or a pause that is far in the future: the clock was set back.
 */
export async function takeCallsFromBudget(
  environment: Environment,
  limit: number,
  requested: CallCounts,
): Promise<BudgetResult> {
  const db = await getDatabase()
  const toGrantedCallsSql = (priority: CallPriority, takenCalls: unknown) =>
    sql`case when paused > 0 then 0 else least(${requested[priority]}::int, greatest(0, greatest(1, floor(allowed * ${limitShareByPriority[priority]}::float8)) - used - ${takenCalls}))::int end`
  const budgetQueryResult = await db.execute(sql`
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
        case when slot - tick between 1 and ${timeSlotCount} then slot else tick end as slot,
        case
          when slot - tick between 0 and ${timeSlotCount} then slots
          when tick - slot between 1 and ${timeSlotCount - 1} then array_fill(0, array[(tick - slot)::int]) || slots[1:${timeSlotCount} - (tick - slot)::int]
          else array_fill(0, array[${timeSlotCount}::int])
        end as slots
      from placed
    ), counted as (
      select aged.*, (select sum(calls) from unnest(slots) calls)::int as used from aged
    ), first as (
      select counted.*, ${toGrantedCallsSql('write', 0)} as write from counted
    ), second as (
      select first.*, ${toGrantedCallsSql('read', sql`write`)} as read from first
    ), third as (
      select second.*, ${toGrantedCallsSql('background', sql`write - read`)} as background from second
    )
    update ${serviceBudgets} as budget
    set slot = third.slot, slots = array[third.slots[1] + write + read + background] || third.slots[2:${timeSlotCount}]
    from third
    where budget.environment = ${environment}
    returning write, read, background, allowed, used + write + read + background as used,
      case when share < 1 then floor(extract(epoch from shrunk_at) * 1000)::float8 end as refused, paused`)
  const [row] = (budgetQueryResult as unknown as { rows: BudgetRow[] }).rows
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
  return takeCallsFromBudget(environment, limit, requested)
}

/**
 * Several refusals within one second halve the limit only once. It then grows back step by step.
 * `seconds` is the pause that the service requested, if any.
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
