import 'server-only'
import { and, desc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { rolesText } from '@/lib/domain/permissions'
import { isUuid } from '@/lib/formats'
import { type Environment, requestLogRoles } from '@/lib/operations/define'
import { type FindResult, type FoundTrace, type TraceKey, toUnsearched } from '@/lib/operations/find'
import { isServiceOperationId } from '@/lib/operations/service-operations'
import { accountText, getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { authorizeCall } from '@/lib/server/http/authorize'
import type { OperationRuns } from '@/lib/server/http/desk-call'
import { parseInput } from '@/lib/server/http/input'
import { readService } from '@/lib/server/service/service-read'
import { actions, attempts } from '@/lib/server/store/schema/actions'
import { requestLog } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { type Db, database } from '@/lib/server/store/store'

/** Maximum number of results. Many rows can have the same correlation id, if a page was open for long. */
const maxResults = 20

type TraceRow = { accountId: string | null; at: Date; operation: string; trace: Omit<FoundTrace, 'operation' | 'account' | 'at'> }

async function findActions(db: Db, environment: Environment, text: string): Promise<TraceRow[]> {
  const matchingAttempts = await db
    .select({ id: attempts.actionId, requestId: attempts.requestId })
    .from(attempts)
    .where(or(eq(attempts.requestId, text), eq(attempts.apiRequestId, text)))
    .limit(maxResults)
  const idConditions: (SQL | undefined)[] = [
    eq(actions.idempotencyKey, text),
    eq(actions.correlationId, text),
    eq(actions.apiRequestId, text),
    isUuid(text) ? eq(actions.id, text) : undefined,
    matchingAttempts.length > 0
      ? inArray(
          actions.id,
          matchingAttempts.map(({ id }) => id),
        )
      : undefined,
  ]
  const rows = await db
    .select({ action: actions, actor: people.name })
    .from(actions)
    .innerJoin(people, eq(people.id, actions.actorId))
    .where(and(eq(actions.environment, environment), or(...idConditions)))
    .orderBy(desc(actions.createdAt))
    .limit(maxResults)
  const toTraceKey = (action: typeof actions.$inferSelect): TraceKey => {
    if (action.id === text) return 'action id'
    if (action.idempotencyKey === text) return 'idempotency key'
    if (action.correlationId === text) return 'correlation id'
    return matchingAttempts.some(({ id, requestId }) => id === action.id && requestId === text) ? 'request id' : 'api request id'
  }
  return rows.map(({ action, actor }) => ({
    accountId: action.accountId,
    at: action.createdAt,
    operation: action.operation,
    trace: { kind: 'action', id: action.id, by: toTraceKey(action), target: action.target, actor, state: action.state, status: null },
  }))
}

async function findRequests(db: Db, environment: Environment, text: string): Promise<(TraceRow & { actionId: string | null })[]> {
  const rows = await db
    .select({ logged: requestLog, actor: people.name })
    .from(requestLog)
    .innerJoin(people, eq(people.id, requestLog.actorId))
    .where(and(eq(requestLog.environment, environment), or(eq(requestLog.requestId, text), eq(requestLog.apiRequestId, text))))
    .orderBy(desc(requestLog.at))
    .limit(maxResults)
  return rows.map(({ logged, actor }) => ({
    accountId: logged.accountId,
    at: logged.at,
    operation: logged.operation,
    actionId: logged.actionId,
    trace: {
      kind: 'request',
      id: logged.id,
      by: logged.requestId === text ? 'request id' : 'api request id',
      target: logged.target,
      actor,
      state: null,
      status: logged.status,
    },
  }))
}

const toTraces = ({ accountId, at, operation, trace }: TraceRow): FoundTrace[] =>
  isServiceOperationId(operation) ? [{ ...trace, operation, account: accountId && accountText(accountId), at: at.toISOString() }] : []

/**
 * Returns the actions and calls with an exact id: an action by its id, idempotency key, correlation id or the request ids of its attempts,
 * and a call in the request log by our request id or the service's. Only results in accounts in which the person has a role, newest first.
 * A call is left out if its action is a result. `log` is true if the person may read the request log.
 */
async function findTraces(actor: Actor, environment: Environment, text: string): Promise<{ traces: FoundTrace[]; log: boolean }> {
  const db = await database()
  const getRoles = (accountId: string | null) => getRolesIn(actor.grants, environment, accountId)
  const log = actor.grants.some((grant) => grant.environment === environment && requestLogRoles.includes(grant.role))
  const actionRows = (await findActions(db, environment, text)).filter((row) => getRoles(row.accountId).length > 0)
  const requestRows = log ? await findRequests(db, environment, text) : []
  const ids = new Set(actionRows.map((row) => row.trace.id))
  const visibleRequestRows = requestRows.filter(
    (row) => !ids.has(row.actionId ?? '') && getRoles(row.accountId).some((role) => requestLogRoles.includes(role)),
  )
  const sortedRows = [...actionRows, ...visibleRequestRows].sort((one, other) => other.at.getTime() - one.at.getTime())
  return { traces: sortedRows.flatMap(toTraces).slice(0, maxResults), log }
}

async function findCustomers(
  email: string,
  actor: Actor,
  environment: Environment,
  account: string | null,
): Promise<Pick<FindResult, 'customers' | 'unsearched'>> {
  const scope = await authorizeCall(actor, { environment, operation: 'customers.by_email', account, target: null })
  const input = parseInput('customers.by_email', { email }) as { email: string }
  const { data, meta } = await readService('customers.by_email', input, scope)
  return { customers: data, unsearched: toUnsearched('customers', meta.unreadable_rows) }
}

async function runSearch(actor: Actor, environment: Environment, account: string | null, text: string): Promise<FindResult> {
  if (text.includes('@')) return { traces: [], ...(await findCustomers(text, actor, environment, account)) }
  const { traces, log } = await findTraces(actor, environment, text)
  const unsearched = log ? [] : [{ what: 'the request log', why: `Only ${rolesText(requestLogRoles)} can read it.` }]
  return { traces, customers: [], unsearched }
}

/** Runs the search: actions and calls by exact id, and customers by email in the account scope. It only reads. */
export const findRuns: OperationRuns<'find.search'> = {
  'find.search': async ({ actor, environment, account, input }) => ({ data: await runSearch(actor, environment, account, input.text) }),
}
