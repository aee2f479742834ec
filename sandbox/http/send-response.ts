import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dialect, ResponseInfo } from '@/sandbox/dialects/dialect'
import { toIsoTime } from '@/sandbox/store/clock'
import type { FaultEffect } from './planned-faults'
import { Problem } from './problem'

/**
 * A response as it is sent. It is also stored, because a repeated Idempotency-Key gets it again.
 * Header names are in lower case.
 */
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

const createRequestMeta = (now: number) => ({
  api_request_id: randomUUID(),
  api_request_timestamp: toIsoTime(now),
})

function makeContentTypeHeaders(
  { dialect, accept }: ResponseContext,
  responseInfo?: ResponseInfo,
): Record<string, string> {
  const contentType = dialect.contentType(accept, responseInfo)
  return contentType === null ? {} : { 'content-type': contentType }
}

function makeEnvelopeResponse(
  status: number,
  meta: object,
  data: unknown,
  responseInfo: ResponseInfo,
  context: ResponseContext,
): WireResponse {
  const { dialect } = context
  const body = { meta: dialect.meta(meta, responseInfo), response_type: responseInfo.answers, data }
  return {
    status,
    headers: makeContentTypeHeaders(context, responseInfo),
    body: JSON.stringify(dialect.envelope(body, responseInfo)),
  }
}

export function makeObjectResponse(
  status: number,
  data: object,
  operation: string,
  context: ResponseContext,
): WireResponse {
  const objectResponseInfo: ResponseInfo = { operation, answers: 'object' }
  return makeEnvelopeResponse(
    status,
    createRequestMeta(context.now),
    context.dialect.data(data, objectResponseInfo),
    objectResponseInfo,
    context,
  )
}

export function makeListResponse(
  status: number,
  list: ListResult<object>,
  operation: string,
  context: ResponseContext,
): WireResponse {
  const listResponseInfo: ResponseInfo = { operation, answers: 'array' }
  const meta = {
    ...createRequestMeta(context.now),
    page_number: list.page,
    page_size: list.size,
    total_items: list.total,
    total_pages: Math.ceil(list.total / list.size),
    max_page_size: maxPageSize,
    sort_by: list.sortBy,
    sort_order: list.sortOrder,
  }
  const convertedItems = list.items.map((item) => context.dialect.data(item, listResponseInfo))
  return makeEnvelopeResponse(status, meta, convertedItems, listResponseInfo, context)
}

function toErrorBody(problem: Problem) {
  const { status, type, title, detail, items } = problem
  if (problem.shape === 'auth') return { code: 'invalid_api_key', message: detail, type }
  return { status, type, title, detail, ...(items ? { items } : {}) }
}

export function makeProblemResponse(problem: Problem, context: ResponseContext): WireResponse {
  const { dialect, now } = context
  const error = toErrorBody(problem)
  const errorBody = dialect.refusal(
    problem.shape === 'bare'
      ? error
      : { meta: createRequestMeta(now), response_type: 'error', error },
    problem,
  )
  if (errorBody === undefined) return { status: problem.status, headers: {}, body: '' }
  return {
    status: problem.status,
    headers: makeContentTypeHeaders(context),
    body: JSON.stringify(errorBody),
  }
}

/** The response for an unknown path. It is HTML, like the response of the provider's router. */
export const makeUnknownRouteResponse = (): WireResponse => ({
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html lang="en"><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
})

/** An error that is no `Problem` gets a generic text, without internal details. */
export function toErrorResponse(error: unknown, context: ResponseContext): WireResponse {
  if (error instanceof Problem) return makeProblemResponse(error, context)
  return makeProblemResponse(
    new Problem(500, 'api_error', 'Internal Server Error', 'Something went wrong on our side.'),
    context,
  )
}

export type RequestAndResponse = { incoming: IncomingMessage; outgoing: ServerResponse }

const waitMilliseconds = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export async function applyDelayFault(
  fault: FaultEffect | undefined,
  at: 'before' | 'mid' | 'after',
): Promise<void> {
  if (fault?.kind === 'delay' && fault.at === at) await waitMilliseconds(fault.ms)
}

export function makeFaultStatusResponse(
  fault: Extract<FaultEffect, { kind: 'status' }>,
  context: ResponseContext,
): WireResponse {
  const retryHeaders: Record<string, string> =
    fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) }
  if (fault.body === 'none') return { status: fault.status, headers: retryHeaders, body: '' }
  if (fault.body === 'html') {
    const htmlBody = `<html><body><center><h1>${fault.status}</h1></center></body></html>`
    return {
      status: fault.status,
      headers: { 'content-type': 'text/html', ...retryHeaders },
      body: htmlBody,
    }
  }
  const problemResponse = makeProblemResponse(
    new Problem(fault.status, 'api_error', 'Error', 'A planned fault of the sandbox.'),
    context,
  )
  return { ...problemResponse, headers: { ...problemResponse.headers, ...retryHeaders } }
}

export function sendResponse({ outgoing }: RequestAndResponse, response: WireResponse): void {
  const body = Buffer.from(response.body, 'utf8')
  outgoing.writeHead(response.status, { ...response.headers, 'content-length': body.length })
  outgoing.end(body)
}

function sendTruncated(
  { outgoing }: RequestAndResponse,
  response: WireResponse,
  bytes: number,
): void {
  const body = Buffer.from(response.body, 'utf8')
  outgoing.writeHead(response.status, { ...response.headers, 'content-length': body.length })
  outgoing.write(body.subarray(0, Math.min(bytes, body.length - 1)), () => outgoing.destroy())
}

export function cutConnection({ incoming }: RequestAndResponse, mode: 'close' | 'reset'): void {
  if (mode === 'close') incoming.socket.destroy()
  else incoming.socket.resetAndDestroy()
}

export function sendWithFault(
  fault: FaultEffect | undefined,
  wire: RequestAndResponse,
  answer: WireResponse,
  context: ResponseContext,
): void {
  if (fault?.kind === 'truncate') sendTruncated(wire, answer, fault.at)
  else if (fault?.kind === 'reset' && fault.at === 'after') cutConnection(wire, 'reset')
  else if (fault?.kind === 'status' && fault.at === 'after')
    sendResponse(wire, makeFaultStatusResponse(fault, context))
  else if (fault?.kind === 'body')
    sendResponse(wire, {
      status: 200,
      headers: { 'content-type': fault.content_type },
      body: fault.body,
    })
  else sendResponse(wire, answer)
}

const parseMediaRanges = (accept: string): string[] =>
  accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    return range === '' || parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
      ? []
      : [range]
  })

const isInMediaRange = (range: string, type: string): boolean =>
  range === '*/*' || range === type || range === `${type.split('/')[0]}/*`

/**
 * Returns the first type of `offered` if the Accept header allows it or allows none of the types.
 * Otherwise returns the first allowed type in the order of the header.
 */
export function negotiateContentType(
  offered: readonly [string, ...string[]],
  accept: string | undefined,
): string {
  const [defaultType] = offered
  const mediaRanges = parseMediaRanges(accept ?? '')
  if (mediaRanges.some((range) => isInMediaRange(range, defaultType))) return defaultType
  return (
    mediaRanges.flatMap((range) => offered.find((type) => isInMediaRange(range, type)) ?? [])[0] ??
    defaultType
  )
}
