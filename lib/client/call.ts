import type { ActionView, ApiAnswer } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { buildApiRequestParts, type RequestScope } from '@/lib/operations/layout'
import { getOperation, type OperationId } from '@/lib/operations/operations'
import type { Input, Output } from '@/lib/operations/registry'
import { CallError, toCallError } from './call-error'
import { recordResponse } from './connection-status'
import { getPagePersonHeader } from './drawn-for'
import { isPageUnattended } from './page-retries'
import { withStepUp } from './step-up/with-step-up'

/** A `replayed` response is the stored one of an earlier attempt with the same idempotency key. */
export type CallAnswer<T> = { data: T; meta: AnswerMeta; action?: ActionView; replayed: boolean }

/** `snapshot` is a hash of the object in this response, if it contains a single object. */
export type AnswerMeta = ApiAnswer<unknown>['meta'] & { snapshot?: string }

type SendOptions = {
  method: string
  headers?: Record<string, string>
  body?: Record<string, unknown>
  signal?: AbortSignal
  keepalive?: boolean | undefined
  /**
   * Set it only for a request that reaches the service. The response then shows if the service
   * accepts our API key.
   */
  environment?: Environment
}

/**
 * Sends the request again only after a step-up (the person proves their identity again). Rejects
 * with a `CallError`. Without a readable response, its code is `unavailable` for a read and
 * `outcome_unknown` for a write. An aborted read rejects with the browser's AbortError.
 */
export const sendRequest = <T>(url: string, sendOptions: SendOptions): Promise<CallAnswer<T>> =>
  withStepUp(url, (headers) =>
    sendRequestOnce<T>(url, { ...sendOptions, headers: { ...sendOptions.headers, ...headers } }),
  ).catch((cause: unknown) => {
    throw sendOptions.signal?.aborted ? cause : toCallError(cause)
  })

async function sendRequestOnce<T>(
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
      ...(!isWrite && isPageUnattended() ? { unattended: '1' } : {}),
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
  const responseText = await response.text().catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw CallError.noAnswer(isWrite, cause)
  })
  return parseCallAnswer<T>(
    {
      status: response.status,
      text: responseText,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      retryAfter: parseRetryAfter(response.headers.get('retry-after')),
      sentAt,
    },
    isWrite,
    environment,
  )
}

/** Ignores unknown fields. Throws a `CallError`, as `sendRequest` describes. */
export function parseCallAnswer<T>(
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

const parseRetryAfter = (header: string | null): number | undefined =>
  header && /^\d{1,6}$/.test(header) ? Number(header) : undefined

function parseBody<T>(text: string): Partial<ApiAnswer<T>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Partial<ApiAnswer<T>>)
      : null
  } catch {
    return null
  }
}

/**
 * A write needs `idempotencyKey` and `correlationId`. `snapshot` is `meta.snapshot` of the object
 * on the screen. Set `reason` only for an operation whose reason the service does not accept: the
 * reason then stays in Paydesk.
 */
export type CallOptions = RequestScope & {
  signal?: AbortSignal
  keepalive?: true
  idempotencyKey?: string
  correlationId?: string
  snapshot?: string
  reason?: string
  /** The names of the warnings that the person confirmed. */
  warnings?: readonly string[]
}

/** Rejects with `CallError`. A missing path field throws a plain `Error`: parse the input first. */
export async function call<K extends OperationId, T = Output<K>>(
  id: K,
  input: Input<K>,
  options: CallOptions,
): Promise<CallAnswer<T>> {
  const definition = getOperation(id)
  const { url, method, headers, body } = buildApiRequestParts({ id, definition }, input, options)
  // A write is never aborted, because its outcome would be unknown.
  const signal = definition.effect === 'read' ? options.signal : undefined
  // Only `/v1/` requests reach the service, so only their responses show if it accepts our API key.
  const environment = url.includes('/v1/') ? options.environment : undefined
  return sendRequest<T>(url, {
    method,
    headers: { ...headers, ...toCallHeaders(options) },
    body,
    signal,
    keepalive: options.keepalive,
    environment,
  })
}

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
