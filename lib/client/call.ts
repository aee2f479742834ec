import type { ActionView, Answer } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { addressOf, type RequestScope } from '@/lib/operations/layout'
import { type OperationId, operation } from '@/lib/operations/operations'
import type { Input, Output } from '@/lib/operations/registry'
import { asCallError, CallError } from './call-error'
import { noteAnswer } from './connection-status'
import { drawnFor } from './drawn-for'
import { isUnattended } from './page-reads'
import { confirmed } from './step-up/confirmed'

/** What a request of ours came back with. `replayed`: the answer is that of an earlier attempt under the same key. */
export type CallAnswer<T> = { data: T; meta: AnswerMeta; action?: ActionView; replayed: boolean }

/** Page figures, request ids, time of reading and, for a single object, the hash of what was shown. */
export type AnswerMeta = Answer<unknown>['meta'] & { snapshot?: string }

type Send = {
  method: string
  headers?: Record<string, string>
  body?: Record<string, unknown>
  signal?: AbortSignal
  keepalive?: boolean | undefined
  /** Told of refused keys and ended sessions, see `lib/client/connection-status`. */
  environment?: Environment
}

/**
 * Sends one request to our own API and reads the answer, after a step-up if the API asks for one. Rejects with `CallError`: the API's own error, or, if
 * no readable answer came, `unavailable` for a read and `outcome_unknown` for a write. An aborted read rejects with the browser's AbortError. Never
 * resends anything.
 */
export const request = <T>(url: string, send: Send): Promise<CallAnswer<T>> =>
  confirmed(url, (headers) => sendOnce<T>(url, { ...send, headers: { ...send.headers, ...headers } })).catch((cause: unknown) => {
    throw send.signal?.aborted ? cause : asCallError(cause)
  })

async function sendOnce<T>(url: string, { method, headers, body, signal, keepalive, environment }: Send): Promise<CallAnswer<T>> {
  const isWrite = method !== 'GET'
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(!isWrite && isUnattended() ? { unattended: '1' } : {}),
      ...drawnFor(),
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
      retryAfter: secondsOf(response.headers.get('retry-after')),
    },
    isWrite,
    environment,
  )
}

/** Reads an answer of our API from its status and text, tolerant of members it does not know; see `request` for what it throws. */
export function readAnswer<T>(
  answer: { status: number; text: string; replayed: boolean; retryAfter?: number },
  isWrite: boolean,
  environment?: Environment,
): CallAnswer<T> {
  const body = parse<T>(answer.text)
  const refused = answer.status >= 400 || body?.error !== undefined
  // A page of some middle box instead of an answer of ours says nothing about a write, unless it is a plain refusal.
  if (!body && (!isWrite || answer.status >= 500 || answer.status < 400)) throw CallError.noAnswer(isWrite)
  if (!body || refused) {
    const error = CallError.fromAnswer(body ?? {}, answer.status, answer.retryAfter)
    noteAnswer(environment, error)
    throw error
  }
  noteAnswer(environment, null)
  return {
    data: body.data as T,
    meta: body.meta ?? { request_id: '' },
    action: body.action,
    replayed: answer.replayed || body.action?.replayed === true,
  }
}

/** Our API writes whole seconds into `Retry-After`; anything else tells no time. */
const secondsOf = (header: string | null): number | undefined => (header && /^\d{1,6}$/.test(header) ? Number(header) : undefined)

function parse<T>(text: string): Partial<Answer<T>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Partial<Answer<T>>) : null
  } catch {
    return null
  }
}

/**
 * What travels beside the input. A write needs a key and the review's correlation id; `snapshot` is `meta.snapshot` of what was on the screen;
 * `reason` is for operations whose reason is kept by the desk.
 */
export type CallOptions = RequestScope & {
  signal?: AbortSignal
  /** Sent to its end though the page is left meanwhile. */
  keepalive?: true
  idempotencyKey?: string
  correlationId?: string
  snapshot?: string
  reason?: string
  /** The names of the warnings that were ticked. */
  warnings?: readonly string[]
}

/**
 * Calls one operation of our own API, the service's or Paydesk's. Rejects with `CallError` (see `lib/client/call-error`), which holds the action if the
 * answer had one. The input is trusted to be parsed: a missing path field is a programming error. `T` is for callers that know the answer more
 * exactly than its schema.
 */
export async function call<K extends OperationId, T = Output<K>>(id: K, input: Input<K>, options: CallOptions): Promise<CallAnswer<T>> {
  const definition = operation(id)
  const { url, method, headers, body } = addressOf({ id, definition }, input, options)
  // A write is never cut off: what it did could not be told from the outside.
  const signal = definition.effect === 'read' ? options.signal : undefined
  // Whether the service takes our key is told by its own answers only.
  const environment = url.includes('/v1/') ? options.environment : undefined
  return request<T>(url, {
    method,
    headers: { ...headers, ...callHeaders(options) },
    body,
    signal,
    keepalive: options.keepalive,
    environment,
  })
}

/** The headers that name a write to the action log, as `call` and `upload` send them. */
export function callHeaders(options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey
  if (options.correlationId) headers['Correlation-Id'] = options.correlationId
  if (options.snapshot) headers['Snapshot-Hash'] = options.snapshot
  // A header is plain ASCII, and a reason is any text.
  if (options.reason) headers['Action-Reason'] = encodeURIComponent(options.reason)
  if (options.warnings?.length) headers['Action-Warnings'] = options.warnings.join(',')
  return headers
}
