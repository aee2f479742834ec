import { randomUUID } from 'node:crypto'
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

const json = 'application/json; charset=utf-8'
const requestMeta = (now: number) => ({ api_request_id: randomUUID(), api_request_timestamp: iso(now) })

/** One resource in the envelope. */
export function objectAnswer(status: number, data: unknown, now: number): WireAnswer {
  return { status, headers: { 'content-type': json }, body: JSON.stringify({ meta: requestMeta(now), response_type: 'object', data }) }
}

/** A page of a list in the envelope; a page past the end is an empty one. */
export function listAnswer(status: number, list: ListResult, now: number): WireAnswer {
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
  return { status, headers: { 'content-type': json }, body: JSON.stringify({ meta, response_type: 'array', data: list.items }) }
}

function errorOf(problem: Problem) {
  const { status, type, title, detail, items } = problem
  if (problem.shape === 'auth') return { code: 'invalid_api_key', message: detail, type }
  return { status, type, title, detail, ...(items ? { items } : {}) }
}

/** A refusal in the shape the interface document gives it. */
export function problemAnswer(problem: Problem, now: number): WireAnswer {
  const error = errorOf(problem)
  const body = problem.shape === 'bare' ? error : { meta: requestMeta(now), response_type: 'error', error }
  return { status: problem.status, headers: { 'content-type': json }, body: JSON.stringify(body) }
}

/** The page an unknown route gets: HTML, as the provider's router answers. */
export const unknownRoute = (): WireAnswer => ({
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html lang="en"><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
})

/** Any thrown thing as an answer; what is not a Problem is a 500 that says nothing about the inside. */
export function answerOf(error: unknown, now: number): WireAnswer {
  if (error instanceof Problem) return problemAnswer(error, now)
  return problemAnswer(new Problem(500, 'api_error', 'Internal Server Error', 'Something went wrong on our side.'), now)
}
