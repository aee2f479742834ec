import 'server-only'
import { AppError, type ErrorCode, type ErrorItem } from '@/lib/errors'
import type { PageMeta, UnreadableRow } from '@/lib/operations/answer'
import { schemasOf } from '@/lib/operations/registry'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { type Sent, withoutKeys } from './client'
import { type Fault, overLimit } from './faults'
import { cutText, parseJson, readTolerantly } from './read-tolerantly'
import { inWords, retryAfterIn } from './request'

/** A part of answers that could not be read since this process began: how often, and when last (milliseconds since 1970). */
type UnreadableCount = { operation: ServiceOperationId; path: string; count: number; last: number }

/** Paths are names of the contract, so there are few; the bound is for a service that proves us wrong. */
const mostPaths = 1000

const counts = shared('unreadable', () => new Map<string, UnreadableCount>())

/** 1, 10, 100 and so on: a field that is odd in every answer must not fill the log. */
const isTold = (before: number, after: number): boolean => before === 0 || Math.floor(Math.log10(after)) > Math.floor(Math.log10(before))

/** Counts what could not be read of an answer, by path, and logs the first, tenth, hundredth … of each. No value is in either. */
function noteUnreadable(operation: ServiceOperationId, paths: Readonly<Record<string, number>>): void {
  for (const [path, more] of Object.entries(paths)) {
    const key = `${operation} ${path}`
    const before = counts.get(key)?.count ?? 0
    if (before === 0 && counts.size >= mostPaths) continue
    const count = before + more
    counts.set(key, { operation, path, count, last: Date.now() })
    if (isTold(before, count)) log.warn({ event: 'service.unreadable', operation, path, count })
  }
}

/** Everything that could not be read since this process began, the most frequent first. */
export const unreadableCounts = (): UnreadableCount[] => [...counts.values()].sort((one, other) => other.count - one.count)

/** A whole number of at least `least`; a text that is one counts. */
function whole(value: unknown, least: number): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= least ? number : undefined
}

/**
 * The figures of a list's page (interface document, "Response envelope"); `here` is how many rows it holds. A figure that makes no sense is left out,
 * as if the service had not sent it: a total below what is there would hide pages.
 */
export function pageIn(meta: Record<string, unknown>, here: number): Partial<PageMeta> {
  const number = whole(meta.page_number, 1)
  const size = whole(meta.page_size, Math.max(1, here))
  const seen = here === 0 ? 0 : ((number ?? 1) - 1) * (size ?? 0) + here
  const figures = {
    page_number: number,
    page_size: size,
    total_items: whole(meta.total_items, seen) ?? whole(meta.total_rows, seen),
    sort_order: meta.sort_order === 'asc' || meta.sort_order === 'desc' ? meta.sort_order : undefined,
    sort_by: typeof meta.sort_by === 'string' && /^\w{1,60}$/.test(meta.sort_by) ? meta.sort_by : undefined,
  }
  return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined))
}

/**
 * An answer read through the operation's output schema: fields we did not declare are gone, and what could not be read is left out. `rows` are
 * those of a list that could not be read at all; `paths` counts what could not be read, by path.
 */
export type Parsed = {
  status: number
  data: unknown
  rows: UnreadableRow[]
  paths: Record<string, number>
  page: Partial<PageMeta>
  apiRequestId: string | undefined
  replayed: boolean
}

/** The words of a refusal, taken from whichever of the service's error shapes came. `detail` is the service's own text. */
type Refusal = {
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
  typeof value === 'string' && value !== '' ? withoutKeys(cutText(value, 500)) : undefined

/** JSON in any of its names, and plain text, in which the contract offers the same answers; whoever names no kind may mean either. */
const mayBeJson = /^\s*((application|text)\/([\w.-]+\+)?json\b|text\/plain\b|$)/i

/** An answer's body as a JSON object, or null for HTML, empty, cut and other bodies: it is what it is called, and what it holds. */
export function jsonOf(answer: Answer): Json | null {
  if (!mayBeJson.test(answer.headers['content-type'] ?? '')) return null
  try {
    const value = parseJson(answer.text)
    return isJson(value) ? value : null
  } catch {
    return null
  }
}

/** Whether the service says this is its record of an earlier, identical request. */
export const isReplayed = (answer: Answer): boolean => answer.headers['idempotent-replayed']?.toLowerCase() === 'true'

const metaOf = (body: Json | null): Json => (body && isJson(body.meta) ? body.meta : {})

/**
 * Reads a 2xx through the output schema, as far as it can be read; null when it is no JSON, or not the object or list it should be. What could not be
 * read is counted and logged by path.
 */
export function parseSuccess(id: ServiceOperationId, answer: Answer): Parsed | null {
  const body = jsonOf(answer)
  if (!body || answer.status < 200 || answer.status > 299) return null
  const reading = readTolerantly(schemasOf(id).output, body.data)
  if (!reading) return null
  noteUnreadable(id, reading.paths)
  const meta = metaOf(body)
  return {
    status: answer.status,
    ...reading,
    page: pageIn(meta, Array.isArray(body.data) ? body.data.length : 0),
    apiRequestId: asText(meta.api_request_id),
    replayed: isReplayed(answer),
  }
}

/** Items as the list of the interface document, as one item alone, or as a map of field to message. */
function itemsOf({ items }: Json): ErrorItem[] {
  const list =
    isJson(items) && !('detail' in items) ? Object.entries(items).map(([reference, detail]) => ({ reference, detail })) : [items].flat()
  return list.filter(isJson).flatMap((item) => {
    const detail = asText(Array.isArray(item.detail) ? item.detail[0] : item.detail)
    return detail ? [{ reference: asText(item.reference) ?? '', detail }] : []
  })
}

/** Reads a refusal: wrapped `error`, bare object, the authentication shape with `code` and `message`, or nothing readable at all. */
export function parseRefusal(answer: Answer): Refusal {
  const body = jsonOf(answer)
  const error = body && isJson(body.error) ? body.error : (body ?? {})
  return {
    status: answer.status,
    detail: asText(error.detail) ?? asText(error.message) ?? asText(error.title) ?? asText(body?.error),
    items: itemsOf(error),
    apiRequestId: asText(metaOf(body).api_request_id),
    replayed: isReplayed(answer),
  }
}

/** Whether a refusal is one of the service's own error shapes, and not a page of something in front of it. */
export function isServiceError(answer: Answer): boolean {
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

/** Our typed error for an answer that is no success. The service's own words are in `detail` where it gave any. */
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
  over_quota: (wait) => `You have reached the request limit per person and minute. Try again in ${wait}`,
  over_budget: (wait) => `The request limit of the payments service is reached. Try again in ${wait}`,
}

/** Our typed error for a call that was not made: over a limit, or nobody could say whether it is. Nothing was sent. */
export function limitError(fault: Fault, seconds = 1, requestId?: string): AppError {
  const detail = refusals[fault]?.(inWords(seconds))
  const context = { retryAfter: seconds, ...(requestId ? { requestId } : {}) }
  if (!detail) return new AppError('unavailable', 'Paydesk cannot check its request limit right now. Nothing was sent', context)
  return new AppError('too_many', detail, context)
}

/** Reads a read's result. Throws one typed `AppError`, with our request id, for everything that is not a readable success. */
export function readResult(id: ServiceOperationId, sent: Sent, requestId: string): Parsed {
  if (sent.kind === 'fault' && overLimit.has(sent.fault)) throw limitError(sent.fault, sent.seconds, requestId)
  if (sent.kind === 'fault') throw new AppError('service_failed', `The payments service did not answer (${sent.fault})`, { requestId })
  const parsed = parseSuccess(id, sent)
  if (parsed) return parsed
  if (sent.status >= 200 && sent.status <= 399) {
    const redirects = 'The payments service redirects elsewhere, and Paydesk follows no redirects: the configured base URL may be wrong'
    throw new AppError('service_failed', sent.status < 300 ? 'The answer could not be read' : redirects, { requestId })
  }
  throw errorOf(sent, requestId)
}
