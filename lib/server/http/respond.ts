import 'server-only'
import { AppError } from '@/lib/errors'
import type { ApiAnswer } from '@/lib/operations/answer'
import { readClientOrigin } from '@/lib/server/audit/client'
import { type RefusalContext, recordRefusal } from '@/lib/server/audit/refusals'
import { requireActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { isStoreUnavailable } from '@/lib/server/store/faults'
import { UnreadBodyError } from './input'

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

const apiAnswerByResponse = new WeakMap<Response, ApiAnswer<unknown>>()

/** Undefined if `respond` did not create the response. */
export const findApiAnswer = (response: Response): ApiAnswer<unknown> | undefined =>
  apiAnswerByResponse.get(response)

/** The HTTP server adds the headers that all responses have. */
export function respond(
  status: number,
  body: ApiAnswer<unknown>,
  headers: Record<string, string> = {},
): Response {
  const response = new Response(JSON.stringify(body), {
    status,
    headers: { ...jsonHeaders, 'request-id': body.meta.request_id, ...headers },
  })
  apiAnswerByResponse.set(response, body)
  return response
}

/** About the time of a restart of PostgreSQL. */
const storeRetrySeconds = 5

/**
 * Replaces any error except an `AppError` by one that says "Nothing was sent", because its text may
 * contain personal data. So code that runs after a write was recorded must throw only `AppError`.
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
  extra: Partial<ApiAnswer<unknown>> = {},
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

/** For the audit row of a request that was refused before the session check. */
const findRequestPerson = (request: Request): Promise<Actor | null> =>
  requireActor(request, { active: false }).catch(() => null)

/** Every route must call this for its errors, so that every refusal is audited. */
export async function respondAuditedError(
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
      client: readClientOrigin(request.headers),
    })
  } catch (unrecorded) {
    return respondError(unrecorded, requestId)
  }
  return respondError(error, requestId)
}
