import { AppError, type ErrorCode, type ErrorContext } from '@/lib/errors'
import type { ActionView, Answer } from '@/lib/operations/answer'

/**
 * A refused, failed or undecided request, with the action it belongs to where there is one. `local` is true where Paydesk itself gave no
 * answer, so that a screen can say "we do not know whether Paydesk got this" instead of speaking of the payments service.
 */
export class CallError extends AppError {
  readonly action: ActionView | undefined
  readonly local: boolean

  constructor(code: ErrorCode, detail?: string, context: ErrorContext & { action?: ActionView; local?: boolean } = {}) {
    super(code, detail, context)
    this.name = 'CallError'
    this.action = context.action
    this.local = context.local ?? false
  }

  /** Reads our own API's error answer; the action beside the error is kept, and the seconds to wait (`retryAfter`) where it says them. */
  static fromAnswer(body: Partial<Answer<unknown>>, status: number, retryAfter?: number): CallError {
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

  /** No answer of ours came back. A read simply failed; of a write nobody knows, so it is `outcome_unknown`. */
  static noAnswer(isWrite: boolean, cause?: unknown): CallError {
    if (!isWrite) return new CallError('unavailable', 'Paydesk did not answer. Check the connection and try again.', { cause, local: true })
    const detail =
      'The connection broke before Paydesk answered, so it is not known whether Paydesk received this. Trying again uses the same key: nothing can happen twice.'
    return new CallError('outcome_unknown', detail, { cause, local: true })
  }
}

/** Anything thrown as a CallError, so that a screen has one shape to show. */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  if (error instanceof AppError) return new CallError(error.code, error.message, { items: error.items, requestId: error.requestId })
  return new CallError('internal', undefined, { cause: error, local: true })
}
