import 'server-only'
import { after } from 'next/server'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import { type Environment, type Operation, toOperationResource } from '@/lib/operations/define'
import type { DeskOperationId } from '@/lib/operations/desk-operations'
import { getOperation, isDeskOperation, type OperationId } from '@/lib/operations/operations'
import { matchOperation } from '@/lib/operations/registry'
import {
  isMirrored,
  isRecordGet,
  type MirrorListId,
  type ReadId,
} from '@/lib/operations/service-operations'
import { readProofMinutes } from '@/lib/server/approvals/policy'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { requireActor } from '@/lib/server/auth/session'
import {
  consumeStepUp,
  hashPayload,
  type NeededProof,
  requireStepUp,
  type StepUpProof,
} from '@/lib/server/auth/step-up/challenges'
import { metrics } from '@/lib/server/counters'
import { createRequestId } from '@/lib/server/service/request'
import { getDatabase } from '@/lib/server/store/store'
import { runInSpan } from '@/lib/server/traces'
import { authorizeOperation } from './authorize'
import type { DeskAnswer, OperationRun, OperationRuns } from './desk-call'
import { createFieldsReader, readIdempotencyKey } from './input'
import {
  type OperationRequest,
  parseRequestInput,
  readFromService,
  readList,
  readMirrorRecord,
} from './operation-reads'
import {
  requireEnvironment,
  requireSameOrigin,
  requireSameOriginRead,
  requireSamePerson,
} from './own-pages'
import { logCall, type RequestContext, toRefusalContext } from './request-log'
import { findAnswer, respond, respondAuditedError, respondError } from './respond'
import { revealData } from './reveal'
import { toTarget } from './target'
import { runWrite } from './write'

/** The `mirror` is our stored copy of the service's lists and records. */
type RouteSource = Operation['source'] | 'mirror'
type RouteContext = { params: Promise<{ environment: string; path: string[] }> }
type MatchedOperation = {
  environment: Environment
  id: OperationId
  params: Record<string, string>
}

type PermittedCall = OperationRequest & {
  request: Request
  requestId: string
  known: RequestContext
  scope: ScopedAccount | null
  /** The same for every retry of a write to the service. Null for all other requests. */
  key: string | null
  input: Record<string, unknown>
  /** Null if the operation requires no step-up proof. Throws `step_up_needed`. */
  stepUp: (needed: NeededProof) => Promise<StepUpProof | null>
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

type RegisteredRun = OperationRuns[DeskOperationId]

const toDeskCall = (call: PermittedCall) => ({
  ...call,
  scope: call.scope as never,
  input: call.input as never,
  about: (refusalDetails: RequestContext['about']) => {
    call.known.about = refusalDetails
  },
})

async function runDeskOperation(
  call: PermittedCall,
  registeredRun: RegisteredRun,
): Promise<DeskAnswer<DeskOperationId>> {
  const operationRun = (
    typeof registeredRun === 'function' ? registeredRun : registeredRun.run
  ) as OperationRun<DeskOperationId>
  return operationRun(toDeskCall(call))
}

/** Throws `not_found` if the mirror has no such record that the person can see. */
async function readFromMirror({
  id,
  actor,
  scope,
  input,
  environment,
  account,
}: PermittedCall): Promise<DeskAnswer<DeskOperationId>> {
  if (scope) return readList(actor, id as MirrorListId, input, scope, 'short')
  const mirrorAnswer =
    isRecordGet(id) &&
    (await readMirrorRecord(actor, id, String(input.id), { environment, account }))
  if (mirrorAnswer) return mirrorAnswer
  throw new AppError('not_found', 'Paydesk has not seen this object yet')
}

const emptyProofSubject = { amount: null, payee: null }

/** The proof is valid only for the same payload. */
const createStepUpCheck =
  (
    { id, actor, environment }: OperationRequest,
    request: Request,
    input: Record<string, unknown>,
  ) =>
  async (needed: NeededProof): Promise<StepUpProof | null> => {
    if (!getOperation(id).stepUp) return null
    return requireStepUp(
      request,
      { actor, environment, operation: id, payloadHash: hashPayload(request, input) },
      needed,
    )
  }

async function consumeCallProof(
  call: PermittedCall,
  registeredRun: RegisteredRun | undefined,
): Promise<void> {
  const proofSubject =
    typeof registeredRun === 'object' && getOperation(call.id).stepUp
      ? await registeredRun.subject(toDeskCall(call) as never)
      : emptyProofSubject
  const proofMinutes =
    getOperation(call.id).stepUp === 'recent'
      ? await readProofMinutes(await getDatabase(), call.actor.id)
      : 0
  const proof = await call.stepUp({ minutes: proofMinutes, ...proofSubject })
  if (proof) await consumeStepUp(await getDatabase(), proof)
}

/**
 * A write to the service goes through the action log, with its precondition and reason. A read of
 * protected data is counted and audited. Every other read of the service is sent directly.
 */
async function runPermittedCall(
  call: PermittedCall,
  source: RouteSource,
  runs: Partial<OperationRuns>,
): Promise<DeskAnswer<DeskOperationId>> {
  const { id, request, actor, scope, key, input } = call
  const registeredRun = isDeskOperation(id) ? runs[id] : undefined
  // Only a write to the service has a key. Its proof is consumed later, in the transaction that
  // records the write.
  if (!key) await consumeCallProof(call, registeredRun)
  if (isDeskOperation(id)) return runDeskOperation(call, registeredRun as RegisteredRun)
  if (source === 'mirror') return readFromMirror(call)
  if (!scope) throw new Error(`${id} was permitted without a scope`)
  if (key) return runWrite({ ...call, operation: id, scope, key })
  const definition = getOperation(id)
  const serviceReadRequest = { operation: id as ReadId, input, actor, scope }
  if (definition.source === 'service' && definition.sensitive)
    return revealData({ ...serviceReadRequest, request, target: call.target ?? id })
  return readFromService(actor, serviceReadRequest.operation, input, scope, request.signal)
}

function toResponse(
  id: OperationId,
  result: DeskAnswer<DeskOperationId>,
  requestId: string,
): Response {
  if (result instanceof Response) return result
  const definition = getOperation(id)
  const status = definition.source === 'desk' ? definition.status : undefined
  const timeMeta = definition.effect === 'read' ? { read_at: new Date().toISOString() } : {}
  const meta = { request_id: requestId, ...timeMeta, ...result.meta }
  return respond(status ?? 200, {
    response_type: Array.isArray(result.data) ? 'array' : 'object',
    meta,
    data: result.data,
  })
}

type ServeContext = { source: RouteSource; runs: Partial<OperationRuns>; requestId: string }

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
  return toResponse(
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
  (source: RouteSource, runs: Partial<OperationRuns> = {}) =>
  (request: Request, context: RouteContext): Promise<Response> =>
    runInSpan('request', 'request', async (setSpanFields) => {
      const requestId = createRequestId()
      const callDetails: RequestContext = { startedAt: performance.now() }
      const response = await serveRequest(request, context, callDetails, {
        source,
        runs,
        requestId,
      })
      const [operation, outcome] = [
        callDetails.asked?.operation ?? 'none',
        findAnswer(response)?.error?.code ?? 'ok',
      ]
      metrics.requests.inc({ operation, outcome })
      metrics.requestTimes.observe(
        { operation },
        (performance.now() - callDetails.startedAt) / 1000,
      )
      setSpanFields({ operation, outcome, request_id: requestId, status: response.status })
      const pendingLogWrite = logCall(callDetails, response)
      // The response does not wait for this write. Only a shutdown of the server does.
      if (pendingLogWrite) after(pendingLogWrite)
      return response
    })
