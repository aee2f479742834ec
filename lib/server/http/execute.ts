import 'server-only'
import { after } from 'next/server'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import { type Environment, toOperationResource } from '@/lib/operations/define'
import type { DeskOperationId } from '@/lib/operations/desk-operations'
import { getOperation, isDeskOperation, type OperationId } from '@/lib/operations/operations'
import { matchOperation } from '@/lib/operations/registry'
import { isMirrored, isRecordGet, type ReadId } from '@/lib/operations/service-operations'
import { requireActor } from '@/lib/server/auth/session'
import { metrics } from '@/lib/server/counters'
import { createRequestId } from '@/lib/server/service/request'
import { runInSpan } from '@/lib/server/traces'
import { authorizeOperation } from './authorize'
import type { DeskOperationHandlers, DeskOperationResult } from './desk-call'
import { createFieldsReader, readIdempotencyKey } from './input'
import { type OperationRequest, parseRequestInput } from './operation-reads'
import {
  requireEnvironment,
  requireSameOrigin,
  requireSameOriginRead,
  requireSamePerson,
} from './own-pages'
import { createStepUpCheck, type RouteSource, runPermittedCall } from './permitted-call'
import { logCall, type RequestContext, toRefusalContext } from './request-log'
import { findApiAnswer, respond, respondAuditedError, respondError } from './respond'
import { toTarget } from './target'

type RouteContext = { params: Promise<{ environment: string; path: string[] }> }
type MatchedOperation = {
  environment: Environment
  id: OperationId
  params: Record<string, string>
}

/** Throws `not_found` and `method_not_allowed`. */
async function matchRequest(
  request: Request,
  context: RouteContext,
  source: RouteSource,
): Promise<MatchedOperation> {
  const { environment: environmentName, path } = await context.params
  const environment = requireEnvironment(environmentName)
  const matchResult = matchOperation(request.method, path, source === 'desk' ? 'desk' : 'service')
  const isServed =
    matchResult !== null &&
    (source !== 'mirror' ||
      ('id' in matchResult &&
        (isMirrored(matchResult.id as ReadId) || isRecordGet(matchResult.id))))
  if (!isServed) throw new AppError('not_found', 'There is no such operation')
  if ('id' in matchResult) return { environment, ...matchResult }
  throw new AppError('method_not_allowed', `This address takes ${matchResult.allowed.join(', ')}`)
}

/** Writes, and reads of protected data, must come from our own pages. Throws `other_site`. */
function requireOwnOrigin(request: Request, id: OperationId): void {
  const definition = getOperation(id)
  if (definition.method !== 'GET') requireSameOrigin(request)
  else if (definition.source === 'desk' ? definition.ownPagesOnly : definition.sensitive)
    requireSameOriginRead(request)
}

/**
 * Requests that open pages send by themselves, such as polling, do not extend the session. Throws
 * `unauthenticated`.
 */
function requireSession(request: Request, id: OperationId): ReturnType<typeof requireActor> {
  const definition = getOperation(id)
  return requireActor(request, { active: !(definition.source === 'desk' && definition.unattended) })
}

function toOperationResponse(
  id: OperationId,
  result: DeskOperationResult<DeskOperationId>,
  requestId: string,
): Response {
  if (result instanceof Response) return result
  const definition = getOperation(id)
  const status = definition.source === 'desk' ? definition.status : undefined
  const readTimeMeta = definition.effect === 'read' ? { read_at: new Date().toISOString() } : {}
  const meta = { request_id: requestId, ...readTimeMeta, ...result.meta }
  return respond(status ?? 200, {
    response_type: Array.isArray(result.data) ? 'array' : 'object',
    meta,
    data: result.data,
  })
}

type ServeContext = { source: RouteSource; runs: Partial<DeskOperationHandlers>; requestId: string }

async function handleMatchedRequest(
  request: Request,
  matched: MatchedOperation,
  requestContext: RequestContext,
  { source, runs, requestId }: ServeContext,
): Promise<Response> {
  const { environment, id, params } = matched
  const account = new URL(request.url).searchParams.get('account')
  const target = isDeskOperation(id) ? null : toTarget(id, params)
  requestContext.asked = {
    environment,
    operation: id,
    account,
    target,
    ofService: source === 'service',
  }
  // Set the target early: the audit row of a refused request about a person names that person.
  if (isDeskOperation(id) && isUuid((params.id ?? '').toLowerCase()))
    requestContext.about = { target: `${toOperationResource(id)}/${params.id?.toLowerCase()}` }
  requireOwnOrigin(request, id)
  requestContext.actor = await requireSession(request, id)
  requireSamePerson(request, requestContext.actor)
  const operationRequest: OperationRequest = {
    ...matched,
    account,
    target,
    actor: requestContext.actor,
    fields: createFieldsReader(request, id),
  }
  // A record of the mirror is not authorized here, because `authorize` may call the service to find
  // the account. Instead, the read of the mirror returns only rows that the person can see.
  const scope =
    source === 'mirror' && isRecordGet(id)
      ? null
      : await authorizeOperation(operationRequest.actor, { ...operationRequest, operation: id })
  requestContext.scope = scope
  const idempotencyKey =
    isDeskOperation(id) || getOperation(id).effect === 'read' ? null : readIdempotencyKey(request)
  const input = await parseRequestInput(operationRequest, scope)
  return toOperationResponse(
    id,
    await runPermittedCall(
      {
        ...operationRequest,
        request,
        requestId,
        known: requestContext,
        scope,
        key: idempotencyKey,
        input,
        stepUp: createStepUpCheck(operationRequest, request, input),
      },
      source,
      runs,
    ),
    requestId,
  )
}

/** `requestContext` collects facts about the request, also if it fails. */
async function serveRequest(
  request: Request,
  context: RouteContext,
  requestContext: RequestContext,
  serveContext: ServeContext,
): Promise<Response> {
  try {
    return await handleMatchedRequest(
      request,
      await matchRequest(request, context, serveContext.source),
      requestContext,
      serveContext,
    )
  } catch (error) {
    const refusalContext = toRefusalContext(requestContext)
    return refusalContext
      ? respondAuditedError(error, refusalContext, request, serveContext.requestId)
      : respondError(error, serveContext.requestId)
  }
}

/**
 * The order of the steps is the policy: match, origin, session, permission and account, input,
 * policy with step-up, run, response. Every refusal gets one audit row. Every request for a service
 * operation that passed the session check gets one row in the request log.
 */
export const createRouteHandler =
  (source: RouteSource, runs: Partial<DeskOperationHandlers> = {}) =>
  (request: Request, context: RouteContext): Promise<Response> =>
    runInSpan('request', 'request', async (setSpanFields) => {
      const requestId = createRequestId()
      const currentRequestContext: RequestContext = { startedAt: performance.now() }
      const response = await serveRequest(request, context, currentRequestContext, {
        source,
        runs,
        requestId,
      })
      const [operation, outcome] = [
        currentRequestContext.asked?.operation ?? 'none',
        findApiAnswer(response)?.error?.code ?? 'ok',
      ]
      metrics.requests.inc({ operation, outcome })
      metrics.requestTimes.observe(
        { operation },
        (performance.now() - currentRequestContext.startedAt) / 1000,
      )
      setSpanFields({ operation, outcome, request_id: requestId, status: response.status })
      const pendingLogWrite = logCall(currentRequestContext, response)
      // The response does not wait for this write. Only a shutdown of the server does.
      if (pendingLogWrite) after(pendingLogWrite)
      return response
    })
