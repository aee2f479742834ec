import { randomUUID } from 'node:crypto'
import type { About, Dialect } from '@/sandbox/dialects/dialect'
import { iso } from '@/sandbox/store/clock'
import { Problem } from './problem'

/** A response on the wire and in idempotency records. Header names are lower case. */
export type WireAnswer = { status: number; headers: Record<string, string>; body: string }

/** A list as an operation returns it: one page of items, and the values of the envelope's `meta`. */
export type ListResult<Item = unknown> = {
  items: Item[]
  total: number
  page: number
  size: number
  sortBy: string
  sortOrder: 'asc' | 'desc'
}

export const maxPageSize = 1000

/** Context of a written response: dialect, time, and the client's Accept header. */
export type Telling = { dialect: Dialect; now: number; accept?: string | undefined }

const requestMeta = (now: number) => ({ api_request_id: randomUUID(), api_request_timestamp: iso(now) })

function headersOf({ dialect, accept }: Telling, about?: About): Record<string, string> {
  const contentType = dialect.contentType(accept, about)
  return contentType === null ? {} : { 'content-type': contentType }
}

export function objectAnswer(status: number, data: object, operation: string, telling: Telling): WireAnswer {
  const { dialect, now } = telling
  const about: About = { operation, answers: 'object' }
  const body = { meta: dialect.meta(requestMeta(now), about), response_type: 'object', data: dialect.data(data, about) }
  return { status, headers: headersOf(telling, about), body: JSON.stringify(dialect.envelope(body, about)) }
}

/** Returns a page of a list in the envelope; a page past the end is empty. */
export function listAnswer(status: number, list: ListResult<object>, operation: string, telling: Telling): WireAnswer {
  const { dialect, now } = telling
  const about: About = { operation, answers: 'array' }
  const meta = {
    ...requestMeta(now),
    page_number: list.page,
    page_size: list.size,
    total_items: list.total,
    total_pages: Math.ceil(list.total / list.size),
    max_page_size: maxPageSize,
    sort_by: list.sortBy,
    sort_order: list.sortOrder,
  }
  const data = list.items.map((item) => dialect.data(item, about))
  const body = { meta: dialect.meta(meta, about), response_type: 'array', data }
  return { status, headers: headersOf(telling, about), body: JSON.stringify(dialect.envelope(body, about)) }
}

function errorOf(problem: Problem) {
  const { status, type, title, detail, items } = problem
  if (problem.shape === 'auth') return { code: 'invalid_api_key', message: detail, type }
  return { status, type, title, detail, ...(items ? { items } : {}) }
}

/** Returns an error in the interface document's shape, converted by the dialect. */
export function problemAnswer(problem: Problem, telling: Telling): WireAnswer {
  const { dialect, now } = telling
  const error = errorOf(problem)
  const body = dialect.refusal(problem.shape === 'bare' ? error : { meta: requestMeta(now), response_type: 'error', error }, problem)
  if (body === undefined) return { status: problem.status, headers: {}, body: '' }
  return { status: problem.status, headers: headersOf(telling), body: JSON.stringify(body) }
}

/** Response of an unknown route: HTML, as from the provider's router. */
export const unknownRoute = (): WireAnswer => ({
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html lang="en"><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
})

/** Returns any thrown error as a response. An error that is no Problem becomes a 500 without internals. */
export function answerOf(error: unknown, telling: Telling): WireAnswer {
  if (error instanceof Problem) return problemAnswer(error, telling)
  return problemAnswer(new Problem(500, 'api_error', 'Internal Server Error', 'Something went wrong on our side.'), telling)
}
