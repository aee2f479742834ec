import type { ActionState, UnreadableRow } from './answer'
import type { CustomerSummary } from './customers.schema'
import type { ServiceOperationId } from './service-operations'

export type TraceKey = 'action id' | 'idempotency key' | 'correlation id' | 'request id' | 'api request id'

/** A trace somebody left on this desk: a write in the action log, or a call in the request log. Holds no personal data but the acting person's name. */
export type FoundTrace = {
  kind: 'action' | 'request'
  id: string
  by: TraceKey
  operation: ServiceOperationId
  account: string | null
  /** `<resource>/<id>`; null for a search. */
  target: string | null
  at: string
  actor: string
  /** The state of the action; null for a call. */
  state: ActionState | null
  /** The HTTP status of a call; null for an action. */
  status: number | null
}

/** What the desk itself found for a text, and what it could not look into. `traces` holds at most twenty, newest first. */
export type Finding = { traces: FoundTrace[]; customers: CustomerSummary[]; unsearched: { what: string; why: string }[] }

/** Matches that could not be read, as something that was not looked into: what was not read may be what is looked for. */
export function unreadMatches(what: string, rows: readonly UnreadableRow[] = []): Finding['unsearched'] {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id ?? 'no ID').join(', ')
  return [{ what: `all ${what}`, why: `${rows.length === 1 ? '1 match is' : `${rows.length} matches are`} not readable (${ids}).` }]
}
