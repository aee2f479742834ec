import 'server-only'

/** Never ends with half of a surrogate pair. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

/** Names of fields whose values are never shown: personal data, account numbers and tokens. */
const maskedFieldNamePattern =
  /e-?mail|phone|mobile|account_(number|mask)|routing|ssn|dob|birth|ein$|tax_id|company_id|^ip|_ip$|ip_address|^address|^street|paykey$|token|^tan$/i

/**
 * Names of fields whose numbers are shown, because they are neither personal data nor account
 * numbers.
 */
const numberFieldNamePattern =
  /(^|_)(amount|balance|limit|count|size|score|percent|total)s?(_|$)|_(at|date)$/i

const maxRawLength = 300

/** A deeper level is shown as `…`. */
const maxMaskedDepth = 4
const maxMaskedEntries = 20

/** Keeps the last two characters of a number or token. UUIDs and dates are not masked. */
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
  path.some((name) => numberFieldNamePattern.test(name))

function maskScalar(value: string | number | boolean, position: FieldPosition): unknown {
  if (typeof value === 'boolean') return value
  const isNumericValue = typeof value === 'number' || /^[-+]?[\d.,]{1,20}$/.test(value)
  return isNumericValue && isNumberField(position) ? value : maskText(String(value))
}

/** Undeclared fields could contain personal data: shows only booleans, null and some numbers. */
function describeUndeclaredValue(name: string, value: unknown, position: FieldPosition): unknown {
  if (typeof value === 'number' && isNumberField(position) && !maskedFieldNamePattern.test(name))
    return value
  if (typeof value !== 'object' || value === null)
    return typeof value === 'boolean' || value === null ? value : '•••'
  return Array.isArray(value) ? '(a list)' : '(an object)'
}

/** Also parses several JSON values separated by commas. Undefined for any other text. */
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

/** A text that cannot be parsed is replaced, because it could contain personal data. */
function maskJsonText(text: string, position: FieldPosition, depth: number): string {
  const embeddedJson = depth < maxMaskedDepth ? parseEmbeddedJson(text) : undefined
  return embeddedJson ? JSON.stringify(maskValue(embeddedJson, position, depth + 1)) : '(a text)'
}

function maskValue(value: unknown, position: FieldPosition, depth: number): unknown {
  const { path, known } = position
  if (value === null) return null
  if (path.some((name) => maskedFieldNamePattern.test(name))) return '•••'
  if (typeof value === 'string' && /[{["]/.test(value)) return maskJsonText(value, position, depth)
  if (typeof value !== 'object') return maskScalar(value as string | number | boolean, position)
  if (depth >= maxMaskedDepth) return '…'
  if (Array.isArray(value))
    return value.slice(0, maxMaskedEntries).map((entry) => maskValue(entry, position, depth + 1))
  const maskField = (name: string, entry: unknown) =>
    known.has(name)
      ? maskValue(entry, { path: [...path, name], known }, depth + 1)
      : describeUndeclaredValue(name, entry, position)
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxMaskedEntries)
      .map(([name, entry]) => [cutText(name, 40), maskField(name, entry)]),
  )
}

/**
 * At most 300 characters, with personal data masked. `path` contains the names of the fields that
 * lead to the value. Values of fields that are not in `known` are not shown.
 */
export function toMaskedText(
  value: unknown,
  path: readonly string[],
  known: KnownFieldNames,
): string {
  if (value === undefined) return '(nothing)'
  const maskedValue = maskValue(value, { path, known }, 0)
  const fullMaskedText = typeof maskedValue === 'string' ? maskedValue : JSON.stringify(maskedValue)
  return fullMaskedText.length > maxRawLength
    ? `${cutText(fullMaskedText, maxRawLength)}…`
    : fullMaskedText
}
