import { isDay } from '@/lib/dates'
import { isServiceOperationId, type ServiceOperationId } from './service-operations'

/** One call through the proxy as the request log shows it, without body and query. Times are ISO in UTC; `took_ms` is milliseconds. */
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

/** Failed calls with the same operation, error and message of the service. */
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

/** Results of a call, as a filter. `refused` is 4xx. `failed` is 5xx, or a write with an unknown outcome (202 with an error). */
export const callResults = ['answered', 'refused', 'failed'] as const

export type CallResult = (typeof callResults)[number]

/**
 * Filters of the request log. The names are those of the URL parameters. `person` is a person's id or `me`. `request` is any id of a call:
 * ours, the service's, or its action's. `from` and `to` are instants (ISO), both inclusive. `detail` is the service's message as the log
 * stores it.
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

/** The directions in which a page of the request log can continue from a call. */
export const logDirections = ['older', 'newer'] as const

/** The cursor of a page of the request log. The page contains the calls directly before or after the call `id` of the time `at` (ISO). */
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

const readText = (fields: QueryFields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : ''
}

const cursorPattern = new RegExp(`^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)_(${uuidPattern})$`)

/** Parses the cursor in the query of a URL. Returns undefined if there is no valid one; the page then shows the newest calls. */
export function parseLogCursor(fields: QueryFields): LogCursor | undefined {
  return logDirections.flatMap((direction) => {
    const [, at = '', id = ''] = cursorPattern.exec(readText(fields, direction)) ?? []
    return Number.isNaN(Date.parse(at)) ? [] : [{ way: direction, at, id }]
  })[0]
}

/**
 * Returns `from` or `to` as an ISO instant, or undefined if it is invalid. A UTC day means its first or its last moment. A `to` in whole
 * seconds includes all of that second.
 */
function parseBound(fields: QueryFields, name: 'from' | 'to'): string | undefined {
  const text = readText(fields, name)
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)Z)?$/.exec(text) ?? []
  const [first, fraction] = name === 'from' ? ['00:00:00', '.000'] : ['23:59:59', '.999']
  const timeOfDay = time || first
  const iso = `${day}T${timeOfDay}${timeOfDay.includes('.') ? '' : fraction}Z`
  return isDay(day) && !Number.isNaN(Date.parse(iso)) ? iso : undefined
}

/** Parses a filter from the query of a page URL or an API URL. Invalid values are left out. */
export function parseCallFilter(fields: QueryFields): CallFilter {
  const readIfValid = (name: keyof typeof fieldPatterns) =>
    fieldPatterns[name].test(readText(fields, name)) ? readText(fields, name) : undefined
  const operation = readText(fields, 'operation')
  return {
    operation: isServiceOperationId(operation) ? operation : undefined,
    result: callResults.find((result) => result === fields.result),
    error: readIfValid('error'),
    detail: readIfValid('detail'),
    target: readIfValid('target'),
    request: readIfValid('request'),
    person: readIfValid('person'),
    from: parseBound(fields, 'from'),
    to: parseBound(fields, 'to'),
  }
}
