import 'server-only'
import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  gte,
  isNotNull,
  lte,
  max,
  min,
  type SQL,
  sql,
} from 'drizzle-orm'
import { getTimestampDaysBefore } from '@/lib/dates'
import type { CallFilter, ErrorGroup, LogCursor, LoggedCall } from '@/lib/operations/activity'
import type { Environment } from '@/lib/operations/define'
import { maxCountedRows } from '@/lib/operations/list-count'
import { isServiceOperationId } from '@/lib/operations/service-operations'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { requestLog } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { type CallRange, toCallConditions } from './readable-calls'

export const callsPerPage = 50
/** The number of days (UTC) whose errors are grouped, including today. */
export const errorPeriodDays = 7

/**
 * `place`: the call before or after which the page begins. Without it, the page has the newest
 * calls.
 */
export type CallPageOptions = CallRange & { place?: LogCursor; size?: number }

/** Newest first. `total` is one above `maxCountedRows` if there are more matching calls. */
type CallsPage = { calls: LoggedCall[]; total: number; hasNewer: boolean; hasOlder: boolean }

type RequestLogRow = typeof requestLog.$inferSelect

/**
 * Returns an empty list if Paydesk no longer has the operation, because screens have no name for
 * it.
 */
function toLoggedCalls(row: RequestLogRow, personName: string): LoggedCall[] {
  if (!isServiceOperationId(row.operation)) return []
  return [
    {
      id: row.id,
      at: row.at.toISOString(),
      operation: row.operation,
      account: row.accountId && formatAccountId(row.accountId),
      target: row.target,
      person: personName,
      person_id: row.actorId,
      status: row.status,
      took_ms: row.tookMs,
      attempts: row.attempts,
      replayed: row.replayed,
      request_id: row.requestId,
      api_request_id: row.apiRequestId,
      action_id: row.actionId,
      error_code: row.errorCode,
      error_detail: row.errorDetail,
    },
  ]
}

/** The comparison of the time alone is redundant, but can use an index. */
function toCursorCondition({ way, at, id }: LogCursor): SQL | undefined {
  const cursorPosition = sql`(${at}::timestamptz, ${id}::uuid)`
  const rowPosition = sql`(${requestLog.at}, ${requestLog.id})`
  const cursorTime = new Date(at)
  return way === 'older'
    ? and(lte(requestLog.at, cursorTime), sql`${rowPosition} < ${cursorPosition}`)
    : and(gte(requestLog.at, cursorTime), sql`${rowPosition} > ${cursorPosition}`)
}

/** Returns the exact number, for an export. A list counts only up to `maxCountedRows`. */
export async function countCalls(
  actor: Actor,
  environment: Environment,
  filter: CallFilter,
  pageOptions: CallPageOptions = {},
): Promise<number> {
  const db = await getDatabase()
  const [countRow] = await db
    .select({ total: count() })
    .from(requestLog)
    .where(toCallConditions(actor, environment, filter, pageOptions))
  return countRow?.total ?? 0
}

async function countCallsCapped(where: SQL | undefined): Promise<number> {
  const db = await getDatabase()
  const cappedCalls = db
    .select({ id: requestLog.id })
    .from(requestLog)
    .where(where)
    .limit(maxCountedRows + 1)
    .as('some')
  const [totalRow] = await db.select({ total: count() }).from(cappedCalls)
  return totalRow?.total ?? 0
}

/** Reads one row more than a page shows. If that row exists, another page follows. */
async function readCallRows(where: SQL | undefined, size: number, cursor: LogCursor | undefined) {
  const db = await getDatabase()
  const sortOrder = cursor?.way === 'newer' ? asc : desc
  return db
    .select({ call: requestLog, person: people.name })
    .from(requestLog)
    .innerJoin(people, eq(people.id, requestLog.actorId))
    .where(and(where, cursor && toCursorCondition(cursor)))
    .orderBy(sortOrder(requestLog.at), sortOrder(requestLog.id))
    .limit(size + 1)
}

/**
 * Only calls of accounts whose log the person may read. A cursor determines the page, so new calls
 * do not shift it. Returns the newest page if at most one page of calls is newer.
 */
export async function readCallsPage(
  actor: Actor,
  environment: Environment,
  filter: CallFilter,
  pageOptions: CallPageOptions = {},
): Promise<CallsPage> {
  const { place, size = callsPerPage } = pageOptions
  const callConditions = toCallConditions(actor, environment, filter, pageOptions)
  const [rows, total] = await Promise.all([
    readCallRows(callConditions, size, place),
    countCallsCapped(callConditions),
  ])
  const hasMoreRows = rows.length > size
  if (place?.way === 'newer' && !hasMoreRows)
    return readCallsPage(actor, environment, filter, { ...pageOptions, place: undefined })
  const pageCalls = rows.slice(0, size).flatMap(({ call, person }) => toLoggedCalls(call, person))
  if (place?.way === 'newer')
    return { calls: pageCalls.reverse(), total, hasNewer: true, hasOlder: true }
  return { calls: pageCalls, total, hasNewer: place !== undefined, hasOlder: hasMoreRows }
}

/** The first grouped day, in the form of the log's `from` filter. */
export const getFirstErrorDay = (now: number): string =>
  getTimestampDaysBefore(now, errorPeriodDays - 1).slice(0, 10)

/** Groups the errors since a UTC day. `accountId` is without `acct_`. */
export async function readErrorGroups(
  actor: Actor,
  environment: Environment,
  firstDay: string,
  accountId?: string,
): Promise<ErrorGroup[]> {
  const db = await getDatabase()
  const errorGroupRows = await db
    .select({
      operation: requestLog.operation,
      error_code: requestLog.errorCode,
      error_detail: requestLog.errorDetail,
      calls: count(),
      people: countDistinct(requestLog.actorId),
      first: min(requestLog.at),
      last: max(requestLog.at),
      last_request_id: sql<string>`(array_agg(${requestLog.requestId} order by ${requestLog.at} desc))[1]`,
    })
    .from(requestLog)
    .where(
      and(
        toCallConditions(actor, environment, { from: firstDay }, { account: accountId }),
        isNotNull(requestLog.errorCode),
      ),
    )
    .groupBy(requestLog.operation, requestLog.errorCode, requestLog.errorDetail)
    .orderBy(desc(max(requestLog.at)))
    .limit(200)
  return errorGroupRows.flatMap(({ operation, error_code, first, last, ...group }) => {
    if (!isServiceOperationId(operation) || !error_code || !first || !last) return []
    return [
      {
        ...group,
        operation,
        error_code,
        first_at: first.toISOString(),
        last_at: last.toISOString(),
      },
    ]
  })
}
