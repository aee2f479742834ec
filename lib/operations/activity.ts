import { isDay } from '@/lib/dates'
import { isOperationId, type OperationId } from './rows'

/** One call through the proxy as the request log shows it: no body, no query. Times are ISO in UTC, `took_ms` milliseconds. */
export type LoggedCall = {
  id: string
  at: string
  operation: OperationId
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

/** Calls that failed alike: the same operation, the same error, the same words of the service. */
export type ErrorGroup = {
  operation: OperationId
  error_code: string
  error_detail: string | null
  calls: number
  people: number
  first_at: string
  last_at: string
  last_request_id: string
}

/** How a call ended, as a filter: answered, refused (4xx), or neither: 5xx, and a write of which nobody knows (202 with an error). */
export const callResults = ['answered', 'refused', 'failed'] as const

/** One of the ways a call ended. */
export type CallResult = (typeof callResults)[number]

/**
 * What the request log may be narrowed to, by the names its URL gives it. `person` is a person's id or `me`; `request` is any id a call is known by:
 * ours, the service's, or its action's; `from` and `to` are days of UTC, both counted in; `detail` is the service's words as the log keeps them.
 */
export type CallFilter = {
  operation?: OperationId
  result?: CallResult
  error?: string
  detail?: string
  target?: string
  request?: string
  person?: string
  from?: string
  to?: string
}

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

/** Reads a filter from the search of a URL, of a page or of our API alike; what is none of its kind is left out. */
export function callFilterOf(fields: Fields): CallFilter {
  const inForm = (name: keyof typeof forms) => (forms[name].test(textIn(fields, name)) ? textIn(fields, name) : undefined)
  const day = (name: 'from' | 'to') => (isDay(textIn(fields, name)) ? textIn(fields, name) : undefined)
  const operation = textIn(fields, 'operation')
  return {
    operation: isOperationId(operation) ? operation : undefined,
    result: callResults.find((result) => result === fields.result),
    error: inForm('error'),
    detail: inForm('detail'),
    target: inForm('target'),
    request: inForm('request'),
    person: inForm('person'),
    from: day('from'),
    to: day('to'),
  }
}
