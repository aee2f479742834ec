import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { parseCallFilter } from '@/lib/operations/activity'
import type { ActionView } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { toActionAnswer } from '@/lib/server/actions/action-answer'
import { toAuditEntry } from '@/lib/server/actions/action-log'
import { decideOutcome } from '@/lib/server/actions/decide'
import { checkActionNow } from '@/lib/server/actions/resolver'
import {
  findAction,
  listActionsOnTarget,
  listOwnPendingCreations,
} from '@/lib/server/actions/views'
import { listOpenActionViews } from '@/lib/server/actions/waiting-views'
import { recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { getGrantedAccounts, getRolesIn, parseAccountId } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { authorizeAction, authorizeDecision } from '@/lib/server/http/authorize-action'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { respond } from '@/lib/server/http/respond'
import { type CallPageOptions, callsPerPage, readCallsPage } from './activity'

/** Newest first, without those in accounts in which the person has no role. */
async function listVisibleActions(
  actor: Actor,
  environment: Environment,
  target: string,
): Promise<ActionView[]> {
  const allActions = await listActionsOnTarget(environment, target, actor.id)
  return allActions.filter(
    (action) =>
      getRolesIn(actor.grants, environment, action.account && parseAccountId(action.account))
        .length > 0,
  )
}

export async function loadTargetActions(
  context: PageContext,
  target: string,
): Promise<ActionView[]> {
  const actor = await getCurrentActor()
  return actor ? listVisibleActions(actor, context.environment, target) : []
}

/**
 * Open actions of the person that create something. A form shows them when it is opened again, so
 * that the object is not created twice while an outcome is unknown.
 */
async function listPendingCreations(
  actor: Actor,
  environment: Environment,
  operation: ServiceOperationId,
  account: string | null,
): Promise<ActionView[]> {
  const accountId = account && parseAccountId(account)
  return getRolesIn(actor.grants, environment, accountId).length > 0
    ? listOwnPendingCreations(environment, operation, accountId, actor.id)
    : []
}

/** Oldest first: unknown outcomes, needed decisions, and actions in progress for over a minute. */
export const listOpenActions = (environment: Environment, actor: Actor): Promise<ActionView[]> =>
  listOpenActionViews(environment, getGrantedAccounts(actor.grants, environment), actor.id)

/** Throws `not_found` also if the person has no role in the account of the action. */
async function findVisibleAction(
  id: string,
  { actor, environment }: { actor: Actor; environment: Environment },
) {
  const foundAction = await findAction(id, actor.id)
  const isVisible =
    foundAction &&
    foundAction.action.environment === environment &&
    getRolesIn(actor.grants, environment, foundAction.action.accountId).length > 0
  if (!isVisible) throw new AppError('not_found', 'There is no such action')
  return foundAction
}

/** Contains the service's stored response only if the person may run the same operation. */
function respondWithAction(
  { action, view }: Awaited<ReturnType<typeof findVisibleAction>>,
  { grants }: Actor,
): Response {
  const roles = getRolesIn(grants, action.environment, action.accountId)
  const { status, body } = toActionAnswer(action, view, {
    mayRead: whyNotAllowed(roles, getServiceOperation(view.operation)) === null,
  })
  return respond(status, body)
}

/** For an action with an unknown outcome, the HTTP status is 202. */
export const actionHandlers: DeskOperationHandlers<
  'actions.list' | 'actions.read' | 'actions.check' | 'actions.decide'
> = {
  'actions.list': async ({ actor, environment, account, input: { operation, target } }) => ({
    data: operation
      ? await listPendingCreations(actor, environment, operation, account)
      : await listVisibleActions(actor, environment, target ?? ''),
  }),
  'actions.read': async (call) =>
    respondWithAction(await findVisibleAction(call.input.id, call), call.actor),
  // Sends the request again with the same idempotency key, if the outcome is open and no other
  // process sends it.
  'actions.check': async (call) => {
    const { actor, input } = call
    const { action } = await findVisibleAction(input.id, call)
    await authorizeAction(actor, action)
    await recordAudit({ ...toAuditEntry(action, 'checked'), ...toActorFields(actor) })
    await checkActionNow(action.id)
    return respondWithAction(await findVisibleAction(input.id, call), actor)
  },
  // A person states the outcome of an action that the service cannot confirm. Nothing is sent to
  // the service.
  'actions.decide': async (call) => {
    const { id, ...decision } = call.input
    const { action } = await findVisibleAction(id, call)
    await authorizeDecision(call.actor, action)
    await decideOutcome(action, call.actor, decision)
    const decidedAction = await findVisibleAction(id, call)
    return respond(200, {
      response_type: 'object',
      meta: { request_id: call.requestId },
      action: decidedAction.view,
    })
  },
}

/** Invalid values are ignored. */
function parsePageOptions(
  fields: Readonly<Record<string, unknown>>,
  account: string | null,
): CallPageOptions & { size: number } {
  const requestedSize = Number(fields.page_size ?? callsPerPage)
  const afterTime = Date.parse(String(fields.after ?? ''))
  return {
    size:
      Number.isInteger(requestedSize) && requestedSize >= 1 && requestedSize <= callsPerPage
        ? requestedSize
        : callsPerPage,
    ...(account ? { account: parseAccountId(account) } : {}),
    ...(Number.isNaN(afterTime) ? {} : { after: new Date(afterTime) }),
  }
}

/** Newest first. `meta.total_items` is at most 10,001. */
export const requestLogHandlers: DeskOperationHandlers<'requests.list'> = {
  'requests.list': async ({ actor, environment, account, input }) => {
    const pageOptions = parsePageOptions(input, account)
    const { calls, total } = await readCallsPage(
      actor,
      environment,
      parseCallFilter(input),
      pageOptions,
    )
    return {
      data: calls,
      meta: { page_number: 1, page_size: pageOptions.size, total_items: total },
    }
  },
}
