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
import type { DeskAnswer, Run, Runs } from './desk-call'
import { fieldsOf, keyOf } from './input'
import { environmentOf, requireSameOrigin, requireSameOriginRead, requireSamePerson, targetOf } from './permit'
import { inputOf, type OperationRequest, permission, readAs, readKept, readList } from './prepare'
import { askingOf, type Known, keepCall } from './request-log'
import { answerError, answerIn, respond, respondError } from './respond'
import { reveal } from './reveal'
import { write } from './write'

/** What an address serves: the service's operations, Paydesk's own, or the service's lists and records as the mirror has them. */
type Source = Operation['source'] | 'mirror'
type Context = { params: Promise<{ environment: string; path: string[] }> }
type Matched = { environment: Environment; id: OperationId; params: Record<string, string> }

/** A request that was permitted and parsed, as it is run. */
type Call = OperationRequest & {
  request: Request
  requestId: string
  known: Known
  scope: ScopedAccount | null
  /** What a write for the service is known by, however often it is sent. */
  key: string | null
  input: Record<string, unknown>
  /** The proof that it is the person's own, where the operation asks for one. Throws `step_up_needed`. */
  stepUp: (needed: NeededProof) => Promise<StepUp | null>
}

/** The operation of a method and a path. Throws `not_found` and `method_not_allowed`. */
async function match(request: Request, context: Context, source: Source): Promise<Matched> {
  const { environment: word, path } = await context.params
  const environment = environmentOf(word)
  const found = matchOperation(request.method, path, source === 'desk' ? 'desk' : 'service')
  const isServed = found !== null && (source !== 'mirror' || ('id' in found && (isMirrored(found.id as ReadId) || isRecordGet(found.id))))
  if (!isServed) throw new AppError('not_found', 'There is no such operation')
  if ('id' in found) return { environment, ...found }
  throw new AppError('method_not_allowed', `This address takes ${found.allowed.join(', ')}`)
}

/** Refuses what did not come from our own pages where it has to: writes, and reads that give away more than others. Throws `other_site`. */
function requireOrigin(request: Request, id: OperationId): void {
  const definition = operation(id)
  if (definition.method !== 'GET') requireSameOrigin(request)
  else if (definition.source === 'desk' ? definition.ownPagesOnly : definition.sensitive) requireSameOriginRead(request)
}

/** Whose session it is. What screens ask automatically keeps none alive. Throws `unauthenticated`. */
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

/** One of Paydesk's own, as its feature registered it. */
async function runDesk(call: Call, registered: Registered): Promise<DeskAnswer<DeskOperationId>> {
  const run = (typeof registered === 'function' ? registered : registered.run) as Run<DeskOperationId>
  return run(deskCall(call))
}

/** A list or a record as the mirror has it. Throws `not_found` for a record this person sees no row of: whether it is there, the service says. */
async function runMirror({ id, actor, scope, input, environment, account }: Call): Promise<DeskAnswer<DeskOperationId>> {
  if (scope) return readList(actor, id as MirrorListId, input, scope, 'short')
  const kept = isRecordGet(id) && (await readKept(actor, id, String(input.id), { environment, account }))
  if (kept) return kept
  throw new AppError('not_found', 'Paydesk has not seen this object yet')
}

const nothing = { amount: null, payee: null }

/** Asks for the proof of a request, bound to all that it would do. */
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
 * Policy and run: a write goes through the action log with its preconditions and reason, a reveal is counted and on record, every other read is asked of
 * the service.
 */
async function run(call: Call, source: Source, runs: Partial<Runs>): Promise<DeskAnswer<DeskOperationId>> {
  const { id, request, actor, scope, key, input } = call
  // A write for the service uses its proof up where it is recorded.
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

/** The envelope of what a run gave, unless it answered itself. */
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
  // Of a refused change of people the row names whom it was about.
  if (isDesk(id) && isUuid((params.id ?? '').toLowerCase())) known.about = { target: `${resourceOf(id)}/${params.id?.toLowerCase()}` }
  requireOrigin(request, id)
  known.actor = await requireSession(request, id)
  requireSamePerson(request, known.actor)
  const asked: OperationRequest = { ...matched, account, target, actor: known.actor, fields: fieldsOf(request, id) }
  // To find out whose a record is, the service may have to be asked: the mirror gives those only whose row the person sees.
  const scope = source === 'mirror' && isRecordGet(id) ? null : await permission(asked)
  known.scope = scope
  const key = isDesk(id) || operation(id).effect === 'read' ? null : keyOf(request)
  const input = await inputOf(asked, scope)
  return answer(
    id,
    await run({ ...asked, request, requestId, known, scope, key, input, stepUp: stepUpOf(asked, request, input) }, source, runs),
    requestId,
  )
}

/** Whatever goes wrong on the way becomes one answer; `known` is what was found out until then. */
async function serve(request: Request, context: Context, known: Known, serving: Serving): Promise<Response> {
  try {
    return await pass(request, await match(request, context, serving.source), known, serving)
  } catch (error) {
    const asking = askingOf(known)
    return asking ? answerError(error, asking, request, serving.requestId) : respondError(error, serving.requestId)
  }
}

/**
 * Serves every operation of a source: match, origin, session, permission and account, input, policy with its step-up, run, answer. That order is the policy. `runs` are what
 * the features registered for Paydesk's own operations. Whatever goes wrong becomes one error shape with a request id, each refusal one audit row, and
 * each call to the service, from the session on, one row in the request log.
 */
export const execute =
  (source: Source, runs: Partial<Runs> = {}) =>
  (request: Request, context: Context): Promise<Response> =>
    inSpan('request', 'request', async (say) => {
      const requestId = newRequestId()
      const known: Known = { startedAt: performance.now() }
      const response = await serve(request, context, known, { source, runs, requestId })
      const [operation, outcome] = [known.asked?.operation ?? 'none', answerIn(response)?.error?.code ?? 'ok']
      counted.requests.inc({ operation, outcome })
      counted.requestTimes.observe({ operation }, (performance.now() - known.startedAt) / 1000)
      say({ operation, outcome, request_id: requestId, status: response.status })
      const kept = keepCall(known, response)
      // Only a server that is told to stop waits for it.
      if (kept) after(kept)
      return response
    })
