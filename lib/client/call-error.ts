import { AppError, type ErrorCode, type ErrorContext } from '@/lib/errors'
import type { ActionView, ApiAnswer } from '@/lib/operations/answer'

/**
 * `local`: the browser code created the error, for example because Paydesk did not respond. Screens
 * must then not blame the payments service.
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

  /** `retryAfter` is in seconds. */
  static fromAnswer(
    body: Partial<ApiAnswer<unknown>>,
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

  static noAnswer(isWrite: boolean, cause?: unknown): CallError {
    if (!isWrite)
      return new CallError(
        'unavailable',
        'Paydesk did not answer. Check the connection and try again.',
        { cause, local: true },
      )
    const unknownOutcomeText =
      'The connection broke before Paydesk answered, so we don’t know if this went through. Try again: it can’t be sent twice.'
    return new CallError('outcome_unknown', unknownOutcomeText, { cause, local: true })
  }
}

export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  if (error instanceof AppError)
    return new CallError(error.code, error.message, {
      items: error.items,
      requestId: error.requestId,
    })
  return new CallError('internal', undefined, { cause: error, local: true })
}
