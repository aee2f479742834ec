import type { ActionState, UnreadableRow } from './answer'
import type { CustomerSummary } from './customers.schema'
import type { ServiceOperationId } from './service-operations'

export type TraceKey = 'action id' | 'idempotency key' | 'correlation id' | 'request id' | 'api request id'

/** A write in the action log, or a call in the request log. Its only personal data is the name of the person who acted. */
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

/**
 * The result of a search in Paydesk's own data. `traces` holds at most twenty, newest first. `unsearched` names the sources that were not
 * searched.
 */
export type FindResult = { traces: FoundTrace[]; customers: CustomerSummary[]; unsearched: { what: string; why: string }[] }

/** Returns search matches that could not be parsed as a source that was not searched, because one of them may be the wanted record. */
export function toUnsearched(what: string, rows: readonly UnreadableRow[] = []): FindResult['unsearched'] {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id ?? 'no ID').join(', ')
  return [{ what: `all ${what}`, why: `${rows.length === 1 ? '1 match is' : `${rows.length} matches are`} not readable (${ids}).` }]
}
