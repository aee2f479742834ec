import 'server-only'
import { and, count, countDistinct, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, max, min, or, type SQL, sql } from 'drizzle-orm'
import { daysBefore } from '@/lib/dates'
import { rolesText } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import type { CallFilter, CallResult, ErrorGroup, LoggedCall } from '@/lib/operations/activity'
import { type Environment, logReaders } from '@/lib/operations/define'
import { isOperationId } from '@/lib/operations/rows'
import { recordRefusal } from './audit/refusals'
import { accountText } from './scoped-account'
import type { Actor } from './session-rows'
import { requestLog } from './store/desk-schema'
import { people } from './store/schema'
import { database } from './store/store'

/** Rows of one page. */
export const callsPerPage = 50
/** Errors are grouped over so many days of UTC, today among them. */
export const errorDays = 7

/** A part of the log: a page of so many calls, in one account (a bare id), of calls after an instant. */
export type CallsPart = { page?: number; size?: number; account?: string; after?: Date }

/** The accounts whose calls a person may read; null for all. An empty list is nobody's log. */
function readable(actor: Actor, environment: Environment): string[] | null {
  const grants = actor.grants.filter((grant) => grant.environment === environment && logReaders.includes(grant.role))
  if (grants.some((grant) => grant.accountId === null)) return null
  return grants.flatMap((grant) => (grant.accountId ? [grant.accountId] : []))
}

/** Refuses who may read no request log of an environment (product 4.7). Throws `forbidden`. */
export function requireLogReader(actor: Actor, environment: Environment): void {
  if (readable(actor, environment)?.length !== 0) return
  throw new AppError('forbidden', `Only ${rolesText(logReaders)} can read the request log.`)
}

/** Whether a page may show the log to a person; that it may not is on record then. */
export async function mayOpenLog(actor: Actor, environment: Environment): Promise<boolean> {
  try {
    requireLogReader(actor, environment)
    return true
  } catch (error) {
    await recordRefusal(error, { name: 'activity.open', actor, environment })
    return false
  }
}

const ofResult: Record<CallResult, SQL | undefined> = {
  answered: and(lt(requestLog.status, 400), isNull(requestLog.errorCode)),
  refused: and(gte(requestLog.status, 400), lt(requestLog.status, 500)),
  failed: or(gte(requestLog.status, 500), and(lt(requestLog.status, 400), isNotNull(requestLog.errorCode))),
}

const given = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
  value === undefined ? undefined : condition(value)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const byAnyId = (id: string) =>
  or(eq(requestLog.requestId, id), eq(requestLog.apiRequestId, id), uuid.test(id) ? eq(requestLog.actionId, id) : undefined)

const dayLength = 24 * 60 * 60_000

/** The first moment of a day of UTC, or of one so many days after it. */
const dayStart = (day: string, later = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + later * dayLength)

function conditions(actor: Actor, environment: Environment, filter: CallFilter, { account, after }: CallsPart): SQL | undefined {
  // What names one object or one request is found wherever it was asked from, and not in the scope of the screen alone.
  const scope = filter.target || filter.request ? undefined : account
  return and(
    eq(requestLog.environment, environment),
    given(readable(actor, environment) ?? undefined, (accounts) => inArray(requestLog.accountId, accounts)),
    given(scope, (id) => eq(requestLog.accountId, id)),
    given(after, (at) => gt(requestLog.at, at)),
    given(filter.operation, (operation) => eq(requestLog.operation, operation)),
    given(filter.result, (result) => ofResult[result]),
    given(filter.error, (code) => eq(requestLog.errorCode, code)),
    given(filter.detail, (words) => eq(requestLog.errorDetail, words)),
    given(filter.target, (target) => eq(requestLog.target, target)),
    given(filter.request, byAnyId),
    given(filter.person, (id) => eq(requestLog.actorId, id === 'me' ? actor.id : id)),
    given(filter.from, (day) => gte(requestLog.at, dayStart(day))),
    given(filter.to, (day) => lt(requestLog.at, dayStart(day, 1))),
  )
}

type Row = typeof requestLog.$inferSelect

/** An operation the contract no longer has is nothing a screen could name. */
function viewOf(row: Row, person: string): LoggedCall[] {
  if (!isOperationId(row.operation)) return []
  return [
    {
      id: row.id,
      at: row.at.toISOString(),
      operation: row.operation,
      account: row.accountId && accountText(row.accountId),
      target: row.target,
      person,
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

/** A page of the request log, newest first, with the count of all that matches; only calls of accounts the person may read the log of. */
export async function callsOf(
  actor: Actor,
  environment: Environment,
  filter: CallFilter,
  part: CallsPart = {},
): Promise<{ calls: LoggedCall[]; total: number }> {
  const { page = 1, size = callsPerPage } = part
  const db = await database()
  const where = conditions(actor, environment, filter, part)
  const [rows, counted] = await Promise.all([
    db
      .select({ call: requestLog, person: people.name })
      .from(requestLog)
      .innerJoin(people, eq(people.id, requestLog.actorId))
      .where(where)
      .orderBy(desc(requestLog.at), desc(requestLog.id))
      .limit(size)
      .offset((page - 1) * size),
    db.select({ total: count() }).from(requestLog).where(where),
  ])
  return { calls: rows.flatMap(({ call, person }) => viewOf(call, person)), total: counted[0]?.total ?? 0 }
}

/** The first day of the days errors are grouped over, as the log's filter names it; `now` in milliseconds. */
export const errorsFrom = (now: number): string => daysBefore(now, errorDays - 1).slice(0, 10)

/** What went wrong since a day of UTC, grouped by operation, error and the service's words; the newest group first. `account` is a bare id. */
export async function errorGroupsOf(actor: Actor, environment: Environment, from: string, account?: string): Promise<ErrorGroup[]> {
  const db = await database()
  const rows = await db
    .select({
      operation: requestLog.operation,
      code: requestLog.errorCode,
      detail: requestLog.errorDetail,
      calls: count(),
      people: countDistinct(requestLog.actorId),
      first: min(requestLog.at),
      last: max(requestLog.at),
      lastRequest: sql<string>`(array_agg(${requestLog.requestId} order by ${requestLog.at} desc))[1]`,
    })
    .from(requestLog)
    .where(and(conditions(actor, environment, { from }, { account }), isNotNull(requestLog.errorCode)))
    .groupBy(requestLog.operation, requestLog.errorCode, requestLog.errorDetail)
    .orderBy(desc(max(requestLog.at)))
    .limit(200)
  return rows.flatMap((row) => {
    if (!isOperationId(row.operation) || !row.code || !row.first || !row.last) return []
    return [
      {
        operation: row.operation,
        error_code: row.code,
        error_detail: row.detail,
        calls: row.calls,
        people: row.people,
        first_at: row.first.toISOString(),
        last_at: row.last.toISOString(),
        last_request_id: row.lastRequest,
      },
    ]
  })
}
