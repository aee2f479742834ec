import 'server-only'
import { and, desc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { formatRoles } from '@/lib/domain/permissions'
import { isUuid } from '@/lib/formats'
import { type Environment, requestLogRoles } from '@/lib/operations/define'
import {
  type FindResult,
  type FoundTrace,
  type TraceKey,
  toUnsearchedSources,
} from '@/lib/operations/find'
import { isServiceOperationId } from '@/lib/operations/service-operations'
import { formatAccountId, getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { authorizeCall } from '@/lib/server/http/authorize'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { parseInput } from '@/lib/server/http/input'
import { readFromService } from '@/lib/server/http/operation-reads'
import { actions, attempts } from '@/lib/server/store/schema/actions'
import { requestLog } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

/**
 * The most results of a search. Many rows can have one correlation id: all requests during one
 * review of a record share it.
 */
const maxResults = 20

type TraceRow = {
  accountId: string | null
  at: Date
  operation: string
  trace: Omit<FoundTrace, 'operation' | 'account' | 'at'>
}

async function findActionTraces(
  db: Db,
  environment: Environment,
  searchedId: string,
): Promise<TraceRow[]> {
  const matchingAttempts = await db
    .select({ id: attempts.actionId, requestId: attempts.requestId })
    .from(attempts)
    .where(or(eq(attempts.requestId, searchedId), eq(attempts.apiRequestId, searchedId)))
    .limit(maxResults)
  const idConditions: (SQL | undefined)[] = [
    eq(actions.idempotencyKey, searchedId),
    eq(actions.correlationId, searchedId),
    eq(actions.apiRequestId, searchedId),
    isUuid(searchedId) ? eq(actions.id, searchedId) : undefined,
    matchingAttempts.length > 0
      ? inArray(
          actions.id,
          matchingAttempts.map(({ id }) => id),
        )
      : undefined,
  ]
  const matchingActions = await db
    .select({ action: actions, actor: people.name })
    .from(actions)
    .innerJoin(people, eq(people.id, actions.actorId))
    .where(and(eq(actions.environment, environment), or(...idConditions)))
    .orderBy(desc(actions.createdAt))
    .limit(maxResults)
  const toTraceKey = (action: typeof actions.$inferSelect): TraceKey => {
    if (action.id === searchedId) return 'action id'
    if (action.idempotencyKey === searchedId) return 'idempotency key'
    if (action.correlationId === searchedId) return 'correlation id'
    return matchingAttempts.some(
      ({ id, requestId }) => id === action.id && requestId === searchedId,
    )
      ? 'request id'
      : 'api request id'
  }
  return matchingActions.map(({ action, actor }) => ({
    accountId: action.accountId,
    at: action.createdAt,
    operation: action.operation,
    trace: {
      kind: 'action',
      id: action.id,
      by: toTraceKey(action),
      target: action.target,
      actor,
      state: action.state,
      status: null,
    },
  }))
}

async function findRequestTraces(
  db: Db,
  environment: Environment,
  searchedId: string,
): Promise<(TraceRow & { actionId: string | null })[]> {
  const loggedRequests = await db
    .select({ logged: requestLog, actor: people.name })
    .from(requestLog)
    .innerJoin(people, eq(people.id, requestLog.actorId))
    .where(
      and(
        eq(requestLog.environment, environment),
        or(eq(requestLog.requestId, searchedId), eq(requestLog.apiRequestId, searchedId)),
      ),
    )
    .orderBy(desc(requestLog.at))
    .limit(maxResults)
  return loggedRequests.map(({ logged, actor }) => ({
    accountId: logged.accountId,
    at: logged.at,
    operation: logged.operation,
    actionId: logged.actionId,
    trace: {
      kind: 'request',
      id: logged.id,
      by: logged.requestId === searchedId ? 'request id' : 'api request id',
      target: logged.target,
      actor,
      state: null,
      status: logged.status,
    },
  }))
}

const toFoundTraces = ({ accountId, at, operation, trace }: TraceRow): FoundTrace[] =>
  isServiceOperationId(operation)
    ? [
        {
          ...trace,
          operation,
          account: accountId && formatAccountId(accountId),
          at: at.toISOString(),
        },
      ]
    : []

/**
 * Finds actions by id, idempotency key, correlation id and request ids of attempts, and calls by
 * our request id and the service's. Leaves out accounts in which the person has no role, and calls
 * whose action is a result. `log`: the person may read the request log.
 */
async function findTraces(
  actor: Actor,
  environment: Environment,
  searchedId: string,
): Promise<{ traces: FoundTrace[]; log: boolean }> {
  const db = await getDatabase()
  const getRoles = (accountId: string | null) => getRolesIn(actor.grants, environment, accountId)
  const canReadRequestLog = actor.grants.some(
    (grant) => grant.environment === environment && requestLogRoles.includes(grant.role),
  )
  const actionRows = (await findActionTraces(db, environment, searchedId)).filter(
    (row) => getRoles(row.accountId).length > 0,
  )
  const requestRows = canReadRequestLog ? await findRequestTraces(db, environment, searchedId) : []
  const actionIds = new Set(actionRows.map((row) => row.trace.id))
  const visibleRequestRows = requestRows.filter(
    (row) =>
      !actionIds.has(row.actionId ?? '') &&
      getRoles(row.accountId).some((role) => requestLogRoles.includes(role)),
  )
  const sortedRows = [...actionRows, ...visibleRequestRows].sort(
    (one, other) => other.at.getTime() - one.at.getTime(),
  )
  return { traces: sortedRows.flatMap(toFoundTraces).slice(0, maxResults), log: canReadRequestLog }
}

async function findCustomersByEmail(
  email: string,
  actor: Actor,
  environment: Environment,
  account: string | null,
): Promise<Pick<FindResult, 'customers' | 'unsearched'>> {
  const scope = await authorizeCall(actor, {
    environment,
    operation: 'customers.by_email',
    account,
    target: null,
  })
  const input = parseInput('customers.by_email', { email }) as { email: string }
  const { data, meta } = await readFromService(actor, 'customers.by_email', input, scope)
  return { customers: data, unsearched: toUnsearchedSources('customers', meta.unreadable_rows) }
}

async function runSearch(
  actor: Actor,
  environment: Environment,
  account: string | null,
  searchText: string,
): Promise<FindResult> {
  if (searchText.includes('@'))
    return { traces: [], ...(await findCustomersByEmail(searchText, actor, environment, account)) }
  const { traces, log } = await findTraces(actor, environment, searchText)
  const unsearchedSources = log
    ? []
    : [{ what: 'the request log', why: `Only ${formatRoles(requestLogRoles)} can read it.` }]
  return { traces, customers: [], unsearched: unsearchedSources }
}

/** A text with `@` finds customers of the selected account by email, other text finds ids. */
export const searchHandlers: DeskOperationHandlers<'find.search'> = {
  'find.search': async ({ actor, environment, account, input }) => ({
    data: await runSearch(actor, environment, account, input.text),
  }),
}
