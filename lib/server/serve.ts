import 'server-only'
import { AppError } from '@/lib/errors'
import type { Account } from '@/lib/operations/accounts.schema'
import { matchOperation } from '@/lib/operations/http'
import { type OperationId, type ReadId, rowOf } from '@/lib/operations/rows'
import { environmentOf, permit, refuseOtherSites, targetOf } from './guard'
import { parseInput, queryFields } from './proxy/input'
import { respond, respondError } from './proxy/respond'
import { serveWrite } from './proxy/serve-write'
import { readService } from './proxy/service-read'
import { newRequestId } from './request-id'
import { accountsGranted, type ScopedAccount } from './scoped-account'
import { requireActor } from './session'
import type { Actor } from './session-rows'

type Context = { params: Promise<{ environment: string; path: string[] }> }

function match(method: string, path: readonly string[]): { id: OperationId; params: Record<string, string> } {
  const found = matchOperation(method, path)
  if (found === null) throw new AppError('not_found', 'There is no such operation')
  if ('id' in found) return found
  throw new AppError('method_not_allowed', `This address takes ${found.allowed.join(', ')}`)
}

/** A person limited to some accounts sees and counts those only, whatever the service lists for the platform's key. */
function ownAccounts<R extends { data: unknown; meta: { total_items?: number } }>(read: R, actor: Actor, scope: ScopedAccount): R {
  const granted = accountsGranted(actor.grants, scope.environment)
  if (!granted) return read
  const data = (read.data as Account[]).filter((account) => granted.includes(account.id))
  return { ...read, data, meta: { ...read.meta, total_items: data.length } }
}

async function handle(request: Request, context: Context, requestId: string): Promise<Response> {
  const { environment: word, path } = await context.params
  const environment = environmentOf(word)
  const { id, params } = match(request.method, path)
  const reads = rowOf(id).effect === 'read'
  if (!reads) refuseOtherSites(request)
  const actor = await requireActor(request)
  const query = new URL(request.url).searchParams
  const target = targetOf(id, params)
  const scope = await permit(actor, { environment, operation: id, account: query.get('account'), target })
  if (!reads) return serveWrite({ request, operation: id, params, actor, scope, target: target ?? id }, requestId)
  const input = parseInput(id, { ...queryFields(query), ...params })
  const { data, meta } = await readService(id as ReadId, input as never, scope, request.signal)
  if (id === 'accounts.list') return respond(200, { response_type: 'array', ...ownAccounts({ data, meta }, actor, scope) })
  return respond(200, { response_type: Array.isArray(data) ? 'array' : 'object', meta, data })
}

/**
 * The whole proxy: known operation, same origin, session, permission and account, input, policy, book, send. That order is the policy.
 * Everything that goes wrong becomes one error shape with a request id.
 */
export async function serve(request: Request, context: Context): Promise<Response> {
  const requestId = newRequestId()
  try {
    return await handle(request, context, requestId)
  } catch (error) {
    return respondError(error, requestId)
  }
}
