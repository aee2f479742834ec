import 'server-only'
import * as z from 'zod'
import type { UnreadableField, UnreadableRow } from '@/lib/operations/answer'
import { getSchemas } from '@/lib/operations/registry'
import { serviceOperationIds } from '@/lib/operations/service-operations'

/** Characters that cannot be stored or hashed: PostgreSQL does not store NUL, and half of a surrogate pair has no form in UTF-8. */
const unstorablePattern = /\0|\p{Surrogate}/gu

/**
 * Escapes in JSON text that may be such a character. A match only causes the full check. Unescaped ones cannot occur, because the text was
 * decoded from UTF-8.
 */
const unstorableEscapePattern = /\\u(?:0000|d[89a-f])/i

const replaceUnstorable = (text: string): string => text.replace(unstorablePattern, '\uFFFD')

function reviveStorable(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return replaceUnstorable(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [replaceUnstorable(name), inner]))
}

/** Returns the first `length` characters of a text. Never ends with half of a surrogate pair. */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

/**
 * Parses the service's JSON. Replaces characters that cannot be stored with U+FFFD, because otherwise they would prevent the response from
 * being recorded. Removes a leading byte order mark. Throws SyntaxError for invalid JSON.
 */
export function parseJson(marked: string): unknown {
  const text = marked.replace(/^\uFEFF/, '')
  return unstorableEscapePattern.test(text) ? JSON.parse(text, reviveStorable) : JSON.parse(text)
}

/** Names of fields that ordinary reads mask. */
const maskedNamePattern =
  /e-?mail|phone|mobile|account_(number|mask)|routing|ssn|dob|birth|ein$|tax_id|company_id|^ip|_ip$|ip_address|^address|^street|paykey$|token|^tan$/i

/** Names of fields with money, counts or times: their numbers are not part of an account number or personal data. */
const numberNamePattern = /(^|_)(amount|balance|limit|count|size|score|percent|total)s?(_|$)|_(at|date)$/i

const maxRawLength = 300

/** Maximum levels and entries of a value that are shown. A deeper level is shown as `…`. */
const maxDepth = 4
const maxEntries = 20

/**
 * Returns a text with email addresses, IP addresses, long numbers and tokens masked. Of numbers and tokens, the last two characters stay.
 * UUIDs and dates are not masked.
 */
function maskText(value: string): string {
  return value
    .replace(/[\w.+-]+@[\w.-]+/g, '•••')
    .replace(/\d{1,3}(?:\.\d{1,3}){3}/g, '•••')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{4}-\d\d-\d\d[T ]|(?:\d[ -]?){6,}/gi, (found) =>
      /^[0-9a-f]{8}-|^\d{4}-\d\d-\d\d/i.test(found) ? found : `•••${found.trim().slice(-2)}`,
    )
}

type KnownNames = ReadonlySet<string>
type FieldPosition = { path: readonly string[]; known: KnownNames }

const isNumberField = ({ path }: FieldPosition): boolean => path.some((name) => numberNamePattern.test(name))

function maskScalar(value: string | number | boolean, position: FieldPosition): unknown {
  if (typeof value === 'boolean') return value
  const isFigure = typeof value === 'number' || /^[-+]?[\d.,]{1,20}$/.test(value)
  return isFigure && isNumberField(position) ? value : maskText(String(value))
}

/**
 * Returns the kind of an undeclared field's value, because its content could be anything. Flags, null, and numbers in fields for numbers
 * are returned as they are.
 */
function describeKind(name: string, value: unknown, position: FieldPosition): unknown {
  if (typeof value === 'number' && isNumberField(position) && !maskedNamePattern.test(name)) return value
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' || value === null ? value : '•••'
  return Array.isArray(value) ? '(a list)' : '(an object)'
}

/** Returns the value of a text that is a JSON object or list, or several separated by commas; undefined if it cannot be parsed. */
function parseEmbeddedJson(text: string): object | undefined {
  for (const candidate of [text, `[${text}]`]) {
    try {
      const value: unknown = JSON.parse(candidate)
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // Not valid in this form: try the next one.
    }
  }
  return undefined
}

/** Masks a text that looks like a JSON object, field by field. If it cannot be parsed, nothing of it is shown. */
function maskObjectText(text: string, position: FieldPosition, depth: number): string {
  const embedded = depth < maxDepth ? parseEmbeddedJson(text) : undefined
  return embedded ? JSON.stringify(maskValue(embedded, position, depth + 1)) : '(a text)'
}

function maskValue(value: unknown, position: FieldPosition, depth: number): unknown {
  const { path, known } = position
  if (value === null) return null
  if (path.some((name) => maskedNamePattern.test(name))) return '•••'
  if (typeof value === 'string' && /[{["]/.test(value)) return maskObjectText(value, position, depth)
  if (typeof value !== 'object') return maskScalar(value as string | number | boolean, position)
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => maskValue(entry, position, depth + 1))
  const maskEntry = (name: string, entry: unknown) =>
    known.has(name) ? maskValue(entry, { path: [...path, name], known }, depth + 1) : describeKind(name, entry, position)
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxEntries)
      .map(([name, entry]) => [cutText(name, 40), maskEntry(name, entry)]),
  )
}

/**
 * Returns the content of an unreadable field as text for a person: at most 300 characters, masked like in ordinary reads. `path` is the
 * position of the field. `known` are the names of declared fields; values of other fields are not shown.
 */
function maskRaw(value: unknown, path: readonly string[], known: KnownNames): string {
  if (value === undefined) return '(nothing)'
  const maskedValue = maskValue(value, { path, known }, 0)
  const text = typeof maskedValue === 'string' ? maskedValue : JSON.stringify(maskedValue)
  return text.length > maxRawLength ? `${cutText(text, maxRawLength)}…` : text
}

/**
 * The readable part of a response. `rows` are the list rows of which nothing could be read; they are missing in `data`. `paths` counts
 * unreadable parts by path. A path consists of field names of the contract and contains no value: `[]` stands for any row or entry, `*` for
 * any key.
 */
type TolerantResult = { data: unknown; rows: UnreadableRow[]; paths: Record<string, number> }

type Json = Record<string, unknown>
type FieldPath = readonly string[]

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

type InvalidPart = { path: FieldPath; raw: unknown }

function collectNames(schema: unknown, names: Set<string>): void {
  if (Array.isArray(schema)) for (const entry of schema) collectNames(entry, names)
  if (!isJson(schema)) return
  if (isJson(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name)
  for (const inner of Object.values(schema)) collectNames(inner, names)
}

let cachedNames: Set<string> | undefined

/** Returns every field name of the contract. Only these may appear in a log, and only their values may be shown in an unreadable part. */
function getKnownNames(): ReadonlySet<string> {
  if (cachedNames) return cachedNames
  cachedNames = new Set()
  for (const id of serviceOperationIds)
    collectNames(z.toJSONSchema(getSchemas(id).output, { io: 'input', unrepresentable: 'any' }), cachedNames)
  return cachedNames
}

const isIndex = (part: string): boolean => /^\d+$/.test(part)

const toPathText = (path: FieldPath): string =>
  path.map((part) => (isIndex(part) ? '[]' : getKnownNames().has(part) ? part : '*')).join('.') || '[]'

const isContainer = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Returns the path if the value contains it. Otherwise returns the path of the nearest existing parent, which lacks a required part. */
function findExistingPath(root: unknown, path: FieldPath): FieldPath {
  let currentValue = root
  for (const [depth, part] of path.entries()) {
    if (!isContainer(currentValue) || !Object.hasOwn(currentValue, part)) return path.slice(0, depth)
    currentValue = currentValue[part]
  }
  return path
}

/** Sort key of a path. Paths are removed from the end and deepest first, so that removing a list entry does not shift the others. */
const toSortKey = (path: FieldPath): string => path.map((part) => (isIndex(part) ? part.padStart(9, '0') : part)).join('\n')

type Issue = z.core.$ZodIssue

/** Returns the paths of an issue. For a union, returns those of the first alternative that fits except for some parts, if there is one. */
function listIssuePaths(issue: Issue): FieldPath[] {
  const path = issue.path.map(String)
  const nearestIssues =
    issue.code === 'invalid_union' ? issue.errors.find((inner) => inner.every((each) => each.path.length > 0)) : undefined
  return nearestIssues?.length ? nearestIssues.flatMap(listIssuePaths).map((inner) => [...path, ...inner]) : [path]
}

/** Returns the paths to remove, without duplicates and without paths inside another one. */
function findInvalidPaths(root: unknown, issues: readonly Issue[]): FieldPath[] {
  const pathsByOrder = new Map(
    issues
      .flatMap(listIssuePaths)
      .map((path) => findExistingPath(root, path))
      .map((place) => [toSortKey(place), place]),
  )
  const isInsideAnother = (order: string) =>
    [...pathsByOrder.keys()].some((other) => other !== order && (other === '' || order.startsWith(`${other}\n`)))
  const orders = [...pathsByOrder.keys()].filter((order) => !isInsideAnother(order)).sort()
  return orders.reverse().map((order) => pathsByOrder.get(order) ?? [])
}

const readPart = (root: unknown, path: FieldPath): unknown =>
  path.reduce<unknown>((at, part) => (isContainer(at) ? at[part] : undefined), root)

/** Returns the value without the part at the path. Copies only the objects along the path, so that a large value costs little. */
function removePart(root: unknown, [part = '', ...below]: FieldPath): unknown {
  if (!isContainer(root)) return root
  if (below.length > 0) {
    const copy: Json = Array.isArray(root) ? (root.slice() as unknown as Json) : { ...root }
    copy[part] = removePart(root[part], below)
    return copy
  }
  if (Array.isArray(root)) return root.filter((_, at) => at !== Number(part))
  const { [part]: _, ...rest } = root
  return rest
}

type ParsedValue = { data: unknown; gaps: InvalidPart[] }

/** Parses one value and omits the parts that do not match the schema. Returns null if nothing is left. */
function parseValue(schema: z.ZodType, value: unknown): ParsedValue | null {
  let parsed = schema.safeParse(value)
  if (parsed.success) return { data: parsed.data, gaps: [] }
  let remaining = value
  const gaps: InvalidPart[] = []
  while (!parsed.success) {
    const invalidPaths = findInvalidPaths(remaining, parsed.error.issues)
    if (invalidPaths.some((place) => place.length === 0)) return null
    gaps.push(...invalidPaths.map((path) => ({ path, raw: readPart(remaining, path) })))
    remaining = invalidPaths.reduce(removePart, remaining)
    parsed = schema.safeParse(remaining)
  }
  return { data: parsed.data, gaps }
}

const toUnreadable = ({ path, raw }: InvalidPart): UnreadableField => ({
  field: path.map((part) => (isIndex(part) || getKnownNames().has(part) ? part : cutText(part, 40))).join('.'),
  raw: maskRaw(raw, path, getKnownNames()),
})

const addUnreadable = ({ data, gaps }: ParsedValue): unknown =>
  gaps.length > 0 && isJson(data) ? { ...data, unreadable: gaps.map(toUnreadable).reverse() } : data

/** Returns an id unmasked; null if it is too long or has characters that ids do not have. */
const toIdText = (id: unknown): string | null => {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  return /^[\w.:-]{1,64}$/.test(text) ? text : null
}

const toUnreadableRow = (value: unknown): UnreadableRow => ({
  id: isJson(value) ? toIdText(value.id) : null,
  raw: maskRaw(value, [], getKnownNames()),
})

function countPath(paths: Record<string, number>, path: string): void {
  paths[path] = (paths[path] ?? 0) + 1
}

function parseRows(schema: z.ZodType, values: readonly unknown[]): TolerantResult {
  const reading: TolerantResult & { data: unknown[] } = { data: [], rows: [], paths: {} }
  for (const value of values) {
    const parsedRow = parseValue(schema, value)
    for (const { path } of parsedRow?.gaps ?? [{ path: [] }]) countPath(reading.paths, toPathText(['0', ...path]))
    if (parsedRow) reading.data.push(addUnreadable(parsedRow))
    else reading.rows.push(toUnreadableRow(value))
  }
  return reading
}

/**
 * Parses a response's data with an operation's output schema and returns the readable part. A field that does not match is omitted and
 * listed in the object's `unreadable`. A row that is not an object or has no id is omitted and listed in `rows`. Returns null if the data
 * is not the expected object or list.
 */
export function readTolerantly(schema: z.ZodType, value: unknown): TolerantResult | null {
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? parseRows(schema.element as z.ZodType, value) : null
  const parsedData = isJson(value) ? parseValue(schema, value) : null
  if (!parsedData) return null
  const paths: Record<string, number> = {}
  for (const { path } of parsedData.gaps) countPath(paths, toPathText(path))
  return { data: addUnreadable(parsedData), rows: [], paths }
}
