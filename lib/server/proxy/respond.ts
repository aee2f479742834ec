import 'server-only'
import { AppError } from '@/lib/errors'
import type { Answer } from '@/lib/operations/answer'
import { log } from '@/lib/server/log'
import { BodyLeftUnread } from '@/lib/server/read-body'

const json = { 'content-type': 'application/json; charset=utf-8' }

const bodies = new WeakMap<Response, Answer<unknown>>()

/** What an answer of ours says, for the record that is kept of it; undefined for a response made elsewhere. */
export const answerIn = (response: Response): Answer<unknown> | undefined => bodies.get(response)

/** A JSON answer of our API, always with the request id in a header as well; what all answers carry is added by our HTTP server. */
export function respond(status: number, body: Answer<unknown>, headers: Record<string, string> = {}): Response {
  const response = new Response(JSON.stringify(body), { status, headers: { ...json, 'request-id': body.meta.request_id, ...headers } })
  bodies.set(response, body)
  return response
}

/** Any thrown thing as an answer. What is not an `AppError` is told as `internal` with nothing of its text, which may hold values. */
export function respondError(thrown: unknown, requestId: string, extra: Partial<Answer<unknown>> = {}): Response {
  const error = thrown instanceof AppError ? thrown : new AppError('internal', 'Something went wrong on our side. Nothing was sent')
  if (!(thrown instanceof AppError)) log.error({ event: 'request.failed', request_id: requestId, code: nameOf(thrown) })
  const meta = { request_id: error.requestId ?? requestId, ...(error.apiRequestId ? { api_request_id: error.apiRequestId } : {}) }
  const headers: Record<string, string> = {
    ...(error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }),
    ...(error instanceof BodyLeftUnread ? { connection: 'close' } : {}),
  }
  return respond(error.status, { response_type: 'error', meta, error: error.toWire(), ...extra }, headers)
}

/** The class and code of a thrown thing, never its text. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown
  const inner = thrown.cause instanceof Error ? thrown.cause : thrown
  return 'code' in inner && typeof inner.code === 'string' ? `${inner.name} ${inner.code}` : inner.name
}
