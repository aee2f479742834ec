import { toRequest } from '@/lib/operations/http'
import type { Input, Output } from '@/lib/operations/registry'
import type { OperationId } from '@/lib/operations/rows'
import { serviceApiPath } from '@/lib/routes'
import type { DeskScope } from './desk'
import { type CallAnswer, request } from './request'

/**
 * What travels beside the input. A write needs a key and the review's correlation id; `snapshot` is `meta.snapshot` of what was on the screen;
 * `reason` is for operations whose reason is kept by the desk.
 */
export type CallOptions = DeskScope & {
  signal?: AbortSignal
  idempotencyKey?: string
  correlationId?: string
  snapshot?: string
  reason?: string
}

/**
 * Calls one operation through our own API. Throws `CallError` (see `lib/client/request`), with the action beside it where the answer had one.
 * The input is trusted to be parsed: a missing path field is a programming error.
 */
export function call<K extends OperationId>(id: K, input: Input<K>, options: CallOptions): Promise<CallAnswer<Output<K>>> {
  const { method, path, query, body } = toRequest(id, input)
  const url = serviceApiPath(options.environment, path, query, options.account)
  // A write is never cut off: what it did could not be told from the outside.
  const signal = method === 'GET' ? options.signal : undefined
  return request<Output<K>>(url, { method, headers: callHeaders(options), body, signal, environment: options.environment })
}

/** The headers that name a write to the action book, as `call` and `upload` send them. */
export function callHeaders(options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey
  if (options.correlationId) headers['Correlation-Id'] = options.correlationId
  if (options.snapshot) headers['Snapshot-Hash'] = options.snapshot
  // A header is plain ASCII, and a reason is any text.
  if (options.reason) headers['Action-Reason'] = encodeURIComponent(options.reason)
  return headers
}
