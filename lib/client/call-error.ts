import { AppError, type ErrorCode, type ErrorContext } from '@/lib/errors'
import type { ActionView, Answer } from '@/lib/operations/answer'

/**
 * The error of a request that was refused, failed, or has an unknown outcome. `action` is the entry
 * of a write in the action log, if the response contains one. `local` is true if the error did not
 * come from our API. Screens then must not blame the payments service.
 */
export class CallError extends AppError {
  readonly action: ActionView | undefined
  readonly local: boolean

  constructor(
    code: ErrorCode,
    detail?: string,
    context: ErrorContext & { action?: ActionView; local?: boolean } = {},
  ) {
    super(code, detail, context)
    this.name = 'CallError'
    this.action = context.action
    this.local = context.local ?? false
  }

  /**
   * Creates the error from an error response of our API. `retryAfter` is the wait in seconds, if
   * the response has one.
   */
  static fromAnswer(
    body: Partial<Answer<unknown>>,
    status: number,
    retryAfter?: number,
  ): CallError {
    const error = AppError.fromWire(body, status)
    return new CallError(error.code, error.message, {
      status,
      items: error.items,
      requestId: error.requestId,
      apiRequestId: error.apiRequestId,
      action: body.action,
      retryAfter,
      stepUp: error.stepUp,
    })
  }

  /**
   * Creates the error for a request that got no response from our API: `unavailable` for a read,
   * `outcome_unknown` for a write.
   */
  static noAnswer(isWrite: boolean, cause?: unknown): CallError {
    if (!isWrite)
      return new CallError(
        'unavailable',
        'Paydesk did not answer. Check the connection and try again.',
        { cause, local: true },
      )
    const detail =
      'The connection broke before Paydesk answered, so we don’t know if this went through. Try again: it can’t be sent twice.'
    return new CallError('outcome_unknown', detail, { cause, local: true })
  }
}

/** Returns any thrown value as a CallError, so that screens handle only one type. */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  if (error instanceof AppError)
    return new CallError(error.code, error.message, {
      items: error.items,
      requestId: error.requestId,
    })
  return new CallError('internal', undefined, { cause: error, local: true })
}
