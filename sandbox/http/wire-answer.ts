import { randomUUID } from 'node:crypto'
import type { About, Dialect } from '@/sandbox/dialects/dialect'
import { iso } from '@/sandbox/store/clock'
import { Problem } from './problem'

/** What goes over the wire, and what an idempotency record keeps. Header names are lower case. */
export type WireAnswer = { status: number; headers: Record<string, string>; body: string }

/** A list as an operation gives it: one page of items and what the envelope's `meta` says about the whole. */
export type ListResult<Item = unknown> = {
  items: Item[]
  total: number
  page: number
  size: number
  sortBy: string
  sortOrder: 'asc' | 'desc'
}

/** The largest page of any list. */
export const maxPageSize = 1000

/** How an answer is told: in which dialect, when, and in a content type that the client takes. */
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

/** A page of a list in the envelope; a page past the end is an empty one. */
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

/** A refusal in the shape the interface document gives it, as far as the dialect keeps it. */
export function problemAnswer(problem: Problem, telling: Telling): WireAnswer {
  const { dialect, now } = telling
  const error = errorOf(problem)
  const body = dialect.refusal(problem.shape === 'bare' ? error : { meta: requestMeta(now), response_type: 'error', error }, problem)
  if (body === undefined) return { status: problem.status, headers: {}, body: '' }
  return { status: problem.status, headers: headersOf(telling), body: JSON.stringify(body) }
}

/** The page an unknown route gets: HTML, as the provider's router answers. */
export const unknownRoute = (): WireAnswer => ({
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html lang="en"><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
})

/** Any thrown thing as an answer; what is not a Problem is a 500 that says nothing about the inside. */
export function answerOf(error: unknown, telling: Telling): WireAnswer {
  if (error instanceof Problem) return problemAnswer(error, telling)
  return problemAnswer(new Problem(500, 'api_error', 'Internal Server Error', 'Something went wrong on our side.'), telling)
}
