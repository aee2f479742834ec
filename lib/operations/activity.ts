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
export const logWays = ['older', 'newer'] as const

/** The cursor of a page of the request log. The page contains the calls directly before or after the call `id` of the time `at` (ISO). */
export type LogPlace = { way: (typeof logWays)[number]; at: string; id: string }

/** Returns a cursor as text for a URL; `logPlaceOf` parses it. */
export const logPlaceText = ({ at, id }: Pick<LogPlace, 'at' | 'id'>): string => `${at}_${id}`

type Fields = Readonly<Record<string, unknown>>

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const forms = {
  error: /^[a-z_]{1,40}$/,
  detail: /^.{1,300}$/,
  target: new RegExp(`^[a-z_]+/${uuid}$`),
  request: /^[\w.:-]{8,64}$/,
  person: new RegExp(`^(?:me|${uuid})$`),
}

const textIn = (fields: Fields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : ''
}

const positionPattern = new RegExp(`^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)_(${uuid})$`)

/** Parses the cursor in the query of a URL. Returns undefined if there is no valid one; the page then shows the newest calls. */
export function logPlaceOf(fields: Fields): LogPlace | undefined {
  return logWays.flatMap((way) => {
    const [, at = '', id = ''] = positionPattern.exec(textIn(fields, way)) ?? []
    return Number.isNaN(Date.parse(at)) ? [] : [{ way, at, id }]
  })[0]
}

/**
 * Returns `from` or `to` as an ISO instant, or undefined if it is invalid. A UTC day means its first or its last moment. A `to` in whole
 * seconds includes all of that second.
 */
function boundIn(fields: Fields, name: 'from' | 'to'): string | undefined {
  const text = textIn(fields, name)
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)Z)?$/.exec(text) ?? []
  const [first, fraction] = name === 'from' ? ['00:00:00', '.000'] : ['23:59:59', '.999']
  const moment = time || first
  const iso = `${day}T${moment}${moment.includes('.') ? '' : fraction}Z`
  return isDay(day) && !Number.isNaN(Date.parse(iso)) ? iso : undefined
}

/** Parses a filter from the query of a page URL or an API URL. Invalid values are left out. */
export function callFilterOf(fields: Fields): CallFilter {
  const inForm = (name: keyof typeof forms) => (forms[name].test(textIn(fields, name)) ? textIn(fields, name) : undefined)
  const operation = textIn(fields, 'operation')
  return {
    operation: isServiceOperationId(operation) ? operation : undefined,
    result: callResults.find((result) => result === fields.result),
    error: inForm('error'),
    detail: inForm('detail'),
    target: inForm('target'),
    request: inForm('request'),
    person: inForm('person'),
    from: boundIn(fields, 'from'),
    to: boundIn(fields, 'to'),
  }
}
