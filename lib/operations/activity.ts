import type { OperationId } from './rows'

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

/** How a call ended, as a filter: answered, refused (4xx), or not done (5xx and what the service did not answer). */
export const callResults = ['answered', 'refused', 'failed'] as const

/** One of the ways a call ended. */
export type CallResult = (typeof callResults)[number]
