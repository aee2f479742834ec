import 'server-only'
import { AppError } from '@/lib/errors'
import type { ActionView } from '@/lib/operations/answer'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import { toActionAnswer } from '@/lib/server/actions/action-answer'
import {
  type Action,
  type ExtraRowsWriter,
  findActionByKey,
  findOpenAction,
  type NewAction,
  type RecordResult,
  recordAction,
} from '@/lib/server/actions/action-log'
import { deletePayload } from '@/lib/server/actions/payloads'
import { requireWriteQuota } from '@/lib/server/actions/quotas'
import { runForPerson } from '@/lib/server/actions/run'
import { findAction } from '@/lib/server/actions/views'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { NeededProof, StepUpProof } from '@/lib/server/auth/step-up/challenges'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { createLimitError } from '@/lib/server/service/answer'
import { admitCall } from '@/lib/server/service/rate-limit'
import { database } from '@/lib/server/store/store'
import { addApproval, ConcurrentMoneyMoveError, combineWrites, createPolicyRecheck, getNeededProof } from './apply-policy'
import { compareSnapshot } from './compare'
import { addServerFields, buildNewAction, type WriteRequest } from './new-action'
import { type RegisteredHooks, requireHooks } from './registration'
import { respond, respondError } from './respond'

async function requireAction(id: string, actor: Actor): Promise<{ action: Action; view: ActionView }> {
  const foundAction = await findAction(id, actor.id)
  if (!foundAction) throw new AppError('not_found', 'The action no longer exists')
  return foundAction
}

const notStoredText = 'The answer was given once, to the first request, and is not stored. Request a new one under a new Idempotency-Key'

/** Returns the response of a recorded action. Sends nothing. A credential is returned only once; later requests get `answer_not_kept`. */
async function respondReplay(id: string, actor: Actor): Promise<Response> {
  const { action, view } = await requireAction(id, actor)
  const { status, body } = toActionAnswer(action, view, { mayRead: true })
  const isSettled = action.state === 'applied' || action.state === 'refused'
  const headers: Record<string, string> = isSettled ? { 'idempotent-replayed': 'true' } : {}
  const { credential } = serviceOperation(action.operation as ServiceOperationId)
  if (!credential || action.state !== 'applied' || action.decision) return respond(status, body, headers)
  const error = new AppError('answer_not_kept', notStoredText)
  return respond(error.status, { response_type: 'error', meta: body.meta, error: error.toWire(), action: view }, headers)
}

/** Returns the response of the action with the same key, if it is the same request. Otherwise throws `key_reused` (409). */
async function respondKnown(action: Action, newAction: NewAction): Promise<Response> {
  if (action.fingerprint !== newAction.fingerprint) {
    throw new AppError('key_reused', 'This Idempotency-Key was already used for a different request. Nothing was sent')
  }
  return respondReplay(action.id, newAction.actor)
}

/**
 * Returns an `action_open` error. It contains the open action only if the person has a role in that action's account, which may differ from
 * that of this request.
 */
async function respondBlocked(action: Action, actor: Actor, requestId: string): Promise<Response> {
  const isVisible = getRolesIn(actor.grants, action.environment, action.accountId).length > 0
  const openAction = isVisible ? await findAction(action.id, actor.id) : null
  const { verbPhrase } = serviceOperation(action.operation as ServiceOperationId)
  const waitingText = `A request to ${verbPhrase} waits for approval. Nothing was sent: approve, reject or withdraw it first`
  const inProgressText = `An earlier action (${action.operation}) on this object is still in progress. Nothing was sent`
  const error = new AppError('action_open', action.state === 'awaiting_approval' ? waitingText : inProgressText)
  return respondError(error, requestId, openAction ? { action: openAction.view } : {})
}

/** Throws if the rate limit has no room. Runs before anything is recorded: such a write leaves no trace, and its key can be sent again. */
async function requireRateLimit({ scope }: NewAction): Promise<void> {
  const rateRefusal = await admitCall(scope.environment, scope.caller)
  if (rateRefusal) throw createLimitError(rateRefusal.fault, rateRefusal.seconds)
}

/**
 * Records a new action. After a store error, the commit may have succeeded unnoticed. Throws `unavailable` if the key is certainly not in
 * the action log, so nothing was sent. Otherwise throws `outcome_unknown`.
 */
async function recordNewAction(newAction: NewAction, alsoWrite: ExtraRowsWriter | null): Promise<RecordResult> {
  try {
    return await recordAction(newAction, alsoWrite)
  } catch (error) {
    if (error instanceof AppError) throw error
    const recordedAction = await database()
      .then((db) => findActionByKey(db, newAction.key))
      .catch(() => undefined)
    if (recordedAction === null)
      throw new AppError('unavailable', 'This could not be recorded, so nothing was sent: try again', { cause: error })
    throw new AppError('outcome_unknown', 'It is not certain that this was recorded. Try again: the same key is used', { cause: error })
  }
}

/** Sends a recorded action and returns its response. After this starts, an error of ours must never mean "nothing was sent". */
export async function runRecorded(action: Action, actor: Actor): Promise<Response> {
  try {
    const { data } = await runForPerson(action, async () => (await findAction(action.id, actor.id))?.action ?? action)
    const now = await requireAction(action.id, actor)
    const { status, body } = toActionAnswer(now.action, now.view, { mayRead: true, fresh: data })
    return respond(status, body)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('outcome_unknown', 'The action was sent, and its outcome is being confirmed', { cause: error })
  }
}

async function respondWaiting(action: Action, actor: Actor): Promise<Response> {
  const { view } = await requireAction(action.id, actor)
  const { status, body } = toActionAnswer(action, view, { mayRead: false })
  return respond(status, body)
}

/**
 * Returns the response for an open action on the target, or null. Runs early, so that the precondition makes no useless reads. Files are
 * skipped, because several can be uploaded at once.
 */
async function respondIfBlocked(newAction: NewAction, requestId: string): Promise<Response | null> {
  const blockingAction = Buffer.isBuffer(newAction.body) ? await findOpenAction(await database(), newAction) : null
  // An open action with the same key is an earlier send of this request. Recording returns its response.
  return blockingAction && blockingAction.idempotencyKey !== newAction.key
    ? respondBlocked(blockingAction, newAction.actor, requestId)
    : null
}

export async function runAfterWrite(
  { after = async () => undefined }: Pick<RegisteredHooks, 'after'>,
  newAction: NewAction,
): Promise<void> {
  await after(newAction).catch((error: unknown) =>
    log.error({ event: 'action.after_failed', operation: newAction.operation, action_id: newAction.id, code: getErrorCode(error) }),
  )
}

async function serveRecorded(action: Action, newAction: NewAction): Promise<Response> {
  if (newAction.rule) return respondWaiting(action, newAction.actor)
  const response = await runRecorded(action, newAction.actor)
  await runAfterWrite(requireHooks(newAction.operation), newAction)
  return response
}

type WriteContext = { requestId: string; stepUp: (needed: NeededProof) => Promise<StepUpProof | null> }

async function serveNewAction(made: NewAction, { requestId, stepUp }: WriteContext): Promise<{ response: Response; recorded: boolean }> {
  const { before } = requireHooks(made.operation)
  const toUnrecorded = (response: Response) => ({ response, recorded: false })
  const db = await database()
  const earlierAction = await findActionByKey(db, made.key)
  if (earlierAction) return toUnrecorded(await respondKnown(earlierAction, made))
  await requireWriteQuota(db, made.actor.id)
  const compared = await compareSnapshot(made)
  if (compared instanceof Response) return toUnrecorded(compared)
  const hookResult = (await respondIfBlocked(made, requestId)) ?? (await before?.(made, compared?.data ?? null)) ?? null
  if (hookResult instanceof Response) return toUnrecorded(hookResult)
  const governedAction = await addApproval(made, compared, hookResult?.askedBy ?? made.actor.id)
  const complete = await addServerFields({ ...governedAction, stepUp: await stepUp(await getNeededProof(governedAction)) })
  if (!complete.rule) await requireRateLimit(complete)
  const recordResult = await recordNewAction(complete, combineWrites(createPolicyRecheck(governedAction), hookResult?.alsoWrite ?? null))
  if (recordResult.kind === 'known') return toUnrecorded(await respondKnown(recordResult.action, made))
  if (recordResult.kind === 'blocked') return toUnrecorded(await respondBlocked(recordResult.action, made.actor, requestId))
  return { response: await serveRecorded(recordResult.action, complete), recorded: true }
}

/**
 * Runs a permitted write through the action log: compare the target with what the person saw, precondition, policy, step-up proof, added
 * fields, rate limit, record, send, respond. For a known key, returns the response from the action log and sends nothing. A file whose
 * action was not recorded is deleted. If that is uncertain, the sweep deletes it later.
 */
export async function runWrite(writeRequest: WriteRequest & WriteContext & { key: string }): Promise<Response> {
  const newAction = await buildNewAction(writeRequest, writeRequest.key)
  const { response, recorded } = await serveNewAction(newAction, writeRequest).catch((error: unknown) => {
    if (error instanceof ConcurrentMoneyMoveError) return serveNewAction(newAction, writeRequest)
    throw error
  })
  if (!recorded && !Buffer.isBuffer(newAction.body)) await deletePayload(newAction.body.id)
  return response
}
