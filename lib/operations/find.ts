import type { ActionState } from './answer'
import type { CustomerSummary } from './customers.schema'
import type { OperationId } from './rows'

/** By what a trace was found. */
export type TraceKey = 'action id' | 'idempotency key' | 'correlation id' | 'request id' | 'api request id'

/** A trace somebody left on this desk: a write in the action book, or a call in the request log. Holds no personal data but the acting person's name. */
export type FoundTrace = {
  kind: 'action' | 'request'
  id: string
  by: TraceKey
  operation: OperationId
  account: string | null
  /** `<resource>/<id>`; null for a search. */
  target: string | null
  at: string
  actor: string
  /** Where the action stands; null for a call. */
  state: ActionState | null
  /** The HTTP status of a call; null for an action. */
  status: number | null
}

/** What the desk itself found for a text, and what it could not look into. `traces` holds at most twenty, newest first. */
export type Finding = { traces: FoundTrace[]; customers: CustomerSummary[]; unsearched: { what: string; why: string }[] }
