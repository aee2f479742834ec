import 'server-only'
import type * as z from 'zod'
import { AppError, type ErrorItem } from '@/lib/errors'
import { getOperation, type OperationId } from '@/lib/operations/operations'
import { getSchemas } from '@/lib/operations/registry'
import { times } from '@/lib/server/config/env'

/**
 * Bytes beyond the limit that are read and discarded. If the connection were closed while the
 * client still sends, the client could not read the error response.
 */
const maxDiscardedBytes = 2 ** 20

/**
 * Error after which part of the request body is unread. The connection cannot be reused, so the
 * response must close it.
 */
export class UnreadBodyError extends AppError {}

const formatTooLargeText = (maxBytes: number) => `The body must be at most ${maxBytes} bytes`
const createTooSlowError = () =>
  new UnreadBodyError(
    'too_slow',
    'The body took too long to arrive. Nothing was done: check the connection and try again',
  )
const createCutOffError = (cause: unknown) =>
  new UnreadBodyError('bad_request', 'The body was cut off before its end', { cause })

/** Returns the body, up to `maxBytes`. Further bytes are only counted. Throws `too_large`. */
async function collectBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader
      .read()
      .catch((error: unknown) => Promise.reject(createCutOffError(error)))
    if (done) break
    size += value.length
    if (size > maxBytes + maxDiscardedBytes)
      throw new UnreadBodyError('too_large', formatTooLargeText(maxBytes))
    if (size <= maxBytes) chunks.push(value)
  }
  if (size > maxBytes) throw new AppError('too_large', formatTooLargeText(maxBytes))
  return Buffer.concat(chunks)
}

/**
 * Returns the body of a request, and limits its size while it arrives. A `Content-Length` above the
 * limit is refused at once; a lower one is not trusted. Throws `too_large` and `too_slow`. The rest
 * of the body can then be unread, because canceling the stream would close the connection before
 * the response. Throws `bad_request` if the client disconnected.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  timeoutMs = times().requestBody.whole,
): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes)
    throw new AppError('too_large', formatTooLargeText(maxBytes))
  if (!request.body) return Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createTooSlowError()), timeoutMs)
  })
  const bodyRead = collectBody(request.body.getReader(), maxBytes)
  // After a timeout, `bodyRead` rejects when the connection closes. This handler prevents an
  // unhandled rejection.
  bodyRead.catch(() => undefined)
  return Promise.race([bodyRead, timeout]).finally(() => clearTimeout(timer))
}

export const readCappedText = async (
  request: Request,
  maxBytes: number,
  timeoutMs = times().requestBody.whole,
): Promise<string> => (await readBytes(request, maxBytes, timeoutMs)).toString()

const maxJsonBytes = 64 * 1024

/**
 * Maps a field to the name under which it was sent, for example the name of a header. Error
 * messages use that name.
 */
type SentNames = Readonly<Record<string, string>>

function toErrorItems(error: z.ZodError, sentNames: SentNames = {}): ErrorItem[] {
  return error.issues.map((issue) => {
    const path = issue.path.join('.')
    return issue.code === 'unrecognized_keys'
      ? { reference: issue.keys.join(', '), detail: 'Not a field of this operation. Leave it out.' }
      : { reference: sentNames[path] ?? path, detail: issue.message }
  })
}

/** Returns an `invalid_input` error that names every invalid field and its fix. */
export const createInvalidFieldsError = (error: z.ZodError, sentNames?: SentNames): AppError =>
  createInvalidItemsError(toErrorItems(error, sentNames))

function createInvalidItemsError(items: ErrorItem[]): AppError {
  const detail = items.map((item) => `${item.reference}: ${item.detail}`).join(' ')
  return new AppError('invalid_input', detail.slice(0, 500), { items })
}

/**
 * Parses the fields of an operation by its schema. Throws `invalid_input` with every invalid field
 * and its fix.
 */
export function parseInput(
  id: OperationId,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const definition = getOperation(id)
  return parseFields(
    getSchemas(id).input,
    fields,
    definition.source === 'desk' ? definition.headers : undefined,
  )
}

/** Characters that PostgreSQL and JSON cannot store: NUL and lone surrogates. */
const unstorablePattern = /[\0\p{Surrogate}]/u

/** Returns the paths of fields whose text or name contains an unstorable character. */
function findUnstorablePaths(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return unstorablePattern.test(value) ? [path.join('.')] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    unstorablePattern.test(name)
      ? [path.join('.') || 'the name of a field']
      : findUnstorablePaths(inner, [...path, name]),
  )
}

/** Throws `invalid_input` with each field that contains an unstorable character. */
export function requireStorableText(fields: unknown, sentNames: SentNames = {}): void {
  const detail = 'Contains a character that cannot be stored. Type the text again.'
  const items = findUnstorablePaths(fields).map((path) => ({
    reference: sentNames[path] ?? path,
    detail,
  }))
  if (items.length > 0) throw createInvalidItemsError(items)
}

/** Parses fields by a schema. Throws `invalid_input` with every invalid field and its fix. */
export function parseFields<S extends z.ZodType>(
  schema: S,
  fields: unknown,
  sentNames: SentNames = {},
): z.output<S> {
  requireStorableText(fields, sentNames)
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  throw createInvalidFieldsError(parsed.error, sentNames)
}

/**
 * Returns the fields of a query string. A repeated name becomes a list. Omits `account`, which is
 * the requested scope and not a field.
 */
export function parseQueryFields(query: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    if (name === 'account') continue
    const values = query.getAll(name)
    fields[name] = values.length > 1 ? values : values[0]
  }
  return fields
}

/** Returns the fields of a request. The first call reads them. */
export type FieldsReader = () => Promise<Record<string, unknown>>

/**
 * Returns a function that calls `read` once and then returns the same fields, because a body can be
 * read only once.
 */
function readOnce(read: FieldsReader): FieldsReader {
  let fields: ReturnType<FieldsReader> | undefined
  return () => {
    fields ??= read()
    return fields
  }
}

/**
 * Returns a percent-decoded header; an empty string if it cannot be decoded. Clients encode text in
 * headers, because headers are ASCII.
 */
function readHeaderField(request: Request, name: string): string {
  try {
    return decodeURIComponent(request.headers.get(name) ?? '')
  } catch {
    return ''
  }
}

/**
 * Returns a function that reads the fields of a request, except those in its path. The definition
 * of the operation decides whether the fields are in the query, the body or headers.
 */
export function createFieldsReader(request: Request, id: OperationId): FieldsReader {
  const definition = getOperation(id)
  const headerEntries = Object.entries((definition.source === 'desk' && definition.headers) || {})
  const headerFields = Object.fromEntries(
    headerEntries.map(([field, name]) => [field, readHeaderField(request, name)]),
  )
  const readOtherFields = () =>
    definition.method === 'GET'
      ? parseQueryFields(new URL(request.url).searchParams)
      : readJsonFields(request)
  return readOnce(async () => ({ ...(await readOtherFields()), ...headerFields }))
}

/**
 * Returns the JSON object in a request's body; an empty body is an empty object. Throws
 * `bad_request`, `too_large` or `too_slow`.
 */
async function readJsonFields(request: Request): Promise<Record<string, unknown>> {
  const text = await readCappedText(request, maxJsonBytes)
  if (text === '') return {}
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('bad_request', 'Content-Type: must be application/json')
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON')
  }
  throw new AppError('bad_request', 'The body must be a JSON object')
}

/**
 * Returns the idempotency key of a write. Throws `bad_request` unless it has 10 to 40 plain
 * characters (interface document, "Limits").
 */
export function readIdempotencyKey(request: Request): string {
  const key = request.headers.get('idempotency-key') ?? ''
  if (/^[A-Za-z0-9_-]{10,40}$/.test(key)) return key
  throw new AppError('bad_request', 'Idempotency-Key: must be 10 to 40 letters, digits, _ or -')
}

/**
 * Returns the fields of a body with the path parameters added. Throws `bad_request` if the body
 * contains one of them.
 */
export function addPathParams(
  id: OperationId,
  body: Record<string, unknown>,
  params: Record<string, string>,
): Record<string, unknown> {
  const duplicateNames = Object.keys(params).filter((name) => Object.hasOwn(body, name))
  if (duplicateNames.length > 0)
    throw new AppError(
      'bad_request',
      `${duplicateNames.join(', ')}: is already in the path of ${getOperation(id).path}`,
    )
  return { ...body, ...params }
}
