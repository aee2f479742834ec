import { isCalendarDate } from '@/lib/dates'
import { isServiceOperationId, type ServiceOperationId } from './service-operations'

/** A call through the proxy, without body and query. Times are ISO in UTC. */
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

/** `refused`: 4xx. `failed`: 5xx, or a write with an unknown outcome (202 with an error). */
export const callResults = ['answered', 'refused', 'failed'] as const

export type CallResult = (typeof callResults)[number]

/**
 * Named like the URL parameters. `person`: an id or `me`. `request`: our id, the service's, or the
 * action's. `from` and `to`: ISO instants, both inclusive. `detail`: the service's message.
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

export const logDirections = ['older', 'newer'] as const

/** The page has the calls just before or after the call `id`, made at the time `at` (ISO). */
export type LogCursor = { way: (typeof logDirections)[number]; at: string; id: string }

export const toLogCursorText = ({ at, id }: Pick<LogCursor, 'at' | 'id'>): string => `${at}_${id}`

type QueryFields = Readonly<Record<string, unknown>>

const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const filterFieldPatterns = {
  error: /^[a-z_]{1,40}$/,
  detail: /^.{1,300}$/,
  target: new RegExp(`^[a-z_]+/${uuidPattern}$`),
  request: /^[\w.:-]{8,64}$/,
  person: new RegExp(`^(?:me|${uuidPattern})$`),
}

const readTextField = (fields: QueryFields, name: string): string => {
  const fieldValue = fields[name]
  return typeof fieldValue === 'string' ? fieldValue.trim() : ''
}

const cursorPattern = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)_(${uuidPattern})$`,
)

/** Undefined if there is no valid cursor: the page then shows the newest calls. */
export function parseLogCursor(fields: QueryFields): LogCursor | undefined {
  return logDirections.flatMap((direction) => {
    const [, at = '', id = ''] = cursorPattern.exec(readTextField(fields, direction)) ?? []
    return Number.isNaN(Date.parse(at)) ? [] : [{ way: direction, at, id }]
  })[0]
}

/**
 * A value without a time is a UTC day: `from` is its first millisecond, and `to` its last. A `to`
 * in whole seconds means the last millisecond of that second. Undefined if invalid.
 */
function parseTimeBound(fields: QueryFields, name: 'from' | 'to'): string | undefined {
  const boundText = readTextField(fields, name)
  const [, day = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)Z)?$/.exec(boundText) ?? []
  const [first, fraction] = name === 'from' ? ['00:00:00', '.000'] : ['23:59:59', '.999']
  const timeOfDay = time || first
  const isoTime = `${day}T${timeOfDay}${timeOfDay.includes('.') ? '' : fraction}Z`
  return isCalendarDate(day) && !Number.isNaN(Date.parse(isoTime)) ? isoTime : undefined
}

/** Invalid values are left out. */
export function parseCallFilter(fields: QueryFields): CallFilter {
  const readValidField = (name: keyof typeof filterFieldPatterns) =>
    filterFieldPatterns[name].test(readTextField(fields, name))
      ? readTextField(fields, name)
      : undefined
  const operationId = readTextField(fields, 'operation')
  return {
    operation: isServiceOperationId(operationId) ? operationId : undefined,
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
