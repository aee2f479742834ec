import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { z } from 'zod'
import { uuidPattern } from '@/sandbox/store/store'
import {
  makeBadRequestProblem,
  makeMalformedProblem,
  makeUnprocessableProblem,
  Problem,
} from './problem'

export type RawBody = {
  sha256: string
  bytes: number
  text: string
  tooLarge: boolean
  /** Error text if the bytes cannot be decoded. */
  unreadable?: string
}

const maxJsonBytes = 1_048_576

const utf8Decoder = new TextDecoder('utf-8', { fatal: true })

function decodeBodyText(
  chunks: readonly Buffer[],
  encoding = 'identity',
): { text: string; unreadable?: string } {
  if (encoding !== 'identity')
    return { text: '', unreadable: 'must not be compressed: send no Content-Encoding' }
  try {
    return { text: utf8Decoder.decode(Buffer.concat(chunks)) }
  } catch {
    return { text: '', unreadable: 'must be UTF-8' }
  }
}

/**
 * Reads and hashes the body of a request. If it is larger than 1 MiB, `tooLarge` is true and `text`
 * is empty.
 */
export async function readBody(incoming: IncomingMessage): Promise<RawBody> {
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let byteCount = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    hash.update(chunk)
    byteCount += chunk.length
    if (byteCount <= maxJsonBytes) chunks.push(chunk)
  }
  const isTooLarge = byteCount > maxJsonBytes
  const decodedBody = isTooLarge
    ? { text: '' }
    : decodeBodyText(chunks, incoming.headers['content-encoding'])
  return { sha256: hash.digest('hex'), bytes: byteCount, tooLarge: isTooLarge, ...decodedBody }
}

const jsonTypePattern = /^(application\/json|text\/json|application\/[\w.+-]*\+json)\s*(;|$)/i

/**
 * Parses a JSON body. If no field is required, a missing or empty body counts as `{}`. Otherwise
 * throws a 400 for it, as for a wrong Content-Type or broken JSON. Throws a 422 that names each
 * missing, invalid or unknown field.
 */
export function readJson<S extends z.ZodType>(
  schema: S,
  body: RawBody | undefined,
  contentType: string,
): z.infer<S> {
  if (body?.tooLarge)
    throw makeBadRequestProblem('The body is too large: a JSON body may have up to 1 MiB.')
  if (body?.unreadable !== undefined)
    throw makeMalformedProblem(`The body ${body.unreadable}.`, 'body', body.unreadable)
  const text = body?.text ?? ''
  if (text !== '' && !jsonTypePattern.test(contentType)) {
    throw makeMalformedProblem(
      'The Content-Type must be application/json.',
      'Content-Type',
      'must be application/json',
    )
  }
  const parsed = schema.safeParse(parseJsonText(text))
  if (parsed.success) return parsed.data
  if (text.trim() === '')
    throw makeMalformedProblem('The body is empty: send the fields as JSON.', 'body', 'is required')
  throw makeUnprocessableProblem(
    'One or more fields are not valid.',
    parsed.error.issues.flatMap(toProblemItems),
  )
}

function toProblemItems(issue: z.core.$ZodIssue): { reference: string; detail: string }[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      reference: [...issue.path, key].join('.'),
      detail: 'is not a field of this request',
    }))
  }
  // Body schemas define no error text for a body of the wrong type, so use one text for all.
  if (issue.code === 'invalid_type' && issue.path.length === 0)
    return [{ reference: 'body', detail: 'must be a JSON object' }]
  return [{ reference: issue.path.join('.') || 'body', detail: issue.message }]
}

function parseJsonText(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    // Reject the key `__proto__`, because a later copy of the object would silently drop it.
    return JSON.parse(text, (key, value) => {
      if (key === '__proto__')
        throw makeMalformedProblem(
          '__proto__ is not taken as a name.',
          '__proto__',
          'choose another name',
        )
      return value
    })
  } catch (error) {
    if (error instanceof Problem) throw error
    throw makeMalformedProblem('The body is not valid JSON.', 'body', 'is not valid JSON')
  }
}

export type FilePart = { part: string; name: string; bytes: number; sha256: string; head: Buffer }

export type Upload = {
  sha256: string
  bytes: number
  files: FilePart[]
  fields: string[]
  broken?: string
}

const fileHeadLength = 16

async function describePart(fieldName: string, name: string, stream: Readable): Promise<FilePart> {
  const hash = createHash('sha256')
  let partByteCount = 0
  let fileHead = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    partByteCount += chunk.length
    if (fileHead.length < fileHeadLength)
      fileHead = Buffer.concat([fileHead, chunk]).subarray(0, fileHeadLength)
  }
  return { part: fieldName, name, bytes: partByteCount, sha256: hash.digest('hex'), head: fileHead }
}

function createMultipartParser(
  contentType: string,
  upload: Upload,
  parts: Promise<FilePart>[],
): BusboyInstance | undefined {
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      // Treat each part with a file name as a file, whatever its content type.
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      limits: { files: 8, fields: 8, fieldSize: 1024, headerPairs: 32 },
    })
    parser.on('file', (part, stream, name) => {
      const filePartPromise = describePart(part, name, stream)
      // Handle rejection here: if the body breaks off, nothing awaits the parts, and an unhandled
      // rejection would end the process.
      filePartPromise.catch(() => undefined)
      parts.push(filePartPromise)
    })
    parser.on('field', (name) => upload.fields.push(name))
    parser.on('error', (error) => {
      upload.broken ??= error instanceof Error ? error.message : 'unreadable'
    })
    return parser
  } catch {
    return undefined
  }
}

/**
 * Reads an upload and hashes it while it arrives, so memory use does not depend on the file's size.
 * If the input is invalid, sets `broken` but still reads the whole body, so that the client can
 * receive the response.
 */
export async function readUpload(incoming: IncomingMessage): Promise<Upload> {
  const upload: Upload = { sha256: '', bytes: 0, files: [], fields: [] }
  const filePartPromises: Promise<FilePart>[] = []
  const parser = createMultipartParser(
    incoming.headers['content-type'] ?? '',
    upload,
    filePartPromises,
  )
  if (!parser) upload.broken = 'the Content-Type must be multipart/form-data with a boundary'
  const parserEnd =
    parser && Promise.race([once(parser, 'finish'), once(parser, 'error')]).catch(() => undefined)
  const hash = createHash('sha256')
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    hash.update(chunk)
    upload.bytes += chunk.length
    if (parser && upload.broken === undefined && !parser.write(chunk))
      await Promise.race([once(parser, 'drain'), parserEnd])
  }
  if (parser && upload.broken === undefined) {
    parser.end()
    await parserEnd
  }
  upload.sha256 = hash.digest('hex')
  if (upload.broken === undefined) upload.files = await Promise.all(filePartPromises)
  return upload
}

export const uuidSchema = z.string('must be a UUID').regex(uuidPattern, 'must be a UUID')

export const makeTextSchema = (max: number) =>
  z
    .string('is required and must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`)

export const makePatternSchema = (regex: RegExp, detail: string) =>
  z.string('is required and must be a string').regex(regex, detail)

export const timestampSchema = z.iso.datetime()

export const dateSchema = z.iso.date('must be a date, YYYY-MM-DD')

const metadataTextSchema = z.string('must be a string').max(40, 'must be at most 40 characters')

/**
 * Keys and values have at most 40 characters, as at the provider. The interface document would
 * allow 80 for values.
 */
export const metadataInputSchema = z
  .record(
    metadataTextSchema.min(1, 'must not be empty'),
    metadataTextSchema,
    'must be an object of strings',
  )
  .refine((map) => Object.keys(map).length <= 20, 'must have at most 20 keys')

/** A positive whole number of cents that fits into 32 bits. */
export const cents = z
  .int('must be a whole number of cents')
  .min(1, 'must be 1 or more')
  .max(2_147_483_647, 'must be at most 2147483647')

export const externalIdSchema = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(100, 'must be at most 100 characters')

/** The customer's device. `0.0.0.0` means that its IP address is unknown. */
export const deviceSchema = z.strictObject(
  { ip_address: z.ipv4('must be an IPv4 address') },
  'is required: {"ip_address": "…"}',
)

export const phoneSchema = makePatternSchema(
  /^\+[1-9]\d{1,14}$/,
  'must be E.164, such as +15125550100',
)

export const emailSchema = z
  .email('must be an e-mail address')
  .max(254, 'must be at most 254 characters')

export const routingNumberDigitsSchema = z
  .string('must be a string')
  .regex(/^\d{9}$/, 'must be 9 digits')

export const makeEnumSchema = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
