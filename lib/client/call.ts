import type { ActionView, Answer } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { buildApiRequestParts, type RequestScope } from '@/lib/operations/layout'
import { getOperation, type OperationId } from '@/lib/operations/operations'
import type { Input, Output } from '@/lib/operations/registry'
import { asCallError, CallError } from './call-error'
import { recordResponse } from './connection-status'
import { getPagePersonHeader } from './drawn-for'
import { isUnattended } from './page-retries'
import { withStepUp } from './step-up/with-step-up'

/**
 * A successful response. `replayed` is true if it is the stored response to an earlier attempt with
 * the same idempotency key.
 */
export type CallAnswer<T> = { data: T; meta: AnswerMeta; action?: ActionView; replayed: boolean }

/**
 * The paging data, request ids, and time of the read. For a single object also `snapshot`, a hash
 * of the object in this response.
 */
export type AnswerMeta = Answer<unknown>['meta'] & { snapshot?: string }

type SendOptions = {
  method: string
  headers?: Record<string, string>
  body?: Record<string, unknown>
  signal?: AbortSignal
  keepalive?: boolean | undefined
  /**
   * Set it if the request reaches the service. The response then shows if the service accepts our
   * API key of this environment.
   */
  environment?: Environment
}

/**
 * Sends one request to our API and returns the response. If the API requires a step-up, the person
 * confirms it, and the request is sent again. It is not retried for other reasons. Rejects with the
 * error of the API as a `CallError`. If there is no readable response, the code is `unavailable`
 * for a read and `outcome_unknown` for a write. An aborted read rejects with the browser's
 * AbortError.
 */
export const request = <T>(url: string, sendOptions: SendOptions): Promise<CallAnswer<T>> =>
  withStepUp(url, (headers) =>
    sendOnce<T>(url, { ...sendOptions, headers: { ...sendOptions.headers, ...headers } }),
  ).catch((cause: unknown) => {
    throw sendOptions.signal?.aborted ? cause : asCallError(cause)
  })

async function sendOnce<T>(
  url: string,
  { method, headers, body, signal, keepalive, environment }: SendOptions,
): Promise<CallAnswer<T>> {
  const isWrite = method !== 'GET'
  const sentAt = performance.now()
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(!isWrite && isUnattended() ? { unattended: '1' } : {}),
      ...getPagePersonHeader(),
      ...headers,
    },
    body: body ? JSON.stringify(body) : undefined,
    signal,
    keepalive,
    cache: 'no-store',
    redirect: 'error',
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw CallError.noAnswer(isWrite, cause)
  })
  const text = await response.text().catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw CallError.noAnswer(isWrite, cause)
  })
  return readAnswer<T>(
    {
      status: response.status,
      text,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      retryAfter: parseRetryAfter(response.headers.get('retry-after')),
      sentAt,
    },
    isWrite,
    environment,
  )
}

/**
 * Parses a response of our API from its status and text. Ignores unknown fields. Throws a
 * `CallError`, as `request` describes.
 */
export function readAnswer<T>(
  answer: { status: number; text: string; replayed: boolean; retryAfter?: number; sentAt: number },
  isWrite: boolean,
  environment?: Environment,
): CallAnswer<T> {
  const body = parseBody<T>(answer.text)
  const isRefused = answer.status >= 400 || body?.error !== undefined
  // Without a JSON body, the response is the page of a proxy. It does not show if a write took
  // effect, so the outcome is unknown. Only a status 4xx means that the proxy refused the write.
  if (!body && (!isWrite || answer.status >= 500 || answer.status < 400))
    throw CallError.noAnswer(isWrite)
  if (!body || isRefused) {
    const error = CallError.fromAnswer(body ?? {}, answer.status, answer.retryAfter)
    recordResponse(environment, error, answer.sentAt)
    throw error
  }
  recordResponse(environment, null, answer.sentAt)
  return {
    data: body.data as T,
    meta: body.meta ?? { request_id: '' },
    action: body.action,
    replayed: answer.replayed || body.action?.replayed === true,
  }
}

/** Returns the seconds in a `Retry-After` header; undefined if it has another format. */
const parseRetryAfter = (header: string | null): number | undefined =>
  header && /^\d{1,6}$/.test(header) ? Number(header) : undefined

function parseBody<T>(text: string): Partial<Answer<T>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Partial<Answer<T>>)
      : null
  } catch {
    return null
  }
}

/**
 * The options of a request. A write needs an idempotency key and the correlation id of the opened
 * record. `snapshot` is `meta.snapshot` of the object on the screen. `reason` is only for
 * operations for which the service accepts no reason: Paydesk stores it in the action log.
 */
export type CallOptions = RequestScope & {
  signal?: AbortSignal
  /** True to complete the request even if the person leaves the page. */
  keepalive?: true
  idempotencyKey?: string
  correlationId?: string
  snapshot?: string
  reason?: string
  /** The names of the warnings that the person confirmed. */
  warnings?: readonly string[]
}

/**
 * Calls one operation of our API. Rejects with `CallError` (see `lib/client/call-error`), which
 * contains the action if the response has one. The caller must parse the input first: a missing
 * field of the path throws a plain `Error`. `T` is a narrower type of the response than the
 * operation's schema.
 */
export async function call<K extends OperationId, T = Output<K>>(
  id: K,
  input: Input<K>,
  options: CallOptions,
): Promise<CallAnswer<T>> {
  const definition = getOperation(id)
  const { url, method, headers, body } = buildApiRequestParts({ id, definition }, input, options)
  // A write is never aborted, because its outcome would be unknown.
  const signal = definition.effect === 'read' ? options.signal : undefined
  // Only requests with `/v1/` in their path reach the service, so only their responses show if it
  // accepts our API key.
  const environment = url.includes('/v1/') ? options.environment : undefined
  return request<T>(url, {
    method,
    headers: { ...headers, ...toCallHeaders(options) },
    body,
    signal,
    keepalive: options.keepalive,
    environment,
  })
}

/**
 * Returns the headers that identify a write in the action log, for JSON requests and file uploads.
 */
export function toCallHeaders(options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey
  if (options.correlationId) headers['Correlation-Id'] = options.correlationId
  if (options.snapshot) headers['Snapshot-Hash'] = options.snapshot
  // A header can contain only ASCII, but a reason can be any text.
  if (options.reason) headers['Action-Reason'] = encodeURIComponent(options.reason)
  if (options.warnings?.length) headers['Action-Warnings'] = options.warnings.join(',')
  return headers
}
