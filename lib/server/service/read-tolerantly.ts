import 'server-only'
import * as z from 'zod'
import type { Unreadable, UnreadableRow } from '@/lib/operations/answer'
import { schemasOf } from '@/lib/operations/registry'
import { serviceOperationIds } from '@/lib/operations/service-operations'

/** Characters that cannot be stored or hashed: PostgreSQL stores no NUL, and half a surrogate pair has no UTF-8 bytes. */
const unstorable = /\0|\p{Surrogate}/gu

/** Finds them in JSON, only in escaped form, because the text was decoded from UTF-8. A loose match that triggers the full check. */
const mayHoldSome = /\\u(?:0000|d[89a-f])/i

const clean = (text: string): string => text.replace(unstorable, '\uFFFD')

function cleaned(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), inner]))
}

/** Returns the first characters of a text, never half a surrogate pair. */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

/**
 * Parses the service's JSON, and replaces characters that cannot be stored with U+FFFD. Otherwise a text of the service could prevent the
 * record of its own response. Removes a leading byte order mark. Throws SyntaxError for invalid JSON.
 */
export function parseJson(marked: string): unknown {
  const text = marked.replace(/^\uFEFF/, '')
  return mayHoldSome.test(text) ? JSON.parse(text, cleaned) : JSON.parse(text)
}

/** Field names that ordinary reads mask. */
const maskedNames =
  /e-?mail|phone|mobile|account_(number|mask)|routing|ssn|dob|birth|ein$|tax_id|company_id|^ip|_ip$|ip_address|^address|^street|paykey$|token|^tan$/i

/** Field names of money, counts and times: their numbers are no part of an account or a person. */
const figures = /(^|_)(amount|balance|limit|count|size|score|percent|total)s?(_|$)|_(at|date)$/i

const longest = 300

/** Maximum levels and entries of a value that are shown. A deeper level becomes `…`. */
const deepest = 4
const widest = 20

/** Masks email addresses, IP addresses, digit runs and tokens; of the last two the end stays. UUIDs and dates are not masked. */
function maskedText(value: string): string {
  return value
    .replace(/[\w.+-]+@[\w.-]+/g, '•••')
    .replace(/\d{1,3}(?:\.\d{1,3}){3}/g, '•••')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{4}-\d\d-\d\d[T ]|(?:\d[ -]?){6,}/gi, (found) =>
      /^[0-9a-f]{8}-|^\d{4}-\d\d-\d\d/i.test(found) ? found : `•••${found.trim().slice(-2)}`,
    )
}

type Known = ReadonlySet<string>
type Place = { path: readonly string[]; known: Known }

const hasFigures = ({ path }: Place): boolean => path.some((name) => figures.test(name))

function maskedScalar(value: string | number | boolean, place: Place): unknown {
  if (typeof value === 'boolean') return value
  const isFigure = typeof value === 'number' || /^[-+]?[\d.,]{1,20}$/.test(value)
  return isFigure && hasFigures(place) ? value : maskedText(String(value))
}

/** Shows only the kind of an undeclared field, because its content could be anything. Flags, null, and numbers in number fields stay. */
function kindOf(name: string, value: unknown, place: Place): unknown {
  if (typeof value === 'number' && hasFigures(place) && !maskedNames.test(name)) return value
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' || value === null ? value : '•••'
  return Array.isArray(value) ? '(a list)' : '(an object)'
}

/** Parses a text that is a JSON object or list, or several with commas between; undefined if it cannot be parsed. */
function writtenOut(text: string): object | undefined {
  for (const candidate of [text, `[${text}]`]) {
    try {
      const value: unknown = JSON.parse(candidate)
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // Not in this form.
    }
  }
  return undefined
}

/** Masks a text that looks like an object by its fields. If they cannot be parsed, none of it is shown. */
function maskedObjectText(text: string, place: Place, depth: number): string {
  const inner = depth < deepest ? writtenOut(text) : undefined
  return inner ? JSON.stringify(masked(inner, place, depth + 1)) : '(a text)'
}

function masked(value: unknown, place: Place, depth: number): unknown {
  const { path, known } = place
  if (value === null) return null
  if (path.some((name) => maskedNames.test(name))) return '•••'
  if (typeof value === 'string' && /[{["]/.test(value)) return maskedObjectText(value, place, depth)
  if (typeof value !== 'object') return maskedScalar(value as string | number | boolean, place)
  if (depth >= deepest) return '…'
  if (Array.isArray(value)) return value.slice(0, widest).map((entry) => masked(entry, place, depth + 1))
  const inner = (name: string, entry: unknown) =>
    known.has(name) ? masked(entry, { path: [...path, name], known }, depth + 1) : kindOf(name, entry, place)
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, widest)
      .map(([name, entry]) => [cutText(name, 40), inner(name, entry)]),
  )
}

/**
 * Returns the content of an unreadable field as text for a person: at most 300 characters, masked like in ordinary reads. `known` are the
 * declared field names; values of other fields are not shown. `path` is the position of the field.
 */
function maskedRaw(value: unknown, path: readonly string[], known: Known): string {
  if (value === undefined) return '(nothing)'
  const maskedValue = masked(value, { path, known }, 0)
  const text = typeof maskedValue === 'string' ? maskedValue : JSON.stringify(maskedValue)
  return text.length > longest ? `${cutText(text, longest)}…` : text
}

/**
 * The readable part of a response. `rows` are list rows that could not be read at all and are missing in `data`. `paths` counts unreadable
 * parts by path. A path contains names of the contract and no value: `[]` stands for any row or entry, `*` for any key.
 */
type Reading = { data: unknown; rows: UnreadableRow[]; paths: Record<string, number> }

type Json = Record<string, unknown>
type Path = readonly string[]

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

type Gap = { path: Path; raw: unknown }

function namesIn(schema: unknown, names: Set<string>): void {
  if (Array.isArray(schema)) for (const entry of schema) namesIn(entry, names)
  if (!isJson(schema)) return
  if (isJson(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name)
  for (const inner of Object.values(schema)) namesIn(inner, names)
}

let names: Set<string> | undefined

/** Returns every field name of the contract: those that a log may contain, and whose values may be shown of an unreadable part. */
function knownNames(): ReadonlySet<string> {
  if (names) return names
  names = new Set()
  for (const id of serviceOperationIds) namesIn(z.toJSONSchema(schemasOf(id).output, { io: 'input', unrepresentable: 'any' }), names)
  return names
}

const isIndex = (part: string): boolean => /^\d+$/.test(part)

const pathText = (path: Path): string => path.map((part) => (isIndex(part) ? '[]' : knownNames().has(part) ? part : '*')).join('.') || '[]'

const isHolder = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Returns the path if the value has it, else its nearest existing parent, which lacks a required part. */
function standing(root: unknown, path: Path): Path {
  let at = root
  for (const [depth, part] of path.entries()) {
    if (!isHolder(at) || !Object.hasOwn(at, part)) return path.slice(0, depth)
    at = at[part]
  }
  return path
}

/** Sort key of a path, for removal from the end and deepest first: then a removed list entry does not shift the others. */
const orderOf = (path: Path): string => path.map((part) => (isIndex(part) ? part.padStart(9, '0') : part)).join('\n')

type Issue = z.core.$ZodIssue

/** Returns the paths of an issue. For a union it uses the alternative that fits except for some part, if there is one. */
function pathsOf(issue: Issue): Path[] {
  const path = issue.path.map(String)
  const near = issue.code === 'invalid_union' ? issue.errors.find((inner) => inner.every((each) => each.path.length > 0)) : undefined
  return near?.length ? near.flatMap(pathsOf).map((inner) => [...path, ...inner]) : [path]
}

/** Returns the paths to remove, each once and none inside another. */
function placesOf(root: unknown, issues: readonly Issue[]): Path[] {
  const pathsByOrder = new Map(
    issues
      .flatMap(pathsOf)
      .map((path) => standing(root, path))
      .map((place) => [orderOf(place), place]),
  )
  const inside = (order: string) =>
    [...pathsByOrder.keys()].some((other) => other !== order && (other === '' || order.startsWith(`${other}\n`)))
  const orders = [...pathsByOrder.keys()].filter((order) => !inside(order)).sort()
  return orders.reverse().map((order) => pathsByOrder.get(order) ?? [])
}

const partAt = (root: unknown, path: Path): unknown => path.reduce<unknown>((at, part) => (isHolder(at) ? at[part] : undefined), root)

/** Returns the value without the part at a path below the root. Copies only the objects along the path, so that depth costs nothing. */
function without(root: unknown, [part = '', ...below]: Path): unknown {
  if (!isHolder(root)) return root
  if (below.length > 0) {
    const copy: Json = Array.isArray(root) ? (root.slice() as unknown as Json) : { ...root }
    copy[part] = without(root[part], below)
    return copy
  }
  if (Array.isArray(root)) return root.filter((_, at) => at !== Number(part))
  const { [part]: _, ...rest } = root
  return rest
}

type Whole = { data: unknown; gaps: Gap[] }

/** Reads one value and leaves out the parts that do not fit. Null if nothing is left. */
function readOne(schema: z.ZodType, value: unknown): Whole | null {
  let parsed = schema.safeParse(value)
  if (parsed.success) return { data: parsed.data, gaps: [] }
  let rest = value
  const gaps: Gap[] = []
  while (!parsed.success) {
    const invalidPaths = placesOf(rest, parsed.error.issues)
    if (invalidPaths.some((place) => place.length === 0)) return null
    gaps.push(...invalidPaths.map((path) => ({ path, raw: partAt(rest, path) })))
    rest = invalidPaths.reduce(without, rest)
    parsed = schema.safeParse(rest)
  }
  return { data: parsed.data, gaps }
}

const partOf = ({ path, raw }: Gap): Unreadable => ({
  field: path.map((part) => (isIndex(part) || knownNames().has(part) ? part : cutText(part, 40))).join('.'),
  raw: maskedRaw(raw, path, knownNames()),
})

const withGaps = ({ data, gaps }: Whole): unknown =>
  gaps.length > 0 && isJson(data) ? { ...data, unreadable: gaps.map(partOf).reverse() } : data

/** Returns an id unmasked, or null if it is as long as a token. */
const idText = (id: unknown): string | null => {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  return /^[\w.:-]{1,64}$/.test(text) ? text : null
}

const rowOf = (value: unknown): UnreadableRow => ({ id: isJson(value) ? idText(value.id) : null, raw: maskedRaw(value, [], knownNames()) })

function count(paths: Record<string, number>, path: string): void {
  paths[path] = (paths[path] ?? 0) + 1
}

function readRows(schema: z.ZodType, values: readonly unknown[]): Reading {
  const reading: Reading & { data: unknown[] } = { data: [], rows: [], paths: {} }
  for (const value of values) {
    const read = readOne(schema, value)
    for (const { path } of read?.gaps ?? [{ path: [] }]) count(reading.paths, pathText(['0', ...path]))
    if (read) reading.data.push(withGaps(read))
    else reading.rows.push(rowOf(value))
  }
  return reading
}

/**
 * Parses a response's data with an operation's output schema and keeps the readable part. A field of another shape is left out and recorded
 * in the object's `unreadable`. A row that is no object or has no id is left out of the list and recorded in `rows`. Null if the data is
 * not the expected object or list.
 */
export function readTolerantly(schema: z.ZodType, value: unknown): Reading | null {
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? readRows(schema.element as z.ZodType, value) : null
  const read = isJson(value) ? readOne(schema, value) : null
  if (!read) return null
  const paths: Record<string, number> = {}
  for (const { path } of read.gaps) count(paths, pathText(path))
  return { data: withGaps(read), rows: [], paths }
}
