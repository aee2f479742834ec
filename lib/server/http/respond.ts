import 'server-only'
import { AppError } from '@/lib/errors'
import type { Answer } from '@/lib/operations/answer'
import { readClient } from '@/lib/server/audit/client'
import { type RefusalContext, recordRefusal } from '@/lib/server/audit/refusals'
import { requireActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { isStoreUnavailable } from '@/lib/server/store/faults'
import { UnreadBodyError } from './input'

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

const bodyByResponse = new WeakMap<Response, Answer<unknown>>()

/**
 * Returns the body of a response that `respond` created, for the logs; undefined for any other
 * response.
 */
export const findAnswer = (response: Response): Answer<unknown> | undefined =>
  bodyByResponse.get(response)

/**
 * Returns a JSON response. The request id is in the body and also in a header. The HTTP server adds
 * the headers that all responses have.
 */
export function respond(
  status: number,
  body: Answer<unknown>,
  headers: Record<string, string> = {},
): Response {
  const response = new Response(JSON.stringify(body), {
    status,
    headers: { ...jsonHeaders, 'request-id': body.meta.request_id, ...headers },
  })
  bodyByResponse.set(response, body)
  return response
}

/**
 * Seconds after which a retry may succeed if the store is unreachable: about the time of a restart
 * of PostgreSQL.
 */
const storeRetrySeconds = 5

/**
 * Returns any thrown value as an `AppError`. The text of another error is replaced, because it may
 * contain values. The new text states that nothing was sent. So code that runs after a write was
 * recorded must throw only `AppError`.
 */
function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const storeDownText =
    'The store of Paydesk does not answer at present. Nothing was sent: try again'
  if (isStoreUnavailable(thrown))
    return new AppError('unavailable', storeDownText, { retryAfter: storeRetrySeconds })
  return new AppError('internal', 'Something went wrong on our side. Nothing was sent')
}

export function respondError(
  thrown: unknown,
  requestId: string,
  extra: Partial<Answer<unknown>> = {},
): Response {
  const error = asAppError(thrown)
  if (!(thrown instanceof AppError))
    log.error({ event: 'request.failed', request_id: requestId, code: getErrorCode(thrown) })
  const meta = {
    request_id: error.requestId ?? requestId,
    ...(error.apiRequestId ? { api_request_id: error.apiRequestId } : {}),
    ...(error.attempts ? { attempts: error.attempts } : {}),
  }
  const headers: Record<string, string> = {
    ...(error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }),
    ...(error instanceof UnreadBodyError ? { connection: 'close' } : {}),
  }
  return respond(
    error.status,
    { response_type: 'error', meta, error: error.toWire(), ...extra },
    headers,
  )
}

/**
 * Returns the signed-in person for the audit row of a request that was refused before the session
 * check. Null without a session.
 */
const findRequestPerson = (request: Request): Promise<Actor | null> =>
  requireActor(request, { active: false }).catch(() => null)

/**
 * Records a refusal in the audit log and returns the error response. Every route must call this for
 * its errors, so that every refusal has an audit row. `context` contains the facts that were known
 * when the error was thrown.
 */
export async function answerError(
  error: unknown,
  context: RefusalContext,
  request: Request,
  requestId: string,
): Promise<Response> {
  const actor =
    error instanceof AppError && error.code === 'other_site'
      ? await findRequestPerson(request)
      : context.actor
  try {
    await recordRefusal(error, {
      ...context,
      actor: actor ?? null,
      client: readClient(request.headers),
    })
  } catch (unrecorded) {
    return respondError(unrecorded, requestId)
  }
  return respondError(error, requestId)
}
