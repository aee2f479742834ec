import 'server-only'
import type * as z from 'zod'
import { AppError, type ErrorItem } from '@/lib/errors'
import { getOperation, type OperationId } from '@/lib/operations/operations'
import { getSchemas } from '@/lib/operations/registry'
import { getTimeSettings } from '@/lib/server/config/env'

/**
 * Bytes read beyond the limit and discarded. If the connection were closed while the client still
 * sends, the client could not read the error response.
 */
const maxDiscardedBytes = 2 ** 20

/** Part of the body is unread, so the connection cannot be reused: the response must close it. */
export class UnreadBodyError extends AppError {}

const formatTooLargeText = (maxBytes: number) => `The body must be at most ${maxBytes} bytes`
const createTooSlowError = () =>
  new UnreadBodyError(
    'too_slow',
    'The body took too long to arrive. Nothing was done: check the connection and try again',
  )
const createCutOffError = (cause: unknown) =>
  new UnreadBodyError('bad_request', 'The body was cut off before its end', { cause })

/** Bytes after `maxBytes` are only counted. Throws `too_large`. */
async function collectBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let receivedBytes = 0
  for (;;) {
    const { done, value } = await reader
      .read()
      .catch((error: unknown) => Promise.reject(createCutOffError(error)))
    if (done) break
    receivedBytes += value.length
    if (receivedBytes > maxBytes + maxDiscardedBytes)
      throw new UnreadBodyError('too_large', formatTooLargeText(maxBytes))
    if (receivedBytes <= maxBytes) chunks.push(value)
  }
  if (receivedBytes > maxBytes) throw new AppError('too_large', formatTooLargeText(maxBytes))
  return Buffer.concat(chunks)
}

/**
 * A `Content-Length` above the limit is refused at once; a lower one is not trusted. Throws
 * `too_large` and `too_slow`, and `bad_request` if the client disconnected. The rest of the body
 * can then be unread, because canceling the stream would close the connection before the response.
 */
export async function readBodyBytes(
  request: Request,
  maxBytes: number,
  timeoutMs = getTimeSettings().requestBody.whole,
): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes)
    throw new AppError('too_large', formatTooLargeText(maxBytes))
  if (!request.body) return Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  const timeoutPromise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createTooSlowError()), timeoutMs)
  })
  const bodyPromise = collectBody(request.body.getReader(), maxBytes)
  // After a timeout, `bodyPromise` rejects when the connection closes. This handler prevents an
  // unhandled rejection.
  bodyPromise.catch(() => undefined)
  return Promise.race([bodyPromise, timeoutPromise]).finally(() => clearTimeout(timer))
}

export const readCappedText = async (
  request: Request,
  maxBytes: number,
  timeoutMs = getTimeSettings().requestBody.whole,
): Promise<string> => (await readBodyBytes(request, maxBytes, timeoutMs)).toString()

const maxJsonBytes = 64 * 1024

/** Error messages use the name under which a field was sent, such as the name of a header. */
type SentNameByField = Readonly<Record<string, string>>

function toErrorItems(error: z.ZodError, sentNames: SentNameByField = {}): ErrorItem[] {
  return error.issues.map((issue) => {
    const path = issue.path.join('.')
    return issue.code === 'unrecognized_keys'
      ? { reference: issue.keys.join(', '), detail: 'Not a field of this operation. Leave it out.' }
      : { reference: sentNames[path] ?? path, detail: issue.message }
  })
}

export const createInvalidFieldsError = (
  error: z.ZodError,
  sentNames?: SentNameByField,
): AppError => createInvalidItemsError(toErrorItems(error, sentNames))

function createInvalidItemsError(items: ErrorItem[]): AppError {
  const detail = items.map((item) => `${item.reference}: ${item.detail}`).join(' ')
  return new AppError('invalid_input', detail.slice(0, 500), { items })
}

/** Throws `invalid_input` with every invalid field and its fix. */
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
export function requireStorableText(fields: unknown, sentNames: SentNameByField = {}): void {
  const unstorableTextDetail = 'Contains a character that cannot be stored. Type the text again.'
  const unstorableTextItems = findUnstorablePaths(fields).map((path) => ({
    reference: sentNames[path] ?? path,
    detail: unstorableTextDetail,
  }))
  if (unstorableTextItems.length > 0) throw createInvalidItemsError(unstorableTextItems)
}

/** Throws `invalid_input` with every invalid field and its fix. */
export function parseFields<S extends z.ZodType>(
  schema: S,
  fields: unknown,
  sentNames: SentNameByField = {},
): z.output<S> {
  requireStorableText(fields, sentNames)
  const parsed = schema.safeParse(fields)
  if (parsed.success) return parsed.data
  throw createInvalidFieldsError(parsed.error, sentNames)
}

/** A repeated name becomes a list. `account` is the requested scope and not a field. */
export function parseQueryFields(query: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    if (name === 'account') continue
    const values = query.getAll(name)
    fields[name] = values.length > 1 ? values : values[0]
  }
  return fields
}

/** Only the first call reads the fields. */
export type FieldsReader = () => Promise<Record<string, unknown>>

/** A body can be read only once. */
function memoizeFieldsReader(read: FieldsReader): FieldsReader {
  let fields: ReturnType<FieldsReader> | undefined
  return () => {
    fields ??= read()
    return fields
  }
}

/** Clients percent-encode text in headers, which are ASCII. Empty if it cannot be decoded. */
function readHeaderField(request: Request, name: string): string {
  try {
    return decodeURIComponent(request.headers.get(name) ?? '')
  } catch {
    return ''
  }
}

/** Reads all fields except those in the path, from the query, the body or headers. */
export function createFieldsReader(request: Request, id: OperationId): FieldsReader {
  const definition = getOperation(id)
  const headerEntries = Object.entries((definition.source === 'desk' && definition.headers) || {})
  const headerFields = Object.fromEntries(
    headerEntries.map(([field, name]) => [field, readHeaderField(request, name)]),
  )
  const readQueryOrBody = () =>
    definition.method === 'GET'
      ? parseQueryFields(new URL(request.url).searchParams)
      : readJsonFields(request)
  return memoizeFieldsReader(async () => ({ ...(await readQueryOrBody()), ...headerFields }))
}

/** An empty body is an empty object. Throws `bad_request`, `too_large` or `too_slow`. */
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

/** Throws `bad_request` for any other key (interface document, "Limits"). */
export function readIdempotencyKey(request: Request): string {
  const key = request.headers.get('idempotency-key') ?? ''
  if (/^[A-Za-z0-9_-]{10,40}$/.test(key)) return key
  throw new AppError('bad_request', 'Idempotency-Key: must be 10 to 40 letters, digits, _ or -')
}

/** Throws `bad_request` if the body contains a path parameter. */
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
