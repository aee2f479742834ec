import 'server-only'
import { AppError } from '@/lib/errors'
import type { ActionView } from '@/lib/operations/answer'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { toActionAnswer } from '@/lib/server/actions/action-answer'
import {
  type Action,
  type ExtraRowsWriter,
  findActionByKey,
  findOpenAction,
  type NewAction,
  type RecordActionResult,
  recordAction,
} from '@/lib/server/actions/action-log'
import { deletePayload } from '@/lib/server/actions/payloads'
import { requireWriteQuota } from '@/lib/server/actions/quotas'
import { runActionForPerson } from '@/lib/server/actions/run'
import { findAction } from '@/lib/server/actions/views'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { ProofRequirement, StepUpProof } from '@/lib/server/auth/step-up/require-proof'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { createLimitError } from '@/lib/server/service/answer'
import { admitCall } from '@/lib/server/service/rate-limit'
import { getDatabase } from '@/lib/server/store/store'
import {
  attachApprovalRule,
  ConcurrentMoneyMoveError,
  combineRowWriters,
  createPolicyRecheck,
  getProofRequirement,
} from './apply-policy'
import { compareSnapshot } from './compare'
import { fillFieldsFromService, requireVisiblePaykey } from './fill-fields'
import { buildNewAction, type WriteRequest } from './new-action'
import { type RegisteredHooks, requireHooks } from './registration'
import { respond, respondError } from './respond'

async function requireActionAndView(
  id: string,
  actor: Actor,
): Promise<{ action: Action; view: ActionView }> {
  const foundAction = await findAction(id, actor.id)
  if (!foundAction) throw new AppError('not_found', 'The action no longer exists')
  return foundAction
}

const answerNotStoredText =
  'The answer was given once, to the first request, and is not stored. Request a new one under a new Idempotency-Key'

/**
 * Responds to a repeated request with the recorded outcome, and sends nothing to the service. A
 * response that contained a credential is not stored, so it cannot be repeated.
 */
async function respondReplay(id: string, actor: Actor): Promise<Response> {
  const { action, view } = await requireActionAndView(id, actor)
  const { status, body } = toActionAnswer(action, view, { mayRead: true })
  const isSettled = action.state === 'applied' || action.state === 'refused'
  const headers: Record<string, string> = isSettled ? { 'idempotent-replayed': 'true' } : {}
  const { credential } = getServiceOperation(action.operation as ServiceOperationId)
  if (!credential || action.state !== 'applied' || action.decision)
    return respond(status, body, headers)
  const error = new AppError('answer_not_kept', answerNotStoredText)
  return respond(
    error.status,
    { response_type: 'error', meta: body.meta, error: error.toWire(), action: view },
    headers,
  )
}

async function respondRecordedAction(action: Action, newAction: NewAction): Promise<Response> {
  if (action.fingerprint !== newAction.fingerprint) {
    throw new AppError(
      'key_reused',
      'This Idempotency-Key was already used for a different request. Nothing was sent',
    )
  }
  return respondReplay(action.id, newAction.actor)
}

/** The error contains the action only if the person has a role in the action's account. */
async function respondBlocked(action: Action, actor: Actor, requestId: string): Promise<Response> {
  const isVisible = getRolesIn(actor.grants, action.environment, action.accountId).length > 0
  const visibleBlockingAction = isVisible ? await findAction(action.id, actor.id) : null
  const { verbPhrase } = getServiceOperation(action.operation as ServiceOperationId)
  const waitingText = `A request to ${verbPhrase} waits for approval. Nothing was sent: approve, reject or withdraw it first`
  const inProgressText = `An earlier action (${action.operation}) on this object is still in progress. Nothing was sent`
  const error = new AppError(
    'action_open',
    action.state === 'awaiting_approval' ? waitingText : inProgressText,
  )
  return respondError(
    error,
    requestId,
    visibleBlockingAction ? { action: visibleBlockingAction.view } : {},
  )
}

/** Runs before recording: a refused write leaves no trace, and its key can be sent again. */
async function requireWithinRateLimit({ scope }: NewAction): Promise<void> {
  const rateRefusal = await admitCall(scope.environment, scope.caller)
  if (rateRefusal) throw createLimitError(rateRefusal.fault, rateRefusal.seconds)
}

/**
 * The store can fail although the action was recorded. Throws `unavailable` if it certainly was not
 * recorded, so nothing was sent; otherwise `outcome_unknown`.
 */
async function recordNewAction(
  newAction: NewAction,
  alsoWrite: ExtraRowsWriter | null,
): Promise<RecordActionResult> {
  try {
    return await recordAction(newAction, alsoWrite)
  } catch (error) {
    if (error instanceof AppError) throw error
    const recordedAction = await getDatabase()
      .then((db) => findActionByKey(db, newAction.key))
      .catch(() => undefined)
    if (recordedAction === null)
      throw new AppError(
        'unavailable',
        'This could not be recorded, so nothing was sent: try again',
        { cause: error },
      )
    throw new AppError(
      'outcome_unknown',
      'It is not certain that this was recorded. Try again: the same key is used',
      { cause: error },
    )
  }
}

/** Once the sending has started, no error may say "nothing was sent". */
export async function runRecordedAction(action: Action, actor: Actor): Promise<Response> {
  try {
    const { data } = await runActionForPerson(
      action,
      async () => (await findAction(action.id, actor.id))?.action ?? action,
    )
    const currentActionAndView = await requireActionAndView(action.id, actor)
    const { status, body } = toActionAnswer(
      currentActionAndView.action,
      currentActionAndView.view,
      {
        mayRead: true,
        fresh: data,
      },
    )
    return respond(status, body)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError(
      'outcome_unknown',
      'The action was sent, and its outcome is being confirmed',
      { cause: error },
    )
  }
}

async function respondAwaitingApproval(action: Action, actor: Actor): Promise<Response> {
  const { view } = await requireActionAndView(action.id, actor)
  const { status, body } = toActionAnswer(action, view, { mayRead: false })
  return respond(status, body)
}

/** Runs before the precondition, to save its reads. Skips file uploads: several can run at once. */
async function respondIfBlocked(newAction: NewAction, requestId: string): Promise<Response | null> {
  const blockingAction = Buffer.isBuffer(newAction.body)
    ? await findOpenAction(await getDatabase(), newAction)
    : null
  // An open action with the same key is this same request: recording returns its response.
  return blockingAction && blockingAction.idempotencyKey !== newAction.key
    ? respondBlocked(blockingAction, newAction.actor, requestId)
    : null
}

export async function runAfterWriteHook(
  { after = async () => undefined }: Pick<RegisteredHooks, 'after'>,
  newAction: NewAction,
): Promise<void> {
  await after(newAction).catch((error: unknown) =>
    log.error({
      event: 'action.after_failed',
      operation: newAction.operation,
      action_id: newAction.id,
      code: getErrorCode(error),
    }),
  )
}

async function serveRecordedAction(action: Action, newAction: NewAction): Promise<Response> {
  if (newAction.rule) return respondAwaitingApproval(action, newAction.actor)
  const response = await runRecordedAction(action, newAction.actor)
  await runAfterWriteHook(requireHooks(newAction.operation), newAction)
  return response
}

type WriteContext = {
  requestId: string
  stepUp: (needed: ProofRequirement) => Promise<StepUpProof | null>
}

async function serveNewAction(
  made: NewAction,
  { requestId, stepUp }: WriteContext,
): Promise<{ response: Response; recorded: boolean }> {
  const { before } = requireHooks(made.operation)
  const toUnrecordedResult = (response: Response) => ({ response, recorded: false })
  const db = await getDatabase()
  const earlierAction = await findActionByKey(db, made.key)
  if (earlierAction) return toUnrecordedResult(await respondRecordedAction(earlierAction, made))
  await requireWriteQuota(db, made.actor.id)
  await requireVisiblePaykey(made)
  const comparedTarget = await compareSnapshot(made)
  if (comparedTarget instanceof Response) return toUnrecordedResult(comparedTarget)
  const preconditionResult =
    (await respondIfBlocked(made, requestId)) ??
    (await before?.(made, comparedTarget?.data ?? null)) ??
    null
  if (preconditionResult instanceof Response) return toUnrecordedResult(preconditionResult)
  const actionWithRule = await attachApprovalRule(
    made,
    comparedTarget,
    preconditionResult?.askedBy ?? made.actor.id,
  )
  const completeAction = await fillFieldsFromService({
    ...actionWithRule,
    stepUp: await stepUp(await getProofRequirement(actionWithRule)),
  })
  if (!completeAction.rule) await requireWithinRateLimit(completeAction)
  const recordResult = await recordNewAction(
    completeAction,
    combineRowWriters(createPolicyRecheck(actionWithRule), preconditionResult?.alsoWrite ?? null),
  )
  if (recordResult.kind === 'known')
    return toUnrecordedResult(await respondRecordedAction(recordResult.action, made))
  if (recordResult.kind === 'blocked')
    return toUnrecordedResult(await respondBlocked(recordResult.action, made.actor, requestId))
  return {
    response: await serveRecordedAction(recordResult.action, completeAction),
    recorded: true,
  }
}

/**
 * Steps: check that the paykey is visible, compare the target with what the person saw, precondition, policy, step-up proof, fields
 * that the server adds to the input, rate limit, record, send, respond. If an action with this
 * idempotency key is recorded, sends nothing. After an error, an uploaded file stays until a
 * periodic cleanup deletes it.
 */
export async function runWrite(
  writeRequest: WriteRequest & WriteContext & { key: string },
): Promise<Response> {
  const newAction = await buildNewAction(writeRequest, writeRequest.key)
  const { response, recorded } = await serveNewAction(newAction, writeRequest).catch(
    (error: unknown) => {
      if (error instanceof ConcurrentMoneyMoveError) return serveNewAction(newAction, writeRequest)
      throw error
    },
  )
  if (!recorded && !Buffer.isBuffer(newAction.body)) await deletePayload(newAction.body.id)
  return response
}
