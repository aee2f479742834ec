import 'server-only'
import { environmentOf } from './guard'
import { handler } from './http/handler'
import { limitRequestsIn, permitLimits } from './limit-requests'
import { limitUsesOf } from './limit-use'
import { respond } from './proxy/respond'
import type { ScopedAccount } from './scoped-account'
import type { Actor } from './session-rows'

/** Answers about the account named in `account`, in the scope in which the person may look at its limits. */
const limitHandler = (rules: Parameters<typeof handler>[0], work: (scope: ScopedAccount, actor: Actor) => Promise<unknown>) =>
  handler<{ environment: string }>(rules, async ({ request, params, actor, requestId }) => {
    const environment = environmentOf(params.environment)
    const scope = await permitLimits(actor, { environment, account: new URL(request.url).searchParams.get('account') })
    const data = await work(scope, actor)
    const meta = { request_id: requestId, read_at: new Date().toISOString() }
    return respond(200, { response_type: Array.isArray(data) ? 'array' : 'object', meta, data })
  })

/** Serves the requests for other limits of one account, newest first, each as it stands now. */
export const serveLimitRequests = limitHandler({ name: 'limit_requests.list' }, limitRequestsIn)

/** Serves what an account has used of its limits this day and month, read anew: whoever asks here has pressed for it. */
export const serveLimitUse = limitHandler({ name: 'limit_requests.use' }, (scope) => limitUsesOf(scope, { fresh: true }))
