import 'server-only'
import { AppError } from '@/lib/errors'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { errorOf, isReplayed, isServiceError, type Parsed, parseRefusal, parseSuccess } from '@/lib/server/service/answer'
import type { Sent } from '@/lib/server/service/client'
import { overLimit } from '@/lib/server/service/faults'

/** What one sending proves. Only `unknown` may be sent again, and only with the same key and bytes. */
export type Outcome =
  | { state: 'applied'; parsed: Parsed }
  | { state: 'refused'; error: AppError }
  | { state: 'unknown'; fault: string; again: 'soon' | 'later' | { seconds: number } }
  | { state: 'needs_human'; fault: string; error: AppError }

/** What is known before this sending: whether an earlier one may have reached the service. */
export type Before = { operation: ServiceOperationId; requestId: string; maybeSent: boolean }

/** Statuses the service gives before it looks at the idempotency key: after an unclear first attempt they say nothing about it. */
const beforeTheKey = new Set([401, 403, 429])

type Answer = Extract<Sent, { kind: 'answer' }>

function classifyConflict(answer: Answer, before: Before): Outcome {
  const { detail = '' } = parseRefusal(answer)
  if (/different request|already used|already been used/i.test(detail)) {
    return { state: 'needs_human', fault: 'key_reused', error: errorOf(answer, before.requestId) }
  }
  // In progress, or a text nobody knows: the safe reading is that the first attempt still runs.
  return { state: 'unknown', fault: 'in_progress', again: 'soon' }
}

/** A deletion that is asked again and finds nothing: our first attempt may have done it, and nobody can prove that. */
const mayBeOurs = (answer: Answer, before: Before) => answer.status === 404 && before.maybeSent && before.operation.endsWith('.delete')

/**
 * After an unclear attempt a refusal counts only if the service itself spoke, past the point where it looks at the key: a 404 of a gateway in
 * front of it, or a 401, says nothing about what the first attempt did.
 */
const provesNothing = (answer: Answer, before: Before) => before.maybeSent && (beforeTheKey.has(answer.status) || !isServiceError(answer))

function classifyRefusal(answer: Answer, before: Before): Outcome {
  const error = errorOf(answer, before.requestId)
  if (provesNothing(answer, before)) return { state: 'unknown', fault: error.code, again: 'later' }
  if (answer.status === 429) return { state: 'unknown', fault: 'service_busy', again: { seconds: error.retryAfter ?? 1 } }
  if (mayBeOurs(answer, before) && !isReplayed(answer)) return { state: 'needs_human', fault: 'absent', error }
  return { state: 'refused', error }
}

/**
 * Classifies the result of sending a write, by the fault matrix: a valid 2xx is applied, a definite 4xx is refused, and everything else (5xx, a
 * redirect, a cut line, an unreadable answer, an unclear 409) is unknown. A 500 the service replays from its own record will not change by
 * asking again, so a person decides.
 */
export function classifyAnswer(sent: Sent, before: Before): Outcome {
  if (sent.kind === 'fault') return { state: 'unknown', fault: sent.fault, again: 'soon' }
  const parsed = parseSuccess(before.operation, sent)
  if (parsed) return { state: 'applied', parsed }
  if (sent.status === 409) return classifyConflict(sent, before)
  if (sent.status >= 400 && sent.status < 500 && sent.status !== 408) return classifyRefusal(sent, before)
  return classifyUnclear(sent, before)
}

/** A 5xx, a redirect, a 2xx that cannot be read: unknown, unless the service says that this is all it will ever answer. */
function classifyUnclear(answer: Answer, before: Before): Outcome {
  const failed = answer.status >= 500
  if (!isReplayed(answer)) return { state: 'unknown', fault: failed ? `status_${answer.status}` : 'unreadable', again: 'soon' }
  const text = failed ? `The service keeps answering ${answer.status} to this request` : 'The answer cannot be read'
  const error = new AppError('needs_human', text, { requestId: before.requestId })
  return { state: 'needs_human', fault: failed ? 'replayed_failure' : 'unreadable', error }
}

/**
 * What an action is when nothing more will be tried now and no attempt can have reached the service: refused, with words that say that
 * nothing changed. `fault` is that of the last attempt.
 */
export function notSent(fault: string, requestId: string): AppError {
  if (fault === 'service_busy')
    return new AppError('service_busy', 'The service asks us to slow down. Nothing changed: try again shortly', { requestId })
  if (overLimit.has(fault))
    return new AppError('not_sent', 'The request limit of the service is reached. Nothing changed: try again', {
      requestId,
    })
  return new AppError('not_sent', `The service could not be reached (${fault}). Nothing changed: try again`, { requestId })
}
