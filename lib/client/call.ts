import type { ActionView, Answer } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { layOutApiRequest, type RequestScope } from '@/lib/operations/layout'
import { type OperationId, operation } from '@/lib/operations/operations'
import type { Input, Output } from '@/lib/operations/registry'
import { asCallError, CallError } from './call-error'
import { recordResponse } from './connection-status'
import { pagePersonHeader } from './drawn-for'
import { isUnattended } from './page-retries'
import { withStepUp } from './step-up/with-step-up'

/** A successful response. `replayed` is true if it is the response to an earlier attempt with the same key. */
export type CallAnswer<T> = { data: T; meta: AnswerMeta; action?: ActionView; replayed: boolean }

/** The paging data, request ids, and time of the read. For a single object also `snapshot`, the hash of the displayed object. */
export type AnswerMeta = Answer<unknown>['meta'] & { snapshot?: string }

type SendOptions = {
  method: string
  headers?: Record<string, string>
  body?: Record<string, unknown>
  signal?: AbortSignal
  keepalive?: boolean | undefined
  /** The environment whose key status is updated by the response (`lib/client/connection-status`). */
  environment?: Environment
}

/**
 * Sends one request to our API and returns the response. If the API requires a step-up, the person confirms it, and the request is sent
 * again; nothing else repeats it. Rejects with `CallError`: the error of the API, or if there is no readable response, `unavailable` for a
 * read and `outcome_unknown` for a write. An aborted read rejects with the browser's AbortError.
 */
export const request = <T>(url: string, send: SendOptions): Promise<CallAnswer<T>> =>
  withStepUp(url, (headers) => sendOnce<T>(url, { ...send, headers: { ...send.headers, ...headers } })).catch((cause: unknown) => {
    throw send.signal?.aborted ? cause : asCallError(cause)
  })

async function sendOnce<T>(url: string, { method, headers, body, signal, keepalive, environment }: SendOptions): Promise<CallAnswer<T>> {
  const isWrite = method !== 'GET'
  const sentAt = performance.now()
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(!isWrite && isUnattended() ? { unattended: '1' } : {}),
      ...pagePersonHeader(),
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

/** Parses a response of our API from its status and text. Unknown fields are ignored. Throws the errors of `request`. */
export function readAnswer<T>(
  answer: { status: number; text: string; replayed: boolean; retryAfter?: number; sentAt: number },
  isWrite: boolean,
  environment?: Environment,
): CallAnswer<T> {
  const body = parseBody<T>(answer.text)
  const isRefused = answer.status >= 400 || body?.error !== undefined
  // The page of a proxy in place of our response does not show if a write took effect, unless its status is a refusal (4xx).
  if (!body && (!isWrite || answer.status >= 500 || answer.status < 400)) throw CallError.noAnswer(isWrite)
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
const parseRetryAfter = (header: string | null): number | undefined => (header && /^\d{1,6}$/.test(header) ? Number(header) : undefined)

function parseBody<T>(text: string): Partial<Answer<T>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Partial<Answer<T>>) : null
  } catch {
    return null
  }
}

/**
 * The options of a request. A write needs an idempotency key and the correlation id of the opened record. `snapshot` is `meta.snapshot` of
 * the object on the screen. `reason` is for operations whose reason only Paydesk stores.
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
 * Calls one operation of our API. Rejects with `CallError` (see `lib/client/call-error`), which contains the action if the response has
 * one. The input must already be parsed: a missing path field is a programming error. `T` is a narrower type of the response than the
 * operation's schema.
 */
export async function call<K extends OperationId, T = Output<K>>(id: K, input: Input<K>, options: CallOptions): Promise<CallAnswer<T>> {
  const definition = operation(id)
  const { url, method, headers, body } = layOutApiRequest({ id, definition }, input, options)
  // A write is never aborted, because its outcome would be unknown.
  const signal = definition.effect === 'read' ? options.signal : undefined
  // Only responses of the service show if it accepts our API key.
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

/** Returns the headers that identify a write in the action log, for `call` and `upload`. */
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
