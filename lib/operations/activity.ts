import { isCalendarDate } from '@/lib/dates'
import { isServiceOperationId, type ServiceOperationId } from './service-operations'

/**
 * One call through the proxy as the request log shows it, without body and query. Times are ISO in
 * UTC; `took_ms` is milliseconds.
 */
export type LoggedCall = {
  id: string
  at: string
  operation: ServiceOperationId
  /** `acct_…`, or null for the whole platform. */
  account: string | null
  /** `<resource>/<uuid>`, or null for a search. */
  target: string | null
  person: string
  person_id: string
  status: number
  took_ms: number
  attempts: number
  replayed: boolean
  request_id: string
  api_request_id: string | null
  action_id: string | null
  error_code: string | null
  error_detail: string | null
}

/** A summary of the failed calls with the same operation, error code and message of the service. */
export type ErrorGroup = {
  operation: ServiceOperationId
  error_code: string
  error_detail: string | null
  calls: number
  people: number
  first_at: string
  last_at: string
  last_request_id: string
}

/**
 * Values of the result filter. `refused` is 4xx. `failed` is 5xx, or a write with an unknown
 * outcome (202 with an error).
 */
export const callResults = ['answered', 'refused', 'failed'] as const

export type CallResult = (typeof callResults)[number]

/**
 * Filters of the request log. The names are those of the URL parameters. `person` is a person's id
 * or `me`. `request` is any id of a call: ours, the service's, or its action's. `from` and `to` are
 * instants (ISO), both inclusive. `detail` is the service's message as the log stores it.
 */
export type CallFilter = {
  operation?: ServiceOperationId
  result?: CallResult
  error?: string
  detail?: string
  target?: string
  request?: string
  person?: string
  from?: string
  to?: string
}

/** Directions of paging in the request log: to the calls before a given call, or after it. */
export const logDirections = ['older', 'newer'] as const

/**
 * The position of a page in the request log: the page has the calls just before or after the call
 * `id`, made at the time `at` (ISO).
 */
export type LogCursor = { way: (typeof logDirections)[number]; at: string; id: string }

/** Returns a cursor as text for a URL; `parseLogCursor` parses it. */
export const toLogCursorText = ({ at, id }: Pick<LogCursor, 'at' | 'id'>): string => `${at}_${id}`

type QueryFields = Readonly<Record<string, unknown>>

const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const fieldPatterns = {
  error: /^[a-z_]{1,40}$/,
  detail: /^.{1,300}$/,
  target: new RegExp(`^[a-z_]+/${uuidPattern}$`),
  request: /^[\w.:-]{8,64}$/,
  person: new RegExp(`^(?:me|${uuidPattern})$`),
}

const readTextField = (fields: QueryFields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : ''
}

const cursorPattern = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)_(${uuidPattern})$`,
)

/**
 * Parses the cursor in the query of a URL. Returns undefined if there is no valid cursor; the page
 * then shows the newest calls.
 */
export function parseLogCursor(fields: QueryFields): LogCursor | undefined {
  return logDirections.flatMap((direction) => {
    const [, at = '', id = ''] = cursorPattern.exec(readTextField(fields, direction)) ?? []
    return Number.isNaN(Date.parse(at)) ? [] : [{ way: direction, at, id }]
  })[0]
}

/**
 * Returns the filter field `from` or `to` as an ISO instant, or undefined if it is invalid. A value
 * without a time is a UTC day: `from` is its first millisecond, and `to` its last. A `to` in whole
 * seconds means the last millisecond of that second.
 */
function parseTimeBound(fields: QueryFields, name: 'from' | 'to'): string | undefined {
  const boundText = readTextField(fields, name)
  const [, day = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)Z)?$/.exec(boundText) ?? []
  const [first, fraction] = name === 'from' ? ['00:00:00', '.000'] : ['23:59:59', '.999']
  const timeOfDay = time || first
  const iso = `${day}T${timeOfDay}${timeOfDay.includes('.') ? '' : fraction}Z`
  return isCalendarDate(day) && !Number.isNaN(Date.parse(iso)) ? iso : undefined
}

/** Parses a filter from the query of a page URL or an API URL. Invalid values are left out. */
export function parseCallFilter(fields: QueryFields): CallFilter {
  const readValidField = (name: keyof typeof fieldPatterns) =>
    fieldPatterns[name].test(readTextField(fields, name)) ? readTextField(fields, name) : undefined
  const operation = readTextField(fields, 'operation')
  return {
    operation: isServiceOperationId(operation) ? operation : undefined,
    result: callResults.find((result) => result === fields.result),
    error: readValidField('error'),
    detail: readValidField('detail'),
    target: readValidField('target'),
    request: readValidField('request'),
    person: readValidField('person'),
    from: parseTimeBound(fields, 'from'),
    to: parseTimeBound(fields, 'to'),
  }
}
