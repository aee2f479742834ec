import 'server-only'
import { environmentOf } from './guard'
import { limitRequestsIn, permitLimits } from './limit-requests'
import { limitUsesOf } from './limit-use'
import { respond, respondError } from './proxy/respond'
import { newRequestId } from './request-id'
import type { ScopedAccount } from './scoped-account'
import { requireActor } from './session'
import type { Actor } from './session-rows'

type Context = { params: Promise<{ environment: string }> }

/** Answers about the account named in `account`, in the scope in which the person may look at its limits. */
async function answered(
  request: Request,
  context: Context,
  work: (scope: ScopedAccount, actor: Actor) => Promise<unknown>,
): Promise<Response> {
  const requestId = newRequestId()
  try {
    const environment = environmentOf((await context.params).environment)
    const actor = await requireActor(request)
    const scope = await permitLimits(actor, { environment, account: new URL(request.url).searchParams.get('account') })
    const data = await work(scope, actor)
    const meta = { request_id: requestId, read_at: new Date().toISOString() }
    return respond(200, { response_type: Array.isArray(data) ? 'array' : 'object', meta, data })
  } catch (error) {
    return respondError(error, requestId)
  }
}

/** Serves the requests for other limits of one account, newest first, each as it stands now. */
export const serveLimitRequests = (request: Request, context: Context): Promise<Response> => answered(request, context, limitRequestsIn)

/** Serves what an account has used of its limits this day and month, read anew: whoever asks here has pressed for it. */
export const serveLimitUse = (request: Request, context: Context): Promise<Response> =>
  answered(request, context, (scope) => limitUsesOf(scope, { fresh: true }))
