import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dialect, ResponseInfo } from '@/sandbox/dialects/dialect'
import { iso } from '@/sandbox/store/clock'
import type { FaultKind } from './planned-faults'
import { Problem } from './problem'

/** A response as it is sent and as idempotency stores it. Header names are in lower case. */
export type WireResponse = { status: number; headers: Record<string, string>; body: string }

export type ListResult<Item = unknown> = {
  items: Item[]
  total: number
  page: number
  size: number
  sortBy: string
  sortOrder: 'asc' | 'desc'
}

export const maxPageSize = 1000

export type ResponseContext = { dialect: Dialect; now: number; accept?: string | undefined }

const requestMeta = (now: number) => ({ api_request_id: randomUUID(), api_request_timestamp: iso(now) })

function contentTypeHeaders({ dialect, accept }: ResponseContext, responseInfo?: ResponseInfo): Record<string, string> {
  const contentType = dialect.contentType(accept, responseInfo)
  return contentType === null ? {} : { 'content-type': contentType }
}

function envelope(status: number, meta: object, data: unknown, responseInfo: ResponseInfo, context: ResponseContext): WireResponse {
  const { dialect } = context
  const body = { meta: dialect.meta(meta, responseInfo), response_type: responseInfo.answers, data }
  return { status, headers: contentTypeHeaders(context, responseInfo), body: JSON.stringify(dialect.envelope(body, responseInfo)) }
}

export function objectResponse(status: number, data: object, operation: string, context: ResponseContext): WireResponse {
  const about: ResponseInfo = { operation, answers: 'object' }
  return envelope(status, requestMeta(context.now), context.dialect.data(data, about), about, context)
}

export function listResponse(status: number, list: ListResult<object>, operation: string, context: ResponseContext): WireResponse {
  const about: ResponseInfo = { operation, answers: 'array' }
  const meta = {
    ...requestMeta(context.now),
    page_number: list.page,
    page_size: list.size,
    total_items: list.total,
    total_pages: Math.ceil(list.total / list.size),
    max_page_size: maxPageSize,
    sort_by: list.sortBy,
    sort_order: list.sortOrder,
  }
  const data = list.items.map((item) => context.dialect.data(item, about))
  return envelope(status, meta, data, about, context)
}

function toErrorBody(problem: Problem) {
  const { status, type, title, detail, items } = problem
  if (problem.shape === 'auth') return { code: 'invalid_api_key', message: detail, type }
  return { status, type, title, detail, ...(items ? { items } : {}) }
}

export function problemResponse(problem: Problem, context: ResponseContext): WireResponse {
  const { dialect, now } = context
  const error = toErrorBody(problem)
  const body = dialect.refusal(problem.shape === 'bare' ? error : { meta: requestMeta(now), response_type: 'error', error }, problem)
  if (body === undefined) return { status: problem.status, headers: {}, body: '' }
  return { status: problem.status, headers: contentTypeHeaders(context), body: JSON.stringify(body) }
}

/** Returns the 404 of an unknown route. Its body is HTML, as from the provider's router. */
export const unknownRoute = (): WireResponse => ({
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html lang="en"><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
})

/** Returns the response for a thrown error. Any error but a Problem becomes a 500 with a generic text. */
export function toErrorResponse(error: unknown, context: ResponseContext): WireResponse {
  if (error instanceof Problem) return problemResponse(error, context)
  return problemResponse(new Problem(500, 'api_error', 'Internal Server Error', 'Something went wrong on our side.'), context)
}

export type Wire = { incoming: IncomingMessage; outgoing: ServerResponse }

const waitMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export async function delayAt(fault: FaultKind | undefined, at: 'before' | 'mid' | 'after'): Promise<void> {
  if (fault?.kind === 'delay' && fault.at === at) await waitMs(fault.ms)
}

export function statusResponse(fault: Extract<FaultKind, { kind: 'status' }>, context: ResponseContext): WireResponse {
  const retry: Record<string, string> = fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) }
  if (fault.body === 'none') return { status: fault.status, headers: retry, body: '' }
  if (fault.body === 'html') {
    const body = `<html><body><center><h1>${fault.status}</h1></center></body></html>`
    return { status: fault.status, headers: { 'content-type': 'text/html', ...retry }, body }
  }
  const answer = problemResponse(new Problem(fault.status, 'api_error', 'Error', 'A planned fault of the sandbox.'), context)
  return { ...answer, headers: { ...answer.headers, ...retry } }
}

export function sendResponse({ outgoing }: Wire, answer: WireResponse): void {
  const body = Buffer.from(answer.body, 'utf8')
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': body.length })
  outgoing.end(body)
}

function sendTruncated({ outgoing }: Wire, answer: WireResponse, bytes: number): void {
  const body = Buffer.from(answer.body, 'utf8')
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': body.length })
  outgoing.write(body.subarray(0, Math.min(bytes, body.length - 1)), () => outgoing.destroy())
}

export function cutConnection({ incoming }: Wire, mode: 'close' | 'reset'): void {
  if (mode === 'close') incoming.socket.destroy()
  else incoming.socket.resetAndDestroy()
}

export function sendWithFault(fault: FaultKind | undefined, wire: Wire, answer: WireResponse, context: ResponseContext): void {
  if (fault?.kind === 'truncate') sendTruncated(wire, answer, fault.at)
  else if (fault?.kind === 'reset' && fault.at === 'after') cutConnection(wire, 'reset')
  else if (fault?.kind === 'status' && fault.at === 'after') sendResponse(wire, statusResponse(fault, context))
  else if (fault?.kind === 'body') sendResponse(wire, { status: 200, headers: { 'content-type': fault.content_type }, body: fault.body })
  else sendResponse(wire, answer)
}

const parseMediaRanges = (accept: string): string[] =>
  accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    return range === '' || parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [range]
  })

const isInRange = (range: string, type: string): boolean => range === '*/*' || range === type || range === `${type.split('/')[0]}/*`

/**
 * Returns the content type for an Accept header: the first of `offered` if the header accepts it or matches none. Otherwise returns the
 * first match in the header's order.
 */
export function negotiateContentType(offered: readonly [string, ...string[]], accept: string | undefined): string {
  const [defaultType] = offered
  const ranges = parseMediaRanges(accept ?? '')
  if (ranges.some((range) => isInRange(range, defaultType))) return defaultType
  return ranges.flatMap((range) => offered.find((type) => isInRange(range, type)) ?? [])[0] ?? defaultType
}
