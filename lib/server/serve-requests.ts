import 'server-only'
import { callFilterOf } from '@/lib/operations/activity'
import { type CallsPart, callsOf, callsPerPage, requireLogReader } from './activity'
import { environmentOf } from './guard'
import { handler } from './http/handler'
import { respond } from './proxy/respond'
import { parseAccount } from './scoped-account'

/** A number of rows, or an instant, out of a query; what is none of its kind is not asked for. */
function partOf(query: URLSearchParams): CallsPart & { size: number } {
  const account = query.get('account')
  const size = Number(query.get('page_size') ?? callsPerPage)
  const after = Date.parse(query.get('after') ?? '')
  return {
    size: Number.isInteger(size) && size >= 1 && size <= callsPerPage ? size : callsPerPage,
    ...(account ? { account: parseAccount(account) } : {}),
    ...(Number.isNaN(after) ? {} : { after: new Date(after) }),
  }
}

/**
 * Serves the newest calls of the request log: `GET /api/{environment}/requests?<filters>&account=&after=&page_size=`, with the count of all that
 * match in `meta.total_items`. Screens ask for this by themselves, so it keeps no session alive. Throws `forbidden` for who may read no log.
 */
export const serveRequests = handler<{ environment: string }>(
  { name: 'requests.list', active: false },
  async ({ request, params, actor, requestId }) => {
    const environment = environmentOf(params.environment)
    requireLogReader(actor, environment)
    const query = new URL(request.url).searchParams
    const part = partOf(query)
    const { calls, total } = await callsOf(actor, environment, callFilterOf(Object.fromEntries(query)), part)
    const meta = { request_id: requestId, read_at: new Date().toISOString(), page_number: 1, page_size: part.size, total_items: total }
    return respond(200, { response_type: 'array', meta, data: calls })
  },
)
