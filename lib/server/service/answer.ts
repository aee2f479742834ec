import 'server-only'
import { AppError, type ErrorCode, type ErrorItem } from '@/lib/errors'
import type { PageMeta, UnreadableRow } from '@/lib/operations/answer'
import { getSchemas } from '@/lib/operations/registry'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { log } from '@/lib/server/log'
import { getSharedValue } from '@/lib/server/shared'
import { maskApiKeys, type SendResult } from './client'
import { type CallFault, limitFaults } from './faults'
import { cutText } from './masked-raw'
import { parseJson, readTolerantly } from './read-tolerantly'
import { parseRetryAfter, toDurationText } from './request'

/** Counts since the process began. `last` is in milliseconds since 1970. */
type UnreadableFieldCount = {
  operation: ServiceOperationId
  path: string
  count: number
  last: number
}

/**
 * The most paths that are counted. Paths consist of field names of the contract, so only a service
 * that breaks the contract reaches this limit.
 */
const maxCountedPaths = 1000

const countByOperationPath = getSharedValue(
  'unreadable',
  () => new Map<string, UnreadableFieldCount>(),
)

/** Logs at 1, 10, 100…: a field unreadable in every response would otherwise fill the log. */
const shouldLogCount = (before: number, after: number): boolean =>
  before === 0 || Math.floor(Math.log10(after)) > Math.floor(Math.log10(before))

/** Neither the counts nor the log contain a value from a response. */
function countUnreadableFields(
  operation: ServiceOperationId,
  paths: Readonly<Record<string, number>>,
): void {
  for (const [path, more] of Object.entries(paths)) {
    const key = `${operation} ${path}`
    const previousCount = countByOperationPath.get(key)?.count ?? 0
    if (previousCount === 0 && countByOperationPath.size >= maxCountedPaths) continue
    const count = previousCount + more
    countByOperationPath.set(key, { operation, path, count, last: Date.now() })
    if (shouldLogCount(previousCount, count))
      log.warn({ event: 'service.unreadable', operation, path, count })
  }
}

export const listCountedUnreadableFields = (): UnreadableFieldCount[] =>
  [...countByOperationPath.values()].sort((one, other) => other.count - one.count)

/** Undefined if the value is no whole number or below the minimum. */
function parseInteger(value: unknown, minimum: number): number | undefined {
  const parsedNumber = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof parsedNumber === 'number' &&
    Number.isSafeInteger(parsedNumber) &&
    parsedNumber >= minimum
    ? parsedNumber
    : undefined
}

/**
 * See interface document, "Response envelope". Omits impossible numbers: for example, a total below
 * the number of rows would hide pages.
 */
export function parsePageMeta(meta: Record<string, unknown>, rowCount: number): Partial<PageMeta> {
  const pageNumber = parseInteger(meta.page_number, 1)
  const pageSize = parseInteger(meta.page_size, Math.max(1, rowCount))
  const rowsSoFar = rowCount === 0 ? 0 : ((pageNumber ?? 1) - 1) * (pageSize ?? 0) + rowCount
  const pageMeta = {
    page_number: pageNumber,
    page_size: pageSize,
    total_items:
      parseInteger(meta.total_items, rowsSoFar) ?? parseInteger(meta.total_rows, rowsSoFar),
    sort_order:
      meta.sort_order === 'asc' || meta.sort_order === 'desc' ? meta.sort_order : undefined,
    sort_by:
      typeof meta.sort_by === 'string' && /^\w{1,60}$/.test(meta.sort_by)
        ? meta.sort_by
        : undefined,
  }
  return Object.fromEntries(Object.entries(pageMeta).filter(([, figure]) => figure !== undefined))
}

/**
 * Omits undeclared fields and unreadable values. `rows` are the list rows of which nothing could be
 * read. `paths` has the number of unreadable values by path.
 */
export type ParsedAnswer = {
  status: number
  data: unknown
  rows: UnreadableRow[]
  paths: Record<string, number>
  page: Partial<PageMeta>
  apiRequestId: string | undefined
  replayed: boolean
}

/** The service has several formats for errors. `detail` is the text that it sent. */
type ErrorAnswer = {
  status: number
  detail: string | undefined
  items: ErrorItem[]
  apiRequestId: string | undefined
  replayed: boolean
}

export type ServiceAnswer = Extract<SendResult, { kind: 'answer' }>
type Json = Record<string, unknown>

const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toMaskedText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? maskApiKeys(cutText(value, 500)) : undefined

/**
 * Content types of a body that may be JSON. The contract also allows plain text, and a missing
 * content type is accepted too.
 */
const jsonTypePattern = /^\s*((application|text)\/([\w.-]+\+)?json\b|text\/plain\b|$)/i

/** Null for another content type or any other body, such as HTML, empty or truncated. */
export function parseJsonBody(answer: ServiceAnswer): Json | null {
  if (!jsonTypePattern.test(answer.headers['content-type'] ?? '')) return null
  try {
    const value = parseJson(answer.text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

export const isReplayed = (answer: ServiceAnswer): boolean =>
  answer.headers['idempotent-replayed']?.toLowerCase() === 'true'

const readMeta = (body: Json | null): Json => (body && isJsonObject(body.meta) ? body.meta : {})

/** Null if the body is not JSON, or not the expected object or list. Omits unreadable values. */
export function parseAnswerWithoutCounting(
  id: ServiceOperationId,
  answer: ServiceAnswer,
): ParsedAnswer | null {
  const body = parseJsonBody(answer)
  if (!body || answer.status < 200 || answer.status > 299) return null
  const tolerantResult = readTolerantly(getSchemas(id).output, body.data)
  if (!tolerantResult) return null
  const meta = readMeta(body)
  return {
    status: answer.status,
    ...tolerantResult,
    page: parsePageMeta(meta, Array.isArray(body.data) ? body.data.length : 0),
    apiRequestId: toMaskedText(meta.api_request_id),
    replayed: isReplayed(answer),
  }
}

export function parseSuccessAnswer(
  id: ServiceOperationId,
  answer: ServiceAnswer,
): ParsedAnswer | null {
  const parsed = parseAnswerWithoutCounting(id, answer)
  if (parsed) countUnreadableFields(id, parsed.paths)
  return parsed
}

/** Formats: a list (interface document), a single item, or a map from field to message. */
function parseErrorItems({ items }: Json): ErrorItem[] {
  const itemList =
    isJsonObject(items) && !('detail' in items)
      ? Object.entries(items).map(([reference, detail]) => ({ reference, detail }))
      : [items].flat()
  return itemList.filter(isJsonObject).flatMap((item) => {
    const detail = toMaskedText(Array.isArray(item.detail) ? item.detail[0] : item.detail)
    return detail ? [{ reference: toMaskedText(item.reference) ?? '', detail }] : []
  })
}

/** Formats: an object in `error`, a bare object, the authentication form, or nothing readable. */
export function parseErrorAnswer(answer: ServiceAnswer): ErrorAnswer {
  const body = parseJsonBody(answer)
  const error = body && isJsonObject(body.error) ? body.error : (body ?? {})
  return {
    status: answer.status,
    detail:
      toMaskedText(error.detail) ??
      toMaskedText(error.message) ??
      toMaskedText(error.title) ??
      toMaskedText(body?.error),
    items: parseErrorItems(error),
    apiRequestId: toMaskedText(readMeta(body).api_request_id),
    replayed: isReplayed(answer),
  }
}

/** False if a proxy in front of the service sent the error response. */
export function isServiceError(answer: ServiceAnswer): boolean {
  const body = parseJsonBody(answer)
  return body !== null && (isJsonObject(body.error) || typeof body.status === 'number')
}

function toErrorCode(status: number): ErrorCode {
  if (status === 401) return 'service_key_refused'
  if (status === 403) return 'service_forbidden'
  if (status === 404) return 'service_not_found'
  if (status === 409) return 'service_conflict'
  if (status === 429) return 'service_busy'
  return status >= 400 && status < 500 ? 'service_refused' : 'service_failed'
}

export function toServiceError(answer: ServiceAnswer, requestId: string): AppError {
  const errorAnswer = parseErrorAnswer(answer)
  const isUnknownRoute = answer.status === 404 && parseJsonBody(answer) === null
  const errorDetail = isUnknownRoute
    ? 'The payments service has no such address: the configured base URL may be wrong'
    : errorAnswer.detail
  return new AppError(
    toErrorCode(answer.status),
    errorDetail ?? `The service answered ${answer.status} and gave no reason`,
    {
      items: errorAnswer.items,
      requestId,
      apiRequestId: errorAnswer.apiRequestId,
      retryAfter: parseRetryAfter(answer.headers),
    },
  )
}

const limitTextByFault: Partial<Record<CallFault, (wait: string) => string>> = {
  over_quota: (wait) =>
    `You have reached the request limit per person and minute. Try again in ${wait}`,
  over_budget: (wait) =>
    `The request limit of the payments service is reached. Try again in ${wait}`,
}

/** For a call that was not sent, because a limit was reached or could not be checked. */
export function createLimitError(fault: CallFault, seconds = 1, requestId?: string): AppError {
  const detail = limitTextByFault[fault]?.(toDurationText(seconds))
  const errorContext = { retryAfter: seconds, ...(requestId ? { requestId } : {}) }
  if (!detail)
    return new AppError(
      'unavailable',
      'Paydesk cannot check its request limit right now. Nothing was sent',
      errorContext,
    )
  return new AppError('too_many', detail, errorContext)
}

/** Throws an `AppError` with our request id if the read failed. */
export function requireReadResult(
  id: ServiceOperationId,
  sendResult: SendResult,
  requestId: string,
): ParsedAnswer {
  if (sendResult.kind === 'fault' && limitFaults.has(sendResult.fault))
    throw createLimitError(sendResult.fault, sendResult.seconds, requestId)
  if (sendResult.kind === 'fault')
    throw new AppError(
      'service_failed',
      `The payments service did not answer (${sendResult.fault})`,
      { requestId },
    )
  const parsed = parseSuccessAnswer(id, sendResult)
  if (parsed) return parsed
  if (sendResult.status >= 200 && sendResult.status <= 399) {
    const redirectText =
      'The payments service redirects elsewhere, and Paydesk follows no redirects: the configured base URL may be wrong'
    throw new AppError(
      'service_failed',
      sendResult.status < 300 ? 'The answer could not be read' : redirectText,
      { requestId },
    )
  }
  throw toServiceError(sendResult, requestId)
}
