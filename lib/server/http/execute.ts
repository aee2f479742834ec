import 'server-only'
import { after } from 'next/server'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/formats'
import { type Environment, type Operation, resourceOf } from '@/lib/operations/define'
import type { DeskOperationId } from '@/lib/operations/desk-operations'
import { isDesk, type OperationId, operation } from '@/lib/operations/operations'
import { matchOperation } from '@/lib/operations/registry'
import { isMirrored, isRecordGet, type MirrorListId, type ReadId } from '@/lib/operations/service-operations'
import { proofMinutes } from '@/lib/server/approvals/policy'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { requireActor } from '@/lib/server/auth/session'
import { consumeStepUp, type NeededProof, payloadHashOf, requireStepUp, type StepUp } from '@/lib/server/auth/step-up/challenges'
import { counted } from '@/lib/server/counted'
import { newRequestId } from '@/lib/server/service/request'
import { database } from '@/lib/server/store/store'
import { inSpan } from '@/lib/server/traces'
import { authorize } from './authorize'
import type { DeskAnswer, Run, Runs } from './desk-call'
import { fieldsOf, keyOf } from './input'
import { inputOf, type OperationRequest, readAs, readKept, readList } from './operation-reads'
import { environmentOf, requireSameOrigin, requireSameOriginRead, requireSamePerson } from './own-pages'
import { askingOf, type Known, keepCall } from './request-log'
import { answerError, answerIn, respond, respondError } from './respond'
import { reveal } from './reveal'
import { targetOf } from './target'
import { write } from './write'

/** Source of a route's data: the service, Paydesk itself, or the mirror of the service's lists and records. */
type Source = Operation['source'] | 'mirror'
type Context = { params: Promise<{ environment: string; path: string[] }> }
type Matched = { environment: Environment; id: OperationId; params: Record<string, string> }

/** A request that is permitted and parsed. */
type Call = OperationRequest & {
  request: Request
  requestId: string
  known: Known
  scope: ScopedAccount | null
  /** Idempotency key of a write to the service, the same for every retry. Null for all other requests. */
  key: string | null
  input: Record<string, unknown>
  /** Returns the step-up proof, or null if the operation requires none. Throws `step_up_needed`. */
  stepUp: (needed: NeededProof) => Promise<StepUp | null>
}

/** Finds the operation of a method and a path. Throws `not_found` and `method_not_allowed`. */
async function match(request: Request, context: Context, source: Source): Promise<Matched> {
  const { environment: word, path } = await context.params
  const environment = environmentOf(word)
  const found = matchOperation(request.method, path, source === 'desk' ? 'desk' : 'service')
  const isServed = found !== null && (source !== 'mirror' || ('id' in found && (isMirrored(found.id as ReadId) || isRecordGet(found.id))))
  if (!isServed) throw new AppError('not_found', 'There is no such operation')
  if ('id' in found) return { environment, ...found }
  throw new AppError('method_not_allowed', `This address takes ${found.allowed.join(', ')}`)
}

/** Requires that writes, and reads of protected data, come from our own pages. Throws `other_site`. */
function requireOrigin(request: Request, id: OperationId): void {
  const definition = operation(id)
  if (definition.method !== 'GET') requireSameOrigin(request)
  else if (definition.source === 'desk' ? definition.ownPagesOnly : definition.sensitive) requireSameOriginRead(request)
}

/** Returns the person of the session. Requests that open pages send by themselves do not extend the session. Throws `unauthenticated`. */
function requireSession(request: Request, id: OperationId): ReturnType<typeof requireActor> {
  const definition = operation(id)
  return requireActor(request, { active: !(definition.source === 'desk' && definition.unattended) })
}

type Registered = Runs[DeskOperationId]

const deskCall = (call: Call) => ({
  ...call,
  scope: call.scope as never,
  input: call.input as never,
  about: (what: Known['about']) => {
    call.known.about = what
  },
})

async function runDesk(call: Call, registered: Registered): Promise<DeskAnswer<DeskOperationId>> {
  const run = (typeof registered === 'function' ? registered : registered.run) as Run<DeskOperationId>
  return run(deskCall(call))
}

/** Reads a list or a record from the mirror. Throws `not_found` if the person can see no row of the record; the service may have it. */
async function runMirror({ id, actor, scope, input, environment, account }: Call): Promise<DeskAnswer<DeskOperationId>> {
  if (scope) return readList(actor, id as MirrorListId, input, scope, 'short')
  const mirrorAnswer = isRecordGet(id) && (await readKept(actor, id, String(input.id), { environment, account }))
  if (mirrorAnswer) return mirrorAnswer
  throw new AppError('not_found', 'Paydesk has not seen this object yet')
}

const nothing = { amount: null, payee: null }

/** Returns the function `stepUp` of a request. A proof is bound to the request's payload. */
const stepUpOf =
  ({ id, actor, environment }: OperationRequest, request: Request, input: Record<string, unknown>) =>
  async (needed: NeededProof): Promise<StepUp | null> => {
    if (!operation(id).stepUp) return null
    return requireStepUp(request, { actor, environment, operation: id, payloadHash: payloadHashOf(request, input) }, needed)
  }

async function takeStepUp(call: Call, registered: Registered | undefined): Promise<void> {
  const names = typeof registered === 'object' && operation(call.id).stepUp ? await registered.subject(deskCall(call) as never) : nothing
  const minutes = operation(call.id).stepUp === 'recent' ? await proofMinutes(await database(), call.actor.id) : 0
  const proof = await call.stepUp({ minutes, ...names })
  if (proof) await consumeStepUp(await database(), proof)
}

/**
 * Checks the step-up and runs the request. A write to the service goes through the action log, with its precondition and reason. A read of
 * masked data is counted and audited. Every other read of the service is sent directly.
 */
async function run(call: Call, source: Source, runs: Partial<Runs>): Promise<DeskAnswer<DeskOperationId>> {
  const { id, request, actor, scope, key, input } = call
  // A write to the service consumes its proof later, when it is recorded.
  const registered = isDesk(id) ? runs[id] : undefined
  if (!key) await takeStepUp(call, registered)
  if (isDesk(id)) return runDesk(call, registered as Registered)
  if (source === 'mirror') return runMirror(call)
  if (!scope) throw new Error(`${id} was permitted without a scope`)
  if (key) return write({ ...call, operation: id, scope, key })
  const definition = operation(id)
  const read = { operation: id as ReadId, input, actor, scope }
  if (definition.source === 'service' && definition.sensitive) return reveal({ ...read, request, target: call.target ?? id })
  return readAs(actor, read.operation, input, scope, request.signal)
}

/** Returns the result of a run in the response envelope, or unchanged if it is already a response. */
function answer(id: OperationId, given: DeskAnswer<DeskOperationId>, requestId: string): Response {
  if (given instanceof Response) return given
  const definition = operation(id)
  const status = definition.source === 'desk' ? definition.status : undefined
  const read = definition.effect === 'read' ? { read_at: new Date().toISOString() } : {}
  const meta = { request_id: requestId, ...read, ...given.meta }
  return respond(status ?? 200, { response_type: Array.isArray(given.data) ? 'array' : 'object', meta, data: given.data })
}

type Serving = { source: Source; runs: Partial<Runs>; requestId: string }

async function pass(request: Request, matched: Matched, known: Known, { source, runs, requestId }: Serving): Promise<Response> {
  const { environment, id, params } = matched
  const account = new URL(request.url).searchParams.get('account')
  const target = isDesk(id) ? null : targetOf(id, params)
  known.asked = { environment, operation: id, account, target, ofService: source === 'service' }
  // Set the target early, so that the audit row of a refused request about a person names that person.
  if (isDesk(id) && isUuid((params.id ?? '').toLowerCase())) known.about = { target: `${resourceOf(id)}/${params.id?.toLowerCase()}` }
  requireOrigin(request, id)
  known.actor = await requireSession(request, id)
  requireSamePerson(request, known.actor)
  const operationRequest: OperationRequest = { ...matched, account, target, actor: known.actor, fields: fieldsOf(request, id) }
  // A mirrored record is not authorized here, because that may call the service to find the account. Reading the mirror returns only rows
  // that the person can see.
  const scope =
    source === 'mirror' && isRecordGet(id) ? null : await authorize(operationRequest.actor, { ...operationRequest, operation: id })
  known.scope = scope
  const key = isDesk(id) || operation(id).effect === 'read' ? null : keyOf(request)
  const input = await inputOf(operationRequest, scope)
  return answer(
    id,
    await run(
      { ...operationRequest, request, requestId, known, scope, key, input, stepUp: stepUpOf(operationRequest, request, input) },
      source,
      runs,
    ),
    requestId,
  )
}

/** Serves a request. Returns every error as a response. `known` collects facts about the request, which are also set after an error. */
async function serve(request: Request, context: Context, known: Known, serving: Serving): Promise<Response> {
  try {
    return await pass(request, await match(request, context, serving.source), known, serving)
  } catch (error) {
    const refusalContext = askingOf(known)
    return refusalContext ? answerError(error, refusalContext, request, serving.requestId) : respondError(error, serving.requestId)
  }
}

/**
 * Returns the route handler of all operations of a source. The order of the steps is the policy: match, origin, session, permission and
 * account, input, policy with its step-up, run, response. `runs` has the functions that features registered for Paydesk's own operations.
 * Every error has one form with a request id, and every refusal gets one audit row. Every request for a service operation that passed the
 * session check gets one row in the request log.
 */
export const execute =
  (source: Source, runs: Partial<Runs> = {}) =>
  (request: Request, context: Context): Promise<Response> =>
    inSpan('request', 'request', async (say) => {
      const requestId = newRequestId()
      const callDetails: Known = { startedAt: performance.now() }
      const response = await serve(request, context, callDetails, { source, runs, requestId })
      const [operation, outcome] = [callDetails.asked?.operation ?? 'none', answerIn(response)?.error?.code ?? 'ok']
      counted.requests.inc({ operation, outcome })
      counted.requestTimes.observe({ operation }, (performance.now() - callDetails.startedAt) / 1000)
      say({ operation, outcome, request_id: requestId, status: response.status })
      const logWrite = keepCall(callDetails, response)
      // Only a shutdown of the server waits for this write.
      if (logWrite) after(logWrite)
      return response
    })
