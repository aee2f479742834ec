import 'server-only'
import * as z from 'zod'
import type { UnreadableField, UnreadableRow } from '@/lib/operations/answer'
import { getSchemas } from '@/lib/operations/registry'
import { serviceOperationIds } from '@/lib/operations/service-operations'

/**
 * Characters that cannot be stored or hashed: PostgreSQL does not store NUL, and half of a
 * surrogate pair has no form in UTF-8.
 */
const unstorablePattern = /\0|\p{Surrogate}/gu

/**
 * Matches escapes in JSON text that could stand for such an unstorable character. A match only
 * makes `parseJson` check every string. Unescaped ones cannot occur: decoded UTF-8 contains no half
 * of a surrogate pair, and JSON does not allow an unescaped NUL.
 */
const unstorableEscapePattern = /\\u(?:0000|d[89a-f])/i

const replaceUnstorable = (text: string): string => text.replace(unstorablePattern, '\uFFFD')

function replaceUnstorableInValue(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return replaceUnstorable(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [replaceUnstorable(name), inner]),
  )
}

/** Returns the first `length` characters of a text. Never ends with half of a surrogate pair. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

/**
 * Parses the service's JSON. Replaces characters that cannot be stored with U+FFFD, because the
 * response must be stored. Ignores a leading byte order mark. Throws SyntaxError for invalid JSON.
 */
export function parseJson(jsonText: string): unknown {
  const text = jsonText.replace(/^\uFEFF/, '')
  return unstorableEscapePattern.test(text)
    ? JSON.parse(text, replaceUnstorableInValue)
    : JSON.parse(text)
}

/** Names of fields whose values are never shown: personal data, account numbers and tokens. */
const maskedNamePattern =
  /e-?mail|phone|mobile|account_(number|mask)|routing|ssn|dob|birth|ein$|tax_id|company_id|^ip|_ip$|ip_address|^address|^street|paykey$|token|^tan$/i

/**
 * Names of fields with money, counts or times. Their numbers are shown, because they are neither
 * personal data nor account numbers.
 */
const numberNamePattern =
  /(^|_)(amount|balance|limit|count|size|score|percent|total)s?(_|$)|_(at|date)$/i

const maxRawLength = 300

/** Maximum levels and entries of a value that are shown. A deeper level is shown as `…`. */
const maxDepth = 4
const maxEntries = 20

/**
 * Returns a text in which email addresses, IP addresses, long numbers and tokens are masked. The
 * last two characters of a number or token stay visible. UUIDs and dates are not masked.
 */
function maskText(value: string): string {
  return value
    .replace(/[\w.+-]+@[\w.-]+/g, '•••')
    .replace(/\d{1,3}(?:\.\d{1,3}){3}/g, '•••')
    .replace(
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{4}-\d\d-\d\d[T ]|(?:\d[ -]?){6,}/gi,
      (found) =>
        /^[0-9a-f]{8}-|^\d{4}-\d\d-\d\d/i.test(found) ? found : `•••${found.trim().slice(-2)}`,
    )
}

type KnownFieldNames = ReadonlySet<string>
type FieldPosition = { path: readonly string[]; known: KnownFieldNames }

const isNumberField = ({ path }: FieldPosition): boolean =>
  path.some((name) => numberNamePattern.test(name))

function maskScalar(value: string | number | boolean, position: FieldPosition): unknown {
  if (typeof value === 'boolean') return value
  const isNumericValue = typeof value === 'number' || /^[-+]?[\d.,]{1,20}$/.test(value)
  return isNumericValue && isNumberField(position) ? value : maskText(String(value))
}

/**
 * Returns a placeholder for the value of a field that the API contract does not declare, because it
 * could contain personal data. Booleans, null, and numbers in fields for money, counts or times are
 * returned unchanged.
 */
function describeUndeclaredValue(name: string, value: unknown, position: FieldPosition): unknown {
  if (typeof value === 'number' && isNumberField(position) && !maskedNamePattern.test(name))
    return value
  if (typeof value !== 'object' || value === null)
    return typeof value === 'boolean' || value === null ? value : '•••'
  return Array.isArray(value) ? '(a list)' : '(an object)'
}

/**
 * Parses a text that contains a JSON object or list, or several JSON values separated by commas.
 * Returns undefined for any other text.
 */
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

/**
 * Masks a text that looks like JSON, field by field. Returns `(a text)` if it cannot be parsed,
 * because it could contain personal data.
 */
function maskObjectText(text: string, position: FieldPosition, depth: number): string {
  const embedded = depth < maxDepth ? parseEmbeddedJson(text) : undefined
  return embedded ? JSON.stringify(maskValue(embedded, position, depth + 1)) : '(a text)'
}

function maskValue(value: unknown, position: FieldPosition, depth: number): unknown {
  const { path, known } = position
  if (value === null) return null
  if (path.some((name) => maskedNamePattern.test(name))) return '•••'
  if (typeof value === 'string' && /[{["]/.test(value))
    return maskObjectText(value, position, depth)
  if (typeof value !== 'object') return maskScalar(value as string | number | boolean, position)
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value))
    return value.slice(0, maxEntries).map((entry) => maskValue(entry, position, depth + 1))
  const maskEntry = (name: string, entry: unknown) =>
    known.has(name)
      ? maskValue(entry, { path: [...path, name], known }, depth + 1)
      : describeUndeclaredValue(name, entry, position)
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxEntries)
      .map(([name, entry]) => [cutText(name, 40), maskEntry(name, entry)]),
  )
}

/**
 * Returns the content of an unreadable field as text for a person: at most 300 characters, with
 * personal data masked. `path` contains the names of the fields that lead to the value. `known`
 * contains the names of declared fields; values of other fields are not shown.
 */
function toMaskedText(value: unknown, path: readonly string[], known: KnownFieldNames): string {
  if (value === undefined) return '(nothing)'
  const maskedValue = maskValue(value, { path, known }, 0)
  const text = typeof maskedValue === 'string' ? maskedValue : JSON.stringify(maskedValue)
  return text.length > maxRawLength ? `${cutText(text, maxRawLength)}…` : text
}

/**
 * Result of parsing a response. `data` is its readable part. `rows` are list rows that could not be
 * parsed at all; `data` does not contain them. `paths` counts the unreadable parts by path, for the
 * log. A path contains only declared field names, `[]` for any list entry and `*` for any other
 * name.
 */
type TolerantResult = { data: unknown; rows: UnreadableRow[]; paths: Record<string, number> }

type JsonObject = Record<string, unknown>
type FieldPath = readonly string[]

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type InvalidPart = { path: FieldPath; raw: unknown }

function collectFieldNames(schema: unknown, names: Set<string>): void {
  if (Array.isArray(schema)) for (const entry of schema) collectFieldNames(entry, names)
  if (!isJsonObject(schema)) return
  if (isJsonObject(schema.properties))
    for (const name of Object.keys(schema.properties)) names.add(name)
  for (const inner of Object.values(schema)) collectFieldNames(inner, names)
}

let cachedFieldNames: Set<string> | undefined

/**
 * Returns every field name that the API contract declares. Only these names are logged, and only
 * the values of these fields are shown, because other fields could contain personal data.
 */
function getKnownFieldNames(): ReadonlySet<string> {
  if (cachedFieldNames) return cachedFieldNames
  cachedFieldNames = new Set()
  for (const id of serviceOperationIds)
    collectFieldNames(
      z.toJSONSchema(getSchemas(id).output, { io: 'input', unrepresentable: 'any' }),
      cachedFieldNames,
    )
  return cachedFieldNames
}

const isIndex = (part: string): boolean => /^\d+$/.test(part)

const toPathText = (path: FieldPath): string =>
  path
    .map((part) => (isIndex(part) ? '[]' : getKnownFieldNames().has(part) ? part : '*'))
    .join('.') || '[]'

const isContainer = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null

/**
 * Returns the path if the value contains it. Otherwise returns the path of its nearest existing
 * parent: a required part of that parent is missing.
 */
function findExistingPath(root: unknown, path: FieldPath): FieldPath {
  let currentValue = root
  for (const [depth, part] of path.entries()) {
    if (!isContainer(currentValue) || !Object.hasOwn(currentValue, part))
      return path.slice(0, depth)
    currentValue = currentValue[part]
  }
  return path
}

/**
 * Returns a key by which paths are sorted. Parts are removed in descending order of their keys. A
 * later list entry is therefore removed first, which does not change the indexes of the earlier
 * ones.
 */
const toSortKey = (path: FieldPath): string =>
  path.map((part) => (isIndex(part) ? part.padStart(9, '0') : part)).join('\n')

type Issue = z.core.$ZodIssue

/**
 * Returns the paths of the invalid parts that a Zod issue reports. For a union, takes the first
 * alternative that fits except for some inner parts, and returns the paths of these parts.
 */
function listIssuePaths(issue: Issue): FieldPath[] {
  const path = issue.path.map(String)
  const nearestIssues =
    issue.code === 'invalid_union'
      ? issue.errors.find((inner) => inner.every((each) => each.path.length > 0))
      : undefined
  return nearestIssues?.length
    ? nearestIssues.flatMap(listIssuePaths).map((inner) => [...path, ...inner])
    : [path]
}

/**
 * Returns the paths of the parts to remove, later list entries first. Omits duplicates, and paths
 * inside another returned path.
 */
function findInvalidPaths(root: unknown, issues: readonly Issue[]): FieldPath[] {
  const pathsBySortKey = new Map(
    issues
      .flatMap(listIssuePaths)
      .map((path) => findExistingPath(root, path))
      .map((place) => [toSortKey(place), place]),
  )
  const isInsideAnotherPath = (sortKey: string) =>
    [...pathsBySortKey.keys()].some(
      (other) => other !== sortKey && (other === '' || sortKey.startsWith(`${other}\n`)),
    )
  const sortKeys = [...pathsBySortKey.keys()].filter((order) => !isInsideAnotherPath(order)).sort()
  return sortKeys.reverse().map((order) => pathsBySortKey.get(order) ?? [])
}

const readPart = (root: unknown, path: FieldPath): unknown =>
  path.reduce<unknown>((at, part) => (isContainer(at) ? at[part] : undefined), root)

/**
 * Returns the value without the part at the path. Copies only the objects along the path, so that a
 * large value costs little.
 */
function removePart(root: unknown, [part = '', ...below]: FieldPath): unknown {
  if (!isContainer(root)) return root
  if (below.length > 0) {
    const copy: JsonObject = Array.isArray(root)
      ? (root.slice() as unknown as JsonObject)
      : { ...root }
    copy[part] = removePart(root[part], below)
    return copy
  }
  if (Array.isArray(root)) return root.filter((_, at) => at !== Number(part))
  const { [part]: _, ...rest } = root
  return rest
}

type ParsedValue = { data: unknown; gaps: InvalidPart[] }

/**
 * Parses a value without the parts that do not match the schema; `gaps` are these parts. Returns
 * null if the whole value does not match.
 */
function parseValue(schema: z.ZodType, value: unknown): ParsedValue | null {
  let parsed = schema.safeParse(value)
  if (parsed.success) return { data: parsed.data, gaps: [] }
  let remainingValue = value
  const gaps: InvalidPart[] = []
  while (!parsed.success) {
    const invalidPaths = findInvalidPaths(remainingValue, parsed.error.issues)
    if (invalidPaths.some((place) => place.length === 0)) return null
    gaps.push(...invalidPaths.map((path) => ({ path, raw: readPart(remainingValue, path) })))
    remainingValue = invalidPaths.reduce(removePart, remainingValue)
    parsed = schema.safeParse(remainingValue)
  }
  return { data: parsed.data, gaps }
}

const toUnreadableField = ({ path, raw }: InvalidPart): UnreadableField => ({
  field: path
    .map((part) => (isIndex(part) || getKnownFieldNames().has(part) ? part : cutText(part, 40)))
    .join('.'),
  raw: toMaskedText(raw, path, getKnownFieldNames()),
})

const addUnreadableFields = ({ data, gaps }: ParsedValue): unknown =>
  gaps.length > 0 && isJsonObject(data)
    ? { ...data, unreadable: gaps.map(toUnreadableField).reverse() }
    : data

/**
 * Returns an id as text, unmasked. Returns null if it is too long or has characters that ids do not
 * have.
 */
const toIdText = (id: unknown): string | null => {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  return /^[\w.:-]{1,64}$/.test(text) ? text : null
}

const toUnreadableRow = (value: unknown): UnreadableRow => ({
  id: isJsonObject(value) ? toIdText(value.id) : null,
  raw: toMaskedText(value, [], getKnownFieldNames()),
})

function countPath(paths: Record<string, number>, path: string): void {
  paths[path] = (paths[path] ?? 0) + 1
}

function parseRows(schema: z.ZodType, values: readonly unknown[]): TolerantResult {
  const tolerantResult: TolerantResult & { data: unknown[] } = { data: [], rows: [], paths: {} }
  for (const value of values) {
    const parsedRow = parseValue(schema, value)
    for (const { path } of parsedRow?.gaps ?? [{ path: [] }])
      countPath(tolerantResult.paths, toPathText(['0', ...path]))
    if (parsedRow) tolerantResult.data.push(addUnreadableFields(parsedRow))
    else tolerantResult.rows.push(toUnreadableRow(value))
  }
  return tolerantResult
}

/**
 * Parses a response's data with an operation's output schema and returns the readable part. A field
 * that does not match is omitted and listed in the object's `unreadable`. A row that is not an
 * object or has no id is omitted and listed in `rows`. Returns null if the data is not the expected
 * object or list.
 */
export function readTolerantly(schema: z.ZodType, value: unknown): TolerantResult | null {
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? parseRows(schema.element as z.ZodType, value) : null
  const parsedData = isJsonObject(value) ? parseValue(schema, value) : null
  if (!parsedData) return null
  const paths: Record<string, number> = {}
  for (const { path } of parsedData.gaps) countPath(paths, toPathText(path))
  return { data: addUnreadableFields(parsedData), rows: [], paths }
}
