import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { ActionView, ApiAnswer } from '@/lib/operations/answer'
import { log } from '@/lib/server/log'
import { decrypt } from '@/lib/server/store/encryption'
import type { Action } from './action-log'
import { toAnswerAad } from './erase'

const toWireError = (
  code: 'outcome_unknown' | 'in_progress' | 'needs_human',
  detail: string,
): WireError => new AppError(code, detail).toWire()

const openStateErrors: Partial<Record<Action['state'], WireError>> = {
  sending: toWireError('in_progress', 'The first attempt is still running. Nothing is sent twice'),
  unknown: toWireError(
    'outcome_unknown',
    'The service may have carried out the action. Paydesk checks the same request under the same key',
  ),
  needs_human: toWireError(
    'needs_human',
    'The outcome could not be confirmed automatically and needs a decision',
  ),
}

/** Undefined if the action has no stored response or it cannot be decrypted. */
function readStoredAnswer({ id, state, answer }: Action): unknown {
  if (state !== 'applied' || !answer) return undefined
  try {
    return JSON.parse(decrypt(answer, toAnswerAad(id)).toString('utf8'))
  } catch {
    log.warn({ event: 'action.answer_unreadable', action_id: id })
    return undefined
  }
}

/**
 * Without `mayRead`, the response of the service is not even decrypted. `fresh` is a response that
 * has just arrived; it is used instead of the stored one.
 */
export function toActionAnswer(
  action: Action,
  view: ActionView,
  reader: { mayRead: boolean; fresh?: unknown },
): { status: number; body: ApiAnswer<unknown> } {
  const lastAttempt = view.attempts.at(-1)
  const answerMeta = {
    request_id: lastAttempt?.request_id ?? view.id,
    ...(action.apiRequestId ? { api_request_id: action.apiRequestId } : {}),
  }
  const answerData = reader.mayRead ? (reader.fresh ?? readStoredAnswer(action)) : undefined
  if (answerData !== undefined)
    return {
      status: action.answerStatus ?? 200,
      body: { response_type: 'object', meta: answerMeta, data: answerData, action: view },
    }
  if (action.state === 'awaiting_approval')
    return { status: 202, body: { response_type: 'object', meta: answerMeta, action: view } }
  if (action.state === 'applied')
    return { status: 200, body: { response_type: 'object', meta: answerMeta, action: view } }
  const wireError =
    action.error ??
    openStateErrors[action.state] ??
    toWireError('outcome_unknown', 'The outcome is not known')
  const httpStatus = action.state === 'unknown' ? 202 : wireError.status
  return {
    status: httpStatus,
    body: { response_type: 'error', meta: answerMeta, error: wireError, action: view },
  }
}
