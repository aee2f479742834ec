import 'server-only'
import { AppError } from '@/lib/errors'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import {
  isReplayed,
  isServiceError,
  type ParsedAnswer,
  parseErrorAnswer,
  parseSuccessAnswer,
  toServiceError,
} from '@/lib/server/service/answer'
import type { SendResult } from '@/lib/server/service/client'
import { limitFaults } from '@/lib/server/service/faults'

/** Only an `unknown` action may be sent again, and only with the same key and bytes. */
export type SendOutcome =
  | { state: 'applied'; parsed: ParsedAnswer }
  | { state: 'refused'; error: AppError }
  | { state: 'unknown'; fault: string; again: 'soon' | 'later' | { seconds: number } }
  | { state: 'needs_human'; fault: string; error: AppError }

/** `maybeSent` is true if an earlier attempt may have reached the service. */
export type SendContext = { operation: ServiceOperationId; requestId: string; maybeSent: boolean }

/**
 * Statuses that the service returns before it checks the idempotency key. After a retry with one of
 * them, it is still unknown whether the first attempt was applied.
 */
const statusesBeforeIdempotencyCheck = new Set([401, 403, 429])

type ServiceAnswer = Extract<SendResult, { kind: 'answer' }>

function classifyConflict(answer: ServiceAnswer, context: SendContext): SendOutcome {
  const { detail = '' } = parseErrorAnswer(answer)
  if (/different request|already used|already been used/i.test(detail)) {
    return {
      state: 'needs_human',
      fault: 'key_reused',
      error: toServiceError(answer, context.requestId),
    }
  }
  // If the text is not recognized, assume that the first attempt still runs.
  return { state: 'unknown', fault: 'in_progress', again: 'soon' }
}

/** The first attempt may have deleted the object, but nothing proves it. */
const mayBeOwnDeletion = (answer: ServiceAnswer, context: SendContext) =>
  answer.status === 404 && context.maybeSent && context.operation.endsWith('.delete')

/**
 * A refused retry shows whether the first attempt was applied only if the service itself responded
 * after it checked the idempotency key. A 401 does not, and neither does a 404 from a gateway.
 */
const isInconclusive = (answer: ServiceAnswer, context: SendContext) =>
  context.maybeSent &&
  (statusesBeforeIdempotencyCheck.has(answer.status) || !isServiceError(answer))

function classifyRefusal(answer: ServiceAnswer, context: SendContext): SendOutcome {
  const serviceError = toServiceError(answer, context.requestId)
  if (isInconclusive(answer, context))
    return { state: 'unknown', fault: serviceError.code, again: 'later' }
  if (answer.status === 429)
    return {
      state: 'unknown',
      fault: 'service_busy',
      again: { seconds: serviceError.retryAfter ?? 1 },
    }
  if (mayBeOwnDeletion(answer, context) && !isReplayed(answer))
    return { state: 'needs_human', fault: 'absent', error: serviceError }
  return { state: 'refused', error: serviceError }
}

/**
 * A readable 2xx is applied, a definite 4xx refused. Everything else is unknown, except a stored
 * 500 that the service replays: every retry would get it again, so a person must decide.
 */
export function classifyAnswer(sent: SendResult, context: SendContext): SendOutcome {
  if (sent.kind === 'fault') return { state: 'unknown', fault: sent.fault, again: 'soon' }
  const parsedAnswer = parseSuccessAnswer(context.operation, sent)
  if (parsedAnswer) return { state: 'applied', parsed: parsedAnswer }
  if (sent.status === 409) return classifyConflict(sent, context)
  if (sent.status >= 400 && sent.status < 500 && sent.status !== 408)
    return classifyRefusal(sent, context)
  return classifyUnclearAnswer(sent, context)
}

/** A retry cannot change a replayed response, so that is `needs_human`. */
function classifyUnclearAnswer(answer: ServiceAnswer, context: SendContext): SendOutcome {
  const isServerError = answer.status >= 500
  if (!isReplayed(answer))
    return {
      state: 'unknown',
      fault: isServerError ? `status_${answer.status}` : 'unreadable',
      again: 'soon',
    }
  const faultText = isServerError
    ? `The service keeps answering ${answer.status} to this request`
    : 'The answer cannot be read'
  const needsHumanError = new AppError('needs_human', faultText, { requestId: context.requestId })
  return {
    state: 'needs_human',
    fault: isServerError ? 'replayed_failure' : 'unreadable',
    error: needsHumanError,
  }
}

/** For an action that cannot have reached the service and is not retried: nothing changed. */
export function createNotSentError(fault: string, requestId: string): AppError {
  if (fault === 'service_busy')
    return new AppError('service_busy', 'Nothing changed. Try again shortly', { requestId })
  if (limitFaults.has(fault))
    return new AppError(
      'not_sent',
      'The request limit of the service is reached. Nothing changed: try again',
      {
        requestId,
      },
    )
  return new AppError(
    'not_sent',
    `The service could not be reached (${fault}). Nothing changed: try again`,
    { requestId },
  )
}
