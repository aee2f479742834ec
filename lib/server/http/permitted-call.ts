import 'server-only'
import { AppError } from '@/lib/errors'
import type { Operation } from '@/lib/operations/define'
import type { DeskOperationId } from '@/lib/operations/desk-operations'
import { getOperation, isDeskOperation } from '@/lib/operations/operations'
import { isRecordGet, type MirrorListId, type ReadId } from '@/lib/operations/service-operations'
import { readProofMinutes } from '@/lib/server/approvals/policy'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import {
  consumeStepUp,
  hashPayload,
  type ProofRequirement,
  requireStepUp,
  type StepUpProof,
} from '@/lib/server/auth/step-up/require-proof'
import { getDatabase } from '@/lib/server/store/store'
import type { DeskOperationHandler, DeskOperationHandlers, DeskOperationResult } from './desk-call'
import {
  type OperationRequest,
  readFromService,
  readMirrorList,
  readMirrorRecord,
} from './operation-reads'
import type { RequestContext } from './request-log'
import { revealData } from './reveal'
import { runWrite } from './write'

/** The `mirror` is our stored copy of the service's lists and records. */
export type RouteSource = Operation['source'] | 'mirror'

type PermittedCall = OperationRequest & {
  request: Request
  requestId: string
  known: RequestContext
  scope: ScopedAccount | null
  /** The same for every retry of a write to the service. Null for all other requests. */
  key: string | null
  input: Record<string, unknown>
  /** Null if the operation requires no step-up proof. Throws `step_up_needed`. */
  stepUp: (needed: ProofRequirement) => Promise<StepUpProof | null>
}

type RegisteredHandler = DeskOperationHandlers[DeskOperationId]

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
  registeredRun: RegisteredHandler,
): Promise<DeskOperationResult<DeskOperationId>> {
  const operationHandler = (
    typeof registeredRun === 'function' ? registeredRun : registeredRun.run
  ) as DeskOperationHandler<DeskOperationId>
  return operationHandler(toDeskCall(call))
}

/** Throws `not_found` if the mirror has no such record that the person can see. */
async function readFromMirror({
  id,
  actor,
  scope,
  input,
  environment,
  account,
}: PermittedCall): Promise<DeskOperationResult<DeskOperationId>> {
  if (scope) return readMirrorList(actor, id as MirrorListId, input, scope, 'short')
  const mirrorAnswer =
    isRecordGet(id) &&
    (await readMirrorRecord(actor, id, String(input.id), { environment, account }))
  if (mirrorAnswer) return mirrorAnswer
  throw new AppError('not_found', 'Paydesk has not seen this object yet')
}

const emptyProofSubject = { amount: null, payee: null }

/**
 * Returns a function that requires a step-up proof for this request. The hash of the payload binds
 * the proof to the request, so it cannot be used for another one.
 */
export const createStepUpCheck =
  (
    { id, actor, environment }: OperationRequest,
    request: Request,
    input: Record<string, unknown>,
  ) =>
  async (needed: ProofRequirement): Promise<StepUpProof | null> => {
    if (!getOperation(id).stepUp) return null
    return requireStepUp(
      request,
      { actor, environment, operation: id, payloadHash: hashPayload(request, input) },
      needed,
    )
  }

async function consumeCallProof(
  call: PermittedCall,
  registeredRun: RegisteredHandler | undefined,
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
export async function runPermittedCall(
  call: PermittedCall,
  source: RouteSource,
  runs: Partial<DeskOperationHandlers>,
): Promise<DeskOperationResult<DeskOperationId>> {
  const { id, request, actor, scope, key, input } = call
  const registeredHandler = isDeskOperation(id) ? runs[id] : undefined
  // Only a write to the service has a key. Its proof is consumed later, in the transaction that
  // records the write.
  if (!key) await consumeCallProof(call, registeredHandler)
  if (isDeskOperation(id)) return runDeskOperation(call, registeredHandler as RegisteredHandler)
  if (source === 'mirror') return readFromMirror(call)
  if (!scope) throw new Error(`${id} was permitted without a scope`)
  if (key) return runWrite({ ...call, operation: id, scope, key })
  const definition = getOperation(id)
  const serviceReadRequest = { operation: id as ReadId, input, actor, scope }
  if (definition.source === 'service' && definition.sensitive)
    return revealData({ ...serviceReadRequest, request, target: call.target ?? id })
  return readFromService(actor, serviceReadRequest.operation, input, scope, request.signal)
}
