import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { About, Dialect } from '@/sandbox/dialects/dialect'
import { iso } from '@/sandbox/store/clock'
import type { FaultKind } from './planned-faults'
import { Problem } from './problem'

/** A response as it is sent and as idempotency stores it. Header names are in lower case. */
export type WireAnswer = { status: number; headers: Record<string, string>; body: string }

export type ListResult<Item = unknown> = {
  items: Item[]
  total: number
  page: number
  size: number
  sortBy: string
  sortOrder: 'asc' | 'desc'
}

export const maxPageSize = 1000

export type Telling = { dialect: Dialect; now: number; accept?: string | undefined }

const requestMeta = (now: number) => ({ api_request_id: randomUUID(), api_request_timestamp: iso(now) })

function headersOf({ dialect, accept }: Telling, about?: About): Record<string, string> {
  const contentType = dialect.contentType(accept, about)
  return contentType === null ? {} : { 'content-type': contentType }
}

function envelope(status: number, meta: object, data: unknown, about: About, telling: Telling): WireAnswer {
  const { dialect } = telling
  const body = { meta: dialect.meta(meta, about), response_type: about.answers, data }
  return { status, headers: headersOf(telling, about), body: JSON.stringify(dialect.envelope(body, about)) }
}

export function objectAnswer(status: number, data: object, operation: string, telling: Telling): WireAnswer {
  const about: About = { operation, answers: 'object' }
  return envelope(status, requestMeta(telling.now), telling.dialect.data(data, about), about, telling)
}

export function listAnswer(status: number, list: ListResult<object>, operation: string, telling: Telling): WireAnswer {
  const about: About = { operation, answers: 'array' }
  const meta = {
    ...requestMeta(telling.now),
    page_number: list.page,
    page_size: list.size,
    total_items: list.total,
    total_pages: Math.ceil(list.total / list.size),
    max_page_size: maxPageSize,
    sort_by: list.sortBy,
    sort_order: list.sortOrder,
  }
  const data = list.items.map((item) => telling.dialect.data(item, about))
  return envelope(status, meta, data, about, telling)
}

function errorOf(problem: Problem) {
  const { status, type, title, detail, items } = problem
  if (problem.shape === 'auth') return { code: 'invalid_api_key', message: detail, type }
  return { status, type, title, detail, ...(items ? { items } : {}) }
}

export function problemAnswer(problem: Problem, telling: Telling): WireAnswer {
  const { dialect, now } = telling
  const error = errorOf(problem)
  const body = dialect.refusal(problem.shape === 'bare' ? error : { meta: requestMeta(now), response_type: 'error', error }, problem)
  if (body === undefined) return { status: problem.status, headers: {}, body: '' }
  return { status: problem.status, headers: headersOf(telling), body: JSON.stringify(body) }
}

/** Returns the 404 of an unknown route. Its body is HTML, as from the provider's router. */
export const unknownRoute = (): WireAnswer => ({
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html lang="en"><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
})

/** Returns the response for a thrown error. Any error but a Problem becomes a 500 with a generic text. */
export function answerOf(error: unknown, telling: Telling): WireAnswer {
  if (error instanceof Problem) return problemAnswer(error, telling)
  return problemAnswer(new Problem(500, 'api_error', 'Internal Server Error', 'Something went wrong on our side.'), telling)
}

export type Wire = { incoming: IncomingMessage; outgoing: ServerResponse }

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export async function delayAt(fault: FaultKind | undefined, at: 'before' | 'mid' | 'after'): Promise<void> {
  if (fault?.kind === 'delay' && fault.at === at) await pause(fault.ms)
}

export function statusAnswer(fault: Extract<FaultKind, { kind: 'status' }>, telling: Telling): WireAnswer {
  const retry: Record<string, string> = fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) }
  if (fault.body === 'none') return { status: fault.status, headers: retry, body: '' }
  if (fault.body === 'html') {
    const body = `<html><body><center><h1>${fault.status}</h1></center></body></html>`
    return { status: fault.status, headers: { 'content-type': 'text/html', ...retry }, body }
  }
  const answer = problemAnswer(new Problem(fault.status, 'api_error', 'Error', 'A planned fault of the sandbox.'), telling)
  return { ...answer, headers: { ...answer.headers, ...retry } }
}

export function send({ outgoing }: Wire, answer: WireAnswer): void {
  const body = Buffer.from(answer.body, 'utf8')
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': body.length })
  outgoing.end(body)
}

function sendTruncated({ outgoing }: Wire, answer: WireAnswer, bytes: number): void {
  const body = Buffer.from(answer.body, 'utf8')
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': body.length })
  outgoing.write(body.subarray(0, Math.min(bytes, body.length - 1)), () => outgoing.destroy())
}

export function cut({ incoming }: Wire, how: 'close' | 'reset'): void {
  if (how === 'close') incoming.socket.destroy()
  else incoming.socket.resetAndDestroy()
}

export function sendThrough(fault: FaultKind | undefined, wire: Wire, answer: WireAnswer, telling: Telling): void {
  if (fault?.kind === 'truncate') sendTruncated(wire, answer, fault.at)
  else if (fault?.kind === 'reset' && fault.at === 'after') cut(wire, 'reset')
  else if (fault?.kind === 'status' && fault.at === 'after') send(wire, statusAnswer(fault, telling))
  else if (fault?.kind === 'body') send(wire, { status: 200, headers: { 'content-type': fault.content_type }, body: fault.body })
  else send(wire, answer)
}

const rangesOf = (accept: string): string[] =>
  accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    return range === '' || parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [range]
  })

const covers = (range: string, type: string): boolean => range === '*/*' || range === type || range === `${type.split('/')[0]}/*`

/**
 * Returns the content type for an Accept header: the first of `offered` if the header accepts it or matches none. Otherwise returns the
 * first match in the header's order.
 */
export function negotiate(offered: readonly [string, ...string[]], accept: string | undefined): string {
  const [usual] = offered
  const ranges = rangesOf(accept ?? '')
  if (ranges.some((range) => covers(range, usual))) return usual
  return ranges.flatMap((range) => offered.find((type) => covers(range, type)) ?? [])[0] ?? usual
}
