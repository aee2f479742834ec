import 'server-only'
import * as z from 'zod'
import type { Unreadable, UnreadableRow } from '@/lib/operations/answer'
import { schemasOf } from '@/lib/operations/registry'
import { serviceOperationIds } from '@/lib/operations/service-operations'

/** What no text may hold that is to be kept or hashed: PostgreSQL stores no NUL, and half of a surrogate pair has no bytes of its own in UTF-8. */
const unstorable = /\0|\p{Surrogate}/gu

/** How they can be in JSON: escaped alone, since UTF-8 was decoded by then. Read loosely: it only says that a closer look is due. */
const mayHoldSome = /\\u(?:0000|d[89a-f])/i

const clean = (text: string): string => text.replace(unstorable, '\uFFFD')

function cleaned(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), inner]))
}

/** The first characters of a text, never half of a surrogate pair. */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

/**
 * Parses what the service sent, with the replacement character (U+FFFD) for what cannot be stored: a text the service can write must never keep what
 * it did from being written down. A byte order mark before it is none of it. Throws SyntaxError for what is no JSON.
 */
export function parseJson(marked: string): unknown {
  const text = marked.replace(/^\uFEFF/, '')
  return mayHoldSome.test(text) ? JSON.parse(text, cleaned) : JSON.parse(text)
}

/** What an ordinary read masks, by the name of the field. */
const maskedNames =
  /e-?mail|phone|mobile|account_(number|mask)|routing|ssn|dob|birth|ein$|tax_id|company_id|^ip|_ip$|ip_address|^address|^street|paykey$|token|^tan$/i

/** Where a number is money, a count or a time, and so no part of an account or a person. */
const figures = /(^|_)(amount|balance|limit|count|size|score|percent|total)s?(_|$)|_(at|date)$/i

const longest = 300

/** The most levels and entries of a value that are written out; beyond them it says that there is more. */
const deepest = 4
const widest = 20

/** E-mail and device addresses go, runs of digits and tokens lose all but their end, wherever they are; a UUID is no token, and a date no number. */
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

/** Of a field nobody declared only its kind is told, and a figure where figures are expected: what else it holds could be anything. */
function kindOf(name: string, value: unknown, place: Place): unknown {
  if (typeof value === 'number' && hasFigures(place) && !maskedNames.test(name)) return value
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' || value === null ? value : '•••'
  return Array.isArray(value) ? '(a list)' : '(an object)'
}

/** What a text holds that is an object or a list written out, or several of them with commas between; undefined where that cannot be told. */
function writtenOut(text: string): object | undefined {
  for (const whole of [text, `[${text}]`]) {
    try {
      const value: unknown = JSON.parse(whole)
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // Not in this form.
    }
  }
  return undefined
}

/** A text that looks like an object has fields, and they are masked as such; where they cannot be told apart nothing of it is shown. */
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
 * What was in a field that could not be read, as text for a person: at most 300 characters, what ordinary reads mask is masked, and of fields
 * that nobody declared (`known` holds those that somebody did) no value is told. `path` says where it was.
 */
function maskedRaw(value: unknown, path: readonly string[], known: Known): string {
  if (value === undefined) return '(nothing)'
  const shown = masked(value, { path, known }, 0)
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown)
  return text.length > longest ? `${cutText(text, longest)}…` : text
}

/**
 * What could be read of an answer's data. `rows` are those of a list that could not be read at all and are missing in `data`; `paths` counts every
 * part that could not be read by its path, which holds names of the contract and no value: `[]` stands for any row or entry, `*` for any key.
 */
type Reading = { data: unknown; rows: UnreadableRow[]; paths: Record<string, number> }

type Json = Record<string, unknown>
type Path = readonly string[]

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A part left out: where it was, and what was there. */
type Gap = { path: Path; raw: unknown }

function namesIn(schema: unknown, names: Set<string>): void {
  if (Array.isArray(schema)) for (const entry of schema) namesIn(entry, names)
  if (!isJson(schema)) return
  if (isJson(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name)
  for (const inner of Object.values(schema)) namesIn(inner, names)
}

let names: Set<string> | undefined

/** Every field name of the contract: what may be in a log, and in what is shown of something that could not be read. */
function knownNames(): ReadonlySet<string> {
  if (names) return names
  names = new Set()
  for (const id of serviceOperationIds) namesIn(z.toJSONSchema(schemasOf(id).output, { io: 'input', unrepresentable: 'any' }), names)
  return names
}

const isIndex = (part: string): boolean => /^\d+$/.test(part)

const pathText = (path: Path): string => path.map((part) => (isIndex(part) ? '[]' : knownNames().has(part) ? part : '*')).join('.') || '[]'

const isHolder = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** The place itself where something is there, else the nearest one above: it lacks what it must have. */
function standing(root: unknown, path: Path): Path {
  let at = root
  for (const [depth, part] of path.entries()) {
    if (!isHolder(at) || !Object.hasOwn(at, part)) return path.slice(0, depth)
    at = at[part]
  }
  return path
}

/** Sorts backwards and deepest first, so that what is taken out of a list leaves the others where they are. */
const orderOf = (path: Path): string => path.map((part) => (isIndex(part) ? part.padStart(9, '0') : part)).join('\n')

type Issue = z.core.$ZodIssue

/** Where an issue points: into the alternative of a union that fits but for some part of it, if there is one. */
function pathsOf(issue: Issue): Path[] {
  const path = issue.path.map(String)
  const near = issue.code === 'invalid_union' ? issue.errors.find((inner) => inner.every((each) => each.path.length > 0)) : undefined
  return near?.length ? near.flatMap(pathsOf).map((inner) => [...path, ...inner]) : [path]
}

/** The places to take out, each once and none inside another. */
function placesOf(root: unknown, issues: readonly Issue[]): Path[] {
  const places = new Map(
    issues
      .flatMap(pathsOf)
      .map((path) => standing(root, path))
      .map((place) => [orderOf(place), place]),
  )
  const inside = (order: string) => [...places.keys()].some((other) => other !== order && (other === '' || order.startsWith(`${other}\n`)))
  const orders = [...places.keys()].filter((order) => !inside(order)).sort()
  return orders.reverse().map((order) => places.get(order) ?? [])
}

const partAt = (root: unknown, path: Path): unknown => path.reduce<unknown>((at, part) => (isHolder(at) ? at[part] : undefined), root)

/** The same value without what is at a place below the root; only the way there is copied, so that depth costs nothing. */
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

/** Reads one value, leaving out what does not fit until the rest does; null when nothing is left. */
function readOne(schema: z.ZodType, value: unknown): Whole | null {
  let parsed = schema.safeParse(value)
  if (parsed.success) return { data: parsed.data, gaps: [] }
  let rest = value
  const gaps: Gap[] = []
  while (!parsed.success) {
    const places = placesOf(rest, parsed.error.issues)
    if (places.some((place) => place.length === 0)) return null
    gaps.push(...places.map((path) => ({ path, raw: partAt(rest, path) })))
    rest = places.reduce(without, rest)
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

/** An id is shown as it is, unless it is as long as a token. */
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
 * Reads an answer's data by an operation's output schema and keeps what can be read: a field of another shape is left out and noted in the object's
 * `unreadable`, a row that is no object or has no id is left out of the list and noted beside it. Null when it is not the object or list it
 * should be.
 */
export function readTolerantly(schema: z.ZodType, value: unknown): Reading | null {
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? readRows(schema.element as z.ZodType, value) : null
  const read = isJson(value) ? readOne(schema, value) : null
  if (!read) return null
  const paths: Record<string, number> = {}
  for (const { path } of read.gaps) count(paths, pathText(path))
  return { data: withGaps(read), rows: [], paths }
}
