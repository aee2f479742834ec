import 'server-only'
import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  min,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { getTimestampDaysBefore } from '@/lib/dates'
import { rolesText } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import {
  type CallFilter,
  type CallResult,
  type ErrorGroup,
  type LogCursor,
  type LoggedCall,
  parseCallFilter,
} from '@/lib/operations/activity'
import { type Environment, requestLogRoles } from '@/lib/operations/define'
import { maxCountedRows } from '@/lib/operations/list-count'
import { isServiceOperationId } from '@/lib/operations/service-operations'
import { recordRefusal } from '@/lib/server/audit/refusals'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { requestLog } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'

/**
 * Throws `invalid_input` for an invalid field: without this filter, the result would contain too
 * many calls.
 */
export function requireCallFilter(fields: Readonly<Record<string, unknown>>): CallFilter {
  const filter = parseCallFilter(fields)
  const parsedFields = new Map(Object.entries(filter))
  const filterErrors = Object.keys(fields)
    .filter((name) => fields[name] !== '' && parsedFields.get(name) === undefined)
    .map((reference) => ({
      reference,
      detail: 'Not a filter of this list, or not in a valid format.',
    }))
  if (filterErrors.length === 0) return filter
  throw new AppError(
    'invalid_input',
    filterErrors.map(({ reference, detail }) => `${reference}: ${detail}`).join(' '),
    {
      items: filterErrors,
    },
  )
}

export const callsPerPage = 50
/** The number of days (UTC) whose errors are grouped, including today. */
export const errorPeriodDays = 7

/** `place` is a cursor, `account` an id without `acct_`. `before` is inclusive. */
export type CallPageOptions = {
  place?: LogCursor
  size?: number
  account?: string
  after?: Date
  before?: Date
}

/** Newest first. `total` is one above `maxCountedRows` if there are more matching calls. */
type CallsPage = { calls: LoggedCall[]; total: number; hasNewer: boolean; hasOlder: boolean }

/** Null means all accounts, an empty list means none. */
function listReadableAccounts(actor: Actor, environment: Environment): string[] | null {
  const grants = actor.grants.filter(
    (grant) => grant.environment === environment && requestLogRoles.includes(grant.role),
  )
  if (grants.some((grant) => grant.accountId === null)) return null
  return grants.flatMap((grant) => (grant.accountId ? [grant.accountId] : []))
}

/** Throws `forbidden` if the person may not read the log (product 4.7). */
export function requireLogReader(actor: Actor, environment: Environment): void {
  if (listReadableAccounts(actor, environment)?.length !== 0) return
  throw new AppError('forbidden', `Only ${rolesText(requestLogRoles)} can read the request log.`)
}

/** If false, the refusal was recorded in the audit log. */
export async function checkLogAccess(actor: Actor, environment: Environment): Promise<boolean> {
  try {
    requireLogReader(actor, environment)
    return true
  } catch (error) {
    await recordRefusal(error, { name: 'activity.open', actor, environment })
    return false
  }
}

const conditionsByResult: Record<CallResult, SQL | undefined> = {
  answered: and(lt(requestLog.status, 400), isNull(requestLog.errorCode)),
  refused: and(gte(requestLog.status, 400), lt(requestLog.status, 500)),
  failed: or(
    gte(requestLog.status, 500),
    and(lt(requestLog.status, 400), isNotNull(requestLog.errorCode)),
  ),
}

const toConditionIfSet = <T>(
  value: T | undefined,
  condition: (value: T) => SQL | undefined,
): SQL | undefined => (value === undefined ? undefined : condition(value))

const toAnyIdCondition = (id: string) =>
  or(
    eq(requestLog.requestId, id),
    eq(requestLog.apiRequestId, id),
    isUuid(id) ? eq(requestLog.actionId, id) : undefined,
  )

function toCallConditions(
  actor: Actor,
  environment: Environment,
  filter: CallFilter,
  { account, after, before }: CallPageOptions,
): SQL | undefined {
  // A search for one object or request covers all accounts, not only the account of the page.
  const accountFilter = filter.target || filter.request ? undefined : account
  return and(
    eq(requestLog.environment, environment),
    toConditionIfSet(listReadableAccounts(actor, environment) ?? undefined, (accounts) =>
      inArray(requestLog.accountId, accounts),
    ),
    toConditionIfSet(accountFilter, (id) => eq(requestLog.accountId, id)),
    toConditionIfSet(after, (at) => gt(requestLog.at, at)),
    toConditionIfSet(before, (at) => lte(requestLog.at, at)),
    toConditionIfSet(filter.operation, (operation) => eq(requestLog.operation, operation)),
    toConditionIfSet(filter.result, (result) => conditionsByResult[result]),
    toConditionIfSet(filter.error, (code) => eq(requestLog.errorCode, code)),
    toConditionIfSet(filter.detail, (words) => eq(requestLog.errorDetail, words)),
    toConditionIfSet(filter.target, (target) => eq(requestLog.target, target)),
    toConditionIfSet(filter.request, toAnyIdCondition),
    toConditionIfSet(filter.person, (id) => eq(requestLog.actorId, id === 'me' ? actor.id : id)),
    toConditionIfSet(filter.from, (at) => gte(requestLog.at, new Date(at))),
    toConditionIfSet(filter.to, (at) => lte(requestLog.at, new Date(at))),
  )
}

type RequestLogRow = typeof requestLog.$inferSelect

/** Empty if Paydesk no longer has the operation: screens have no name for it. */
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
  const time = new Date(at)
  return way === 'older'
    ? and(lte(requestLog.at, time), sql`${rowPosition} < ${cursorPosition}`)
    : and(gte(requestLog.at, time), sql`${rowPosition} > ${cursorPosition}`)
}

/** Exact, for an export. A list counts only up to `maxCountedRows`. */
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
  const where = toCallConditions(actor, environment, filter, pageOptions)
  const [rows, total] = await Promise.all([
    readCallRows(where, size, place),
    countCallsCapped(where),
  ])
  const hasMoreRows = rows.length > size
  if (place?.way === 'newer' && !hasMoreRows)
    return readCallsPage(actor, environment, filter, { ...pageOptions, place: undefined })
  const calls = rows.slice(0, size).flatMap(({ call, person }) => toLoggedCalls(call, person))
  if (place?.way === 'newer')
    return { calls: calls.reverse(), total, hasNewer: true, hasOlder: true }
  return { calls, total, hasNewer: place !== undefined, hasOlder: hasMoreRows }
}

/** The first grouped day, in the form of the log's `from` filter. */
export const getFirstErrorDay = (now: number): string =>
  getTimestampDaysBefore(now, errorPeriodDays - 1).slice(0, 10)

/** Since a UTC day. `accountId` is without `acct_`. */
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
