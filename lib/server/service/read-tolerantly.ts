import 'server-only'
import * as z from 'zod'
import type { UnreadableField, UnreadableRow } from '@/lib/operations/answer'
import { getSchemas } from '@/lib/operations/registry'
import { serviceOperationIds } from '@/lib/operations/service-operations'
import { cutText, toMaskedText } from './masked-raw'

/** PostgreSQL does not store NUL, and half of a surrogate pair has no form in UTF-8. */
const unstorablePattern = /\0|\p{Surrogate}/gu

/**
 * If this matches, `parseJson` checks every string. Unescaped characters of this kind cannot occur:
 * decoded UTF-8 has no half of a surrogate pair, and JSON allows no unescaped NUL.
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

/** Replaces characters that cannot be stored. Ignores a byte order mark. Throws SyntaxError. */
export function parseJson(jsonText: string): unknown {
  const textWithoutBom = jsonText.replace(/^\uFEFF/, '')
  return unstorableEscapePattern.test(textWithoutBom)
    ? JSON.parse(textWithoutBom, replaceUnstorableInValue)
    : JSON.parse(textWithoutBom)
}

/**
 * `rows` are list rows that could not be parsed at all; `data` does not contain them. `paths`
 * counts the unreadable parts, for the log: a path has only declared field names, `[]` for any list
 * entry and `*` for any other name.
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

/** Only these names are logged and their values shown: others could contain personal data. */
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

const isObjectOrArray = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null

/** If the value lacks the path, returns the nearest parent: a required part of it is missing. */
function findExistingPath(root: unknown, path: FieldPath): FieldPath {
  let currentValue = root
  for (const [depth, part] of path.entries()) {
    if (!isObjectOrArray(currentValue) || !Object.hasOwn(currentValue, part))
      return path.slice(0, depth)
    currentValue = currentValue[part]
  }
  return path
}

/** Removal in descending order of these keys keeps the indexes of earlier list entries. */
const toPathSortKey = (path: FieldPath): string =>
  path.map((part) => (isIndex(part) ? part.padStart(9, '0') : part)).join('\n')

type Issue = z.core.$ZodIssue

/** For a union, uses the first alternative that fits except for some inner parts. */
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

/** Returns later list entries first. Omits duplicates, and paths inside another returned path. */
function findInvalidPaths(root: unknown, issues: readonly Issue[]): FieldPath[] {
  const pathsBySortKey = new Map(
    issues
      .flatMap(listIssuePaths)
      .map((path) => findExistingPath(root, path))
      .map((place) => [toPathSortKey(place), place]),
  )
  const isInsideAnotherPath = (sortKey: string) =>
    [...pathsBySortKey.keys()].some(
      (other) => other !== sortKey && (other === '' || sortKey.startsWith(`${other}\n`)),
    )
  const sortKeys = [...pathsBySortKey.keys()].filter((order) => !isInsideAnotherPath(order)).sort()
  return sortKeys.reverse().map((order) => pathsBySortKey.get(order) ?? [])
}

const readPart = (root: unknown, path: FieldPath): unknown =>
  path.reduce<unknown>((at, part) => (isObjectOrArray(at) ? at[part] : undefined), root)

/** Copies only the objects along the path, so that a large value costs little. */
function removePart(root: unknown, [part = '', ...below]: FieldPath): unknown {
  if (!isObjectOrArray(root)) return root
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

/** `gaps` are the parts that do not match. Null if the whole value does not match. */
function parseValue(schema: z.ZodType, value: unknown): ParsedValue | null {
  let parsed = schema.safeParse(value)
  if (parsed.success) return { data: parsed.data, gaps: [] }
  let remainingValue = value
  const invalidParts: InvalidPart[] = []
  while (!parsed.success) {
    const invalidPaths = findInvalidPaths(remainingValue, parsed.error.issues)
    if (invalidPaths.some((place) => place.length === 0)) return null
    invalidParts.push(
      ...invalidPaths.map((path) => ({ path, raw: readPart(remainingValue, path) })),
    )
    remainingValue = invalidPaths.reduce(removePart, remainingValue)
    parsed = schema.safeParse(remainingValue)
  }
  return { data: parsed.data, gaps: invalidParts }
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

/** Returns an unmasked id. Null if it is too long or has characters that ids do not have. */
const toIdText = (id: unknown): string | null => {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  return /^[\w.:-]{1,64}$/.test(text) ? text : null
}

const toUnreadableRow = (value: unknown): UnreadableRow => ({
  id: isJsonObject(value) ? toIdText(value.id) : null,
  raw: toMaskedText(value, [], getKnownFieldNames()),
})

function countUnreadablePath(paths: Record<string, number>, path: string): void {
  paths[path] = (paths[path] ?? 0) + 1
}

function parseRows(schema: z.ZodType, values: readonly unknown[]): TolerantResult {
  const tolerantResult: TolerantResult & { data: unknown[] } = { data: [], rows: [], paths: {} }
  for (const value of values) {
    const parsedRow = parseValue(schema, value)
    for (const { path } of parsedRow?.gaps ?? [{ path: [] }])
      countUnreadablePath(tolerantResult.paths, toPathText(['0', ...path]))
    if (parsedRow) tolerantResult.data.push(addUnreadableFields(parsedRow))
    else tolerantResult.rows.push(toUnreadableRow(value))
  }
  return tolerantResult
}

/**
 * A field that does not match is omitted and listed in the object's `unreadable`. A row that is not
 * an object or has no id is omitted and listed in `rows`. Null if the data is not the expected
 * object or list.
 */
export function readTolerantly(schema: z.ZodType, value: unknown): TolerantResult | null {
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? parseRows(schema.element as z.ZodType, value) : null
  const parsedData = isJsonObject(value) ? parseValue(schema, value) : null
  if (!parsedData) return null
  const countByPath: Record<string, number> = {}
  for (const { path } of parsedData.gaps) countUnreadablePath(countByPath, toPathText(path))
  return { data: addUnreadableFields(parsedData), rows: [], paths: countByPath }
}
