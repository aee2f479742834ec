import 'server-only'
import { and, count, countDistinct, desc, eq, gte, inArray, isNotNull, lt, max, min, type SQL, sql } from 'drizzle-orm'
import type { CallResult, ErrorGroup, LoggedCall } from '@/lib/operations/activity'
import type { Environment } from '@/lib/operations/define'
import { isOperationId, type OperationId } from '@/lib/operations/rows'
import { logReaders } from './find-trace'
import { accountText } from './scoped-account'
import type { Actor } from './session-rows'
import { requestLog } from './store/desk-schema'
import { people } from './store/schema'
import { database } from './store/store'

/** Rows of one page. */
export const callsPerPage = 50
/** Errors are grouped over so many days. */
export const errorDays = 7

/** What the log may be narrowed to; an account is a bare id. */
export type CallFilter = {
  operation?: OperationId
  result?: CallResult
  errorCode?: string
  target?: string
  account?: string
  person?: string
}

/** The accounts whose calls a person may read; null for all. An empty list is nobody's log. */
function readable(actor: Actor, environment: Environment): string[] | null {
  const grants = actor.grants.filter((grant) => grant.environment === environment && logReaders.includes(grant.role))
  if (grants.some((grant) => grant.accountId === null)) return null
  return grants.flatMap((grant) => (grant.accountId ? [grant.accountId] : []))
}

/** Whether a person may read the request log of an environment at all (product 4.7). */
export const mayReadLog = (actor: Actor, environment: Environment): boolean => readable(actor, environment)?.length !== 0

const ofResult: Record<CallResult, SQL | undefined> = {
  answered: lt(requestLog.status, 400),
  refused: and(gte(requestLog.status, 400), lt(requestLog.status, 500)),
  failed: gte(requestLog.status, 500),
}

function conditions(actor: Actor, environment: Environment, filter: CallFilter): SQL | undefined {
  const accounts = readable(actor, environment)
  return and(
    eq(requestLog.environment, environment),
    accounts ? inArray(requestLog.accountId, accounts) : undefined,
    filter.account ? eq(requestLog.accountId, filter.account) : undefined,
    filter.operation ? eq(requestLog.operation, filter.operation) : undefined,
    filter.errorCode ? eq(requestLog.errorCode, filter.errorCode) : undefined,
    filter.target ? eq(requestLog.target, filter.target) : undefined,
    filter.person ? eq(requestLog.actorId, filter.person) : undefined,
    filter.result ? ofResult[filter.result] : undefined,
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
  page = 1,
): Promise<{ calls: LoggedCall[]; total: number }> {
  const db = await database()
  const where = conditions(actor, environment, filter)
  const [rows, counted] = await Promise.all([
    db
      .select({ call: requestLog, person: people.name })
      .from(requestLog)
      .innerJoin(people, eq(people.id, requestLog.actorId))
      .where(where)
      .orderBy(desc(requestLog.at), desc(requestLog.id))
      .limit(callsPerPage)
      .offset((page - 1) * callsPerPage),
    db.select({ total: count() }).from(requestLog).where(where),
  ])
  return { calls: rows.flatMap(({ call, person }) => viewOf(call, person)), total: counted[0]?.total ?? 0 }
}

/** What went wrong in the last days, grouped by operation, error and the service's words; the newest group first. */
export async function errorGroupsOf(actor: Actor, environment: Environment, filter: CallFilter = {}): Promise<ErrorGroup[]> {
  const db = await database()
  const recent = sql`${requestLog.at} > now() - make_interval(days => ${errorDays})`
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
    .where(and(conditions(actor, environment, filter), isNotNull(requestLog.errorCode), recent))
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
