import 'server-only'
import type * as z from 'zod'
import { AppError, type ErrorItem } from '@/lib/errors'
import { type OperationId, operation } from '@/lib/operations/operations'
import { schemasOf } from '@/lib/operations/registry'
import { times } from '@/lib/server/config/env'

/** So much of a body that is too large is still heard out (bytes), because who is cut off while sending never hears why. */
const heardOut = 2 ** 20

/** A refusal that leaves a body half read: its connection is no longer usable, and the answer has to say so. */
export class BodyLeftUnread extends AppError {}

const tooLarge = (maxBytes: number) => `The body must be at most ${maxBytes} bytes`
const tooSlow = () =>
  new BodyLeftUnread('too_slow', 'The body took too long to arrive. Nothing was done: check the connection and try again')
const cutOff = (cause: unknown) => new BodyLeftUnread('bad_request', 'The body was cut off before its end', { cause })

/** Collects what arrives up to `maxBytes`; what comes after is only counted. */
async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => Promise.reject(cutOff(error)))
    if (done) break
    size += value.length
    if (size > maxBytes + heardOut) throw new BodyLeftUnread('too_large', tooLarge(maxBytes))
    if (size <= maxBytes) parts.push(value)
  }
  if (size > maxBytes) throw new AppError('too_large', tooLarge(maxBytes))
  return Buffer.concat(parts)
}

/**
 * The body of a request, counted while it arrives: what `Content-Length` says is believed only where it says too much. Throws
 * `too_large` and `too_slow`, after which the rest may stay unread (cancelling the stream would cut the connection before the answer), and
 * `bad_request` where the sender went away.
 */
export async function readBytes(request: Request, maxBytes: number, ms = times().requestBody.whole): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new AppError('too_large', tooLarge(maxBytes))
  if (!request.body) return Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), ms)
  })
  const whole = collect(request.body.getReader(), maxBytes)
  // Left behind by the clock it fails later, when the connection is closed.
  whole.catch(() => undefined)
  return Promise.race([whole, late]).finally(() => clearTimeout(timer))
}

/** The same as text. */
export const readCapped = async (request: Request, maxBytes: number, ms = times().requestBody.whole): Promise<string> =>
  (await readBytes(request, maxBytes, ms)).toString()

const mostJson = 64 * 1024

/** Fields that did not travel under their own name, with the name they had. */
type Renamed = Readonly<Record<string, string>>

/** The faults of a schema as fields to blame, each with its fix. */
function itemsOf(error: z.ZodError, renamed: Renamed = {}): ErrorItem[] {
  return error.issues.map((issue) => {
    const path = issue.path.join('.')
    return issue.code === 'unrecognized_keys'
      ? { reference: issue.keys.join(', '), detail: 'is not a field of this operation; leave it out' }
      : { reference: renamed[path] ?? path, detail: issue.message }
  })
}

/** The refusal of fields that break their schema, as it is thrown: `invalid_input` naming every field and its fix. */
export const fieldsRefused = (error: z.ZodError, renamed?: Renamed): AppError => itemsRefused(itemsOf(error, renamed))

function itemsRefused(items: ErrorItem[]): AppError {
  const detail = items.map((item) => `${item.reference}: ${item.detail}`).join('; ')
  return new AppError('invalid_input', detail.slice(0, 500), { items })
}

/** Parses an operation's fields by its own schema. Throws `invalid_input` naming every field and its fix. */
export function parseInput(id: OperationId, fields: Record<string, unknown>): Record<string, unknown> {
  const definition = operation(id)
  return parseFields(schemasOf(id).input, fields, definition.source === 'desk' ? definition.headers : undefined)
}

/** Characters that PostgreSQL and JSON cannot store: NUL and lone surrogates. */
const unstorable = /[\0\p{Surrogate}]/u

/** Returns the paths of fields whose text, or whose name, contains such a character. */
function unstorableIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return unstorable.test(value) ? [path.join('.')] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    unstorable.test(name) ? [path.join('.') || 'the name of a field'] : unstorableIn(inner, [...path, name]),
  )
}

/** Refuses fields with a character that cannot be stored. Throws `invalid_input` naming each. */
export function requireStorable(fields: unknown, renamed: Renamed = {}): void {
  const detail = 'has a character that is no text; type it again'
  const items = unstorableIn(fields).map((path) => ({ reference: renamed[path] ?? path, detail }))
  if (items.length > 0) throw itemsRefused(items)
}

/** Parses fields by a schema. Throws `invalid_input` naming every field and its fix. */
export function parseFields<S extends z.ZodType>(schema: S, fields: unknown, renamed: Renamed = {}): z.output<S> {
  requireStorable(fields, renamed)
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  throw fieldsRefused(parsed.error, renamed)
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
function readOnce(read: Fields): Fields {
  let fields: ReturnType<Fields> | undefined
  return () => {
    fields ??= read()
    return fields
  }
}

/** What came in a header, which is plain ASCII; what cannot be decoded is nothing. */
function headerField(request: Request, name: string): string {
  try {
    return decodeURIComponent(request.headers.get(name) ?? '')
  } catch {
    return ''
  }
}

/** What a request carries besides its path, as its operation lays it out: in the query, in the body, in headers. */
export function fieldsOf(request: Request, id: OperationId): Fields {
  const definition = operation(id)
  const headers = Object.entries((definition.source === 'desk' && definition.headers) || {})
  const told = Object.fromEntries(headers.map(([field, name]) => [field, headerField(request, name)]))
  const rest = () => (definition.method === 'GET' ? queryFields(new URL(request.url).searchParams) : jsonFields(request))
  return readOnce(async () => ({ ...(await rest()), ...told }))
}

/** The JSON object in a request's body; an empty body is an empty object. Throws `bad_request`, `too_large` or `too_slow`. */
async function jsonFields(request: Request): Promise<Record<string, unknown>> {
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
  if (doubled.length > 0) throw new AppError('bad_request', `${doubled.join(', ')}: is already in the path of ${operation(id).path}`)
  return { ...body, ...params }
}
