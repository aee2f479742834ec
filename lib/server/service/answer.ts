import 'server-only'
import { AppError, type ErrorCode, type ErrorItem } from '@/lib/errors'
import type { PageMeta } from '@/lib/operations/answer'
import { schemasOf } from '@/lib/operations/registry'
import type { OperationId } from '@/lib/operations/rows'
import { type Sent, withoutKeys } from './client'
import { type Fault, overLimit } from './faults'
import { inWords, retryAfterIn } from './retry-after'

/** An answer read through the operation's output schema: fields we did not declare are gone. */
export type Parsed = { status: number; data: unknown; page: Partial<PageMeta>; apiRequestId: string | undefined; replayed: boolean }

/** The words of a refusal, taken from whichever of the service's error shapes came. `detail` is the service's own text. */
export type Refusal = {
  status: number
  detail: string | undefined
  items: ErrorItem[]
  apiRequestId: string | undefined
  replayed: boolean
}

type Answer = Extract<Sent, { kind: 'answer' }>
type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? withoutKeys(value.slice(0, 500)) : undefined
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** An answer's body as a JSON object, or null for HTML, empty, cut and other bodies. The declared kind must say JSON. */
export function jsonOf(answer: Answer): Json | null {
  if (!/^(application|text)\/([\w.-]+\+)?json\b/i.test(answer.headers['content-type'] ?? '')) return null
  try {
    const value: unknown = JSON.parse(answer.text)
    return isJson(value) ? value : null
  } catch {
    return null
  }
}

/** Whether the service says this is its record of an earlier, identical request. */
export const isReplayed = (answer: Answer): boolean => answer.headers['idempotent-replayed']?.toLowerCase() === 'true'

const metaOf = (body: Json | null): Json => (body && isJson(body.meta) ? body.meta : {})

function pageOf(meta: Json): Partial<PageMeta> {
  const page: Partial<PageMeta> = {}
  const total = asNumber(meta.total_items) ?? asNumber(meta.total_rows)
  if (total !== undefined) page.total_items = total
  const number = asNumber(meta.page_number)
  if (number !== undefined) page.page_number = number
  const size = asNumber(meta.page_size)
  if (size !== undefined) page.page_size = size
  if (meta.sort_order === 'asc' || meta.sort_order === 'desc') page.sort_order = meta.sort_order
  const sortBy = asText(meta.sort_by)
  if (sortBy) page.sort_by = sortBy
  return page
}

/** Reads a 2xx through the output schema; null when it is not the JSON it should be. */
export function parseSuccess(id: OperationId, answer: Answer): Parsed | null {
  const body = jsonOf(answer)
  if (!body || answer.status < 200 || answer.status > 299) return null
  const parsed = schemasOf(id).output.safeParse(body.data)
  if (!parsed.success) return null
  const meta = metaOf(body)
  return {
    status: answer.status,
    data: parsed.data,
    page: pageOf(meta),
    apiRequestId: asText(meta.api_request_id),
    replayed: isReplayed(answer),
  }
}

function itemsOf(error: Json): ErrorItem[] {
  if (!Array.isArray(error.items)) return []
  return error.items.filter(isJson).flatMap((item) => {
    const detail = asText(item.detail)
    return detail ? [{ reference: asText(item.reference) ?? '', detail }] : []
  })
}

/** Reads a refusal: wrapped `error`, bare object, the authentication shape with `code` and `message`, or nothing readable at all. */
export function parseRefusal(answer: Answer): Refusal {
  const body = jsonOf(answer)
  const error = body && isJson(body.error) ? body.error : (body ?? {})
  return {
    status: answer.status,
    detail: asText(error.detail) ?? asText(error.message) ?? asText(error.title),
    items: itemsOf(error),
    apiRequestId: asText(metaOf(body).api_request_id),
    replayed: isReplayed(answer),
  }
}

/** Whether a refusal is one of the service's own error shapes, and not a page of something in front of it. */
export function speaksForItself(answer: Answer): boolean {
  const body = jsonOf(answer)
  return body !== null && (isJson(body.error) || typeof body.status === 'number')
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'service_key_refused'
  if (status === 403) return 'service_forbidden'
  if (status === 404) return 'service_not_found'
  if (status === 409) return 'service_conflict'
  if (status === 429) return 'service_busy'
  return status >= 400 && status < 500 ? 'service_refused' : 'service_failed'
}

/** Our typed error for an answer that is no success. The service's own words stand in `detail` where it gave any. */
export function errorOf(answer: Answer, requestId: string): AppError {
  const refusal = parseRefusal(answer)
  const route = answer.status === 404 && jsonOf(answer) === null
  const detail = route ? 'The payments service has no such address: the configured base URL may be wrong' : refusal.detail
  return new AppError(codeOf(answer.status), detail ?? `The service answered ${answer.status} and gave no reason`, {
    items: refusal.items,
    requestId,
    apiRequestId: refusal.apiRequestId,
    retryAfter: retryAfterIn(answer.headers),
  })
}

const refusals: Partial<Record<Fault, (wait: string) => string>> = {
  over_quota: (wait) => `You have asked for all that one person may ask for in a minute. Try again in ${wait}`,
  over_budget: (wait) => `As many requests are on their way to the payments service as it allows. Try again in ${wait}`,
}

/** Our typed error for a call that was not made: over a limit, or nobody could say whether it is. Nothing was sent. */
export function limitError(fault: Fault, seconds = 1, requestId?: string): AppError {
  const detail = refusals[fault]?.(inWords(seconds))
  const context = { retryAfter: seconds, ...(requestId ? { requestId } : {}) }
  if (!detail) return new AppError('unavailable', 'Paydesk cannot tell how much it may send right now. Nothing was sent', context)
  return new AppError('too_many', detail, context)
}

/** Reads a read's result. Throws one typed `AppError`, with our request id, for everything that is not a readable success. */
export function readResult(id: OperationId, sent: Sent, requestId: string): Parsed {
  if (sent.kind === 'fault' && overLimit.has(sent.fault)) throw limitError(sent.fault, sent.seconds, requestId)
  if (sent.kind === 'fault') throw new AppError('service_failed', `The payments service did not answer (${sent.fault})`, { requestId })
  const parsed = parseSuccess(id, sent)
  if (parsed) return parsed
  if (sent.status >= 200 && sent.status <= 399) throw new AppError('service_failed', 'The answer could not be read', { requestId })
  throw errorOf(sent, requestId)
}
