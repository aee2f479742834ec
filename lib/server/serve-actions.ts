import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import type { ActionView } from '@/lib/operations/answer'
import { isOperationId } from '@/lib/operations/rows'
import { actionsSeenBy, makingsOf } from './action-list'
import { auditOf } from './actions/book'
import { decide, readDecision } from './actions/decide'
import { checkNow } from './actions/resolver'
import { answerOf, findAction } from './actions/views'
import { recordAudit } from './audit/chain'
import { environmentOf, permitBooked, permitDecision, refuseOtherSites } from './guard'
import { jsonFields } from './proxy/input'
import { respond, respondError } from './proxy/respond'
import { newRequestId } from './request-id'
import { rolesIn } from './scoped-account'
import { requireActor } from './session'
import type { Actor } from './session-rows'

type Context = { params: Promise<{ id: string }> }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** An action the person may see: they hold a role in its environment and account. Throws `not_found` for every other one. */
async function visible(id: string, actor: Actor) {
  const found = uuid.test(id) ? await findAction(id, actor.id) : null
  if (!found || rolesIn(actor.grants, found.action.environment, found.action.accountId).length === 0) {
    throw new AppError('not_found', 'There is no such action')
  }
  return found
}

/** An action as it stands, its answer only where the person could have done the same themselves. */
function told({ action, view }: Awaited<ReturnType<typeof visible>>, { grants }: Actor): Response {
  const roles = rolesIn(grants, action.environment, action.accountId)
  const { status, body } = answerOf(action, view, { mayRead: whyNotAllowed(roles, view.operation) === null })
  return respond(status, body)
}

/** Which actions are asked for: those on an object (`target`), or the person's own that make something (`operation`, `account`). */
async function listed(actor: Actor, query: URLSearchParams): Promise<ActionView[]> {
  const environment = environmentOf(query.get('environment') ?? '')
  const operation = query.get('operation')
  if (operation !== null) {
    if (!isOperationId(operation)) throw new AppError('invalid_input', 'operation: must be one of ours, like customers.create')
    return makingsOf(actor, environment, operation, query.get('account'))
  }
  const target = query.get('target') ?? ''
  if (!/^[a-z_]+\/[0-9a-f-]{36}$/.test(target)) throw new AppError('invalid_input', 'target: must be like payouts/<uuid>')
  return actionsSeenBy(actor, environment, target)
}

/** Serves the actions on one object, or the person's own open ones that make something; newest first. */
export async function serveActionList(request: Request): Promise<Response> {
  const requestId = newRequestId()
  try {
    // Screens ask for this by themselves: it must not keep a session alive.
    const actor = await requireActor(request, { active: false })
    const data = await listed(actor, new URL(request.url).searchParams)
    return respond(200, { response_type: 'array', meta: { request_id: requestId }, data })
  } catch (error) {
    return respondError(error, requestId)
  }
}

/** Serves one action as it stands: with the kept answer once it is settled, for those who may do the same; 202 while it is unknown. */
export async function serveAction(request: Request, context: Context): Promise<Response> {
  const requestId = newRequestId()
  try {
    const { id } = await context.params
    const actor = await requireActor(request, { active: false })
    return told(await visible(id, actor), actor)
  } catch (error) {
    return respondError(error, requestId)
  }
}

/** Serves "check again": the same bytes under the same key, if the action is open and nobody is at it; then the action as it stands. */
export async function serveCheck(request: Request, context: Context): Promise<Response> {
  const requestId = newRequestId()
  try {
    const { id } = await context.params
    refuseOtherSites(request)
    const actor = await requireActor(request)
    const { action } = await visible(id, actor)
    await permitBooked(actor, action)
    await recordAudit({ ...auditOf(action, 'checked'), actor: actor.id, session: actor.sessionHash })
    await checkNow(action.id)
    return told(await visible(id, actor), actor)
  } catch (error) {
    return respondError(error, requestId)
  }
}

/** Serves a person's word on what became of an action that nobody can confirm; then the action as it stands. Nothing is sent anywhere. */
export async function serveDecision(request: Request, context: Context): Promise<Response> {
  const requestId = newRequestId()
  try {
    const { id } = await context.params
    refuseOtherSites(request)
    const actor = await requireActor(request)
    const { action } = await visible(id, actor)
    await permitDecision(actor, action)
    await decide(action, actor, readDecision(await jsonFields(request)))
    const now = await visible(id, actor)
    return respond(200, { response_type: 'object', meta: { request_id: requestId }, action: now.view })
  } catch (error) {
    return respondError(error, requestId)
  }
}
