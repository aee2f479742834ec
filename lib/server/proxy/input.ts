import 'server-only'
import type * as z from 'zod'
import { AppError, type ErrorItem } from '@/lib/errors'
import { schemasOf } from '@/lib/operations/registry'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import { readCapped } from '@/lib/server/read-body'

const mostJson = 64 * 1024

/** The faults of a schema as fields to blame, each with its fix. */
export function itemsOf(error: z.ZodError): ErrorItem[] {
  return error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? { reference: issue.keys.join(', '), detail: 'is not a field of this operation; leave it out' }
      : { reference: issue.path.join('.'), detail: issue.message },
  )
}

/** Parses an operation's fields by its own schema. Throws `invalid_input` naming every field and its fix. */
export function parseInput(id: OperationId, fields: Record<string, unknown>): Record<string, unknown> {
  const parsed = schemasOf(id).input.safeParse(fields)
  if (parsed.success) return parsed.data
  const items = itemsOf(parsed.error)
  throw new AppError(
    'invalid_input',
    items
      .map((item) => `${item.reference}: ${item.detail}`)
      .join('; ')
      .slice(0, 500),
    { items },
  )
}

/** The fields of a query string; a repeated name becomes a list. `account` is the scope, not a field. */
export function queryFields(query: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    if (name === 'account') continue
    const values = query.getAll(name)
    fields[name] = values.length > 1 ? values : values[0]
  }
  return fields
}

/** The fields a request came with, read when first asked for. */
export type Fields = () => Promise<Record<string, unknown>>

/** Reads at the first asking and gives the same fields to every later one: a body can be read once only. */
export function readOnce(read: Fields): Fields {
  let fields: ReturnType<Fields> | undefined
  return () => {
    fields ??= read()
    return fields
  }
}

/** The JSON object in a request's body; an empty body is an empty object. Throws `bad_request`, `too_large` or `too_slow`. */
export async function jsonFields(request: Request): Promise<Record<string, unknown>> {
  const text = await readCapped(request, mostJson)
  if (text === '') return {}
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('bad_request', 'Content-Type: must be application/json')
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON')
  }
  throw new AppError('bad_request', 'The body must be a JSON object')
}

/** The idempotency key of a write. Throws `bad_request` when it is missing or not 10 to 40 plain characters (interface document, "Limits"). */
export function keyOf(request: Request): string {
  const key = request.headers.get('idempotency-key') ?? ''
  if (/^[A-Za-z0-9_-]{10,40}$/.test(key)) return key
  throw new AppError('bad_request', 'Idempotency-Key: must be 10 to 40 letters, digits, _ or -')
}

/** The fields that the path fills, which a body may not carry as well. */
export function withParams(id: OperationId, body: Record<string, unknown>, params: Record<string, string>): Record<string, unknown> {
  const doubled = Object.keys(params).filter((name) => Object.hasOwn(body, name))
  if (doubled.length > 0) throw new AppError('bad_request', `${doubled.join(', ')}: stands in the path of ${rowOf(id).path} already`)
  return { ...body, ...params }
}
