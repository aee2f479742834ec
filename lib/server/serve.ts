import 'server-only'
import { after } from 'next/server'
import { AppError } from '@/lib/errors'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Environment } from '@/lib/operations/define'
import { matchOperation } from '@/lib/operations/http'
import { type OperationId, type ReadId, rowOf } from '@/lib/operations/rows'
import { environmentOf, permit, refuseOtherReaders, refuseOtherSites, targetOf } from './guard'
import { answerError } from './http/handler'
import { jsonFields, parseInput, queryFields, readOnce } from './proxy/input'
import { askingOf, type Known, keepCall } from './proxy/keep-call'
import { respond, respondError } from './proxy/respond'
import { serveReveal } from './proxy/serve-reveal'
import { serveWrite } from './proxy/serve-write'
import { readService } from './proxy/service-read'
import { narrowed, ownAccounts } from './reach'
import { newRequestId } from './request-id'
import { requireActor } from './session'

type Context = { params: Promise<{ environment: string; path: string[] }> }

function match(method: string, path: readonly string[]): { id: OperationId; params: Record<string, string> } {
  const found = matchOperation(method, path)
  if (found === null) throw new AppError('not_found', 'There is no such operation')
  if ('id' in found) return found
  throw new AppError('method_not_allowed', `This address takes ${found.allowed.join(', ')}`)
}

/** Where a request may come from: writes and reveals from our own pages only. */
function refuseStrangers(request: Request, id: OperationId): void {
  const { effect, sensitive } = rowOf(id)
  if (effect !== 'read') refuseOtherSites(request)
  else if (sensitive) refuseOtherReaders(request)
}

type Matched = { environment: Environment; id: OperationId; params: Record<string, string> }

async function matched(request: Request, context: Context): Promise<Matched> {
  const { environment: word, path } = await context.params
  const environment = environmentOf(word)
  return { environment, ...match(request.method, path) }
}

async function handle(request: Request, { environment, id, params }: Matched, known: Known, requestId: string): Promise<Response> {
  const { effect, sensitive } = rowOf(id)
  const reads = effect === 'read'
  const query = new URL(request.url).searchParams
  const account = query.get('account')
  const target = targetOf(id, params)
  known.asked = { environment, operation: id, account, target }
  refuseStrangers(request, id)
  const actor = await requireActor(request)
  known.actor = actor
  const fields = readOnce(async () => (reads ? queryFields(query) : jsonFields(request)))
  const scope = await permit(actor, { environment, operation: id, account, target, fields })
  known.scope = scope
  if (!reads) return serveWrite({ request, operation: id, params, fields, actor, scope, target }, requestId)
  const input = parseInput(id, { ...narrowed(id, await fields(), scope), ...params })
  if (sensitive) return serveReveal({ request, operation: id as ReadId, input, actor, scope, target: target ?? id })
  const { data, meta } = await readService(id as ReadId, input as never, scope, request.signal)
  if (id === 'accounts.list')
    return respond(200, { response_type: 'array', ...ownAccounts({ data: data as Account[], meta }, actor, scope) })
  return respond(200, { response_type: Array.isArray(data) ? 'array' : 'object', meta, data })
}

/**
 * The whole proxy: known operation, same origin, session, permission and account, input, policy, book, send. That order is the policy.
 * Everything that goes wrong becomes one error shape with a request id. From the session on, every call leaves one row in the request log.
 */
export async function serve(request: Request, context: Context): Promise<Response> {
  const requestId = newRequestId()
  const known: Known = { startedAt: performance.now() }
  let response: Response
  try {
    response = await handle(request, await matched(request, context), known, requestId)
  } catch (error) {
    const asking = askingOf(known)
    response = asking ? await answerError(error, asking, request, requestId) : respondError(error, requestId)
  }
  const kept = keepCall(known, response)
  // Only a server that is told to stop waits for it.
  if (kept) after(kept)
  return response
}
