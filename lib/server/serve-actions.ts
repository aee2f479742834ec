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
import { doneBy } from './audit/client'
import { environmentOf, permitBooked, permitDecision } from './guard'
import { handler } from './http/handler'
import { jsonFields } from './proxy/input'
import { respond } from './proxy/respond'
import { rolesIn } from './scoped-account'
import type { Actor } from './session-rows'

type Params = { id: string }

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

/** Serves the actions on one object, or the person's own open ones that make something; newest first. Screens ask by themselves, so it keeps no session alive. */
export const serveActionList = handler({ name: 'actions.list', active: false }, async ({ request, actor, requestId }) => {
  const data = await listed(actor, new URL(request.url).searchParams)
  return respond(200, { response_type: 'array', meta: { request_id: requestId }, data })
})

/** Serves one action as it stands: with the kept answer once it is settled, for those who may do the same; 202 while it is unknown. */
export const serveAction = handler<Params>({ name: 'actions.read', active: false }, async ({ params, actor }) =>
  told(await visible(params.id, actor), actor),
)

/** Serves "check again": the same bytes under the same key, if the action is open and nobody is at it; then the action as it stands. */
export const serveCheck = handler<Params>({ name: 'actions.check', from: 'own pages' }, async ({ params, actor }) => {
  const { action } = await visible(params.id, actor)
  await permitBooked(actor, action)
  await recordAudit({ ...auditOf(action, 'checked'), ...doneBy(actor) })
  await checkNow(action.id)
  return told(await visible(params.id, actor), actor)
})

/** Serves a person's word on what became of an action that nobody can confirm; then the action as it stands. Nothing is sent anywhere. */
export const serveDecision = handler<Params>(
  { name: 'actions.decide', from: 'own pages' },
  async ({ request, params, actor, requestId }) => {
    const { action } = await visible(params.id, actor)
    await permitDecision(actor, action)
    await decide(action, actor, readDecision(await jsonFields(request)))
    const now = await visible(params.id, actor)
    return respond(200, { response_type: 'object', meta: { request_id: requestId }, action: now.view })
  },
)
