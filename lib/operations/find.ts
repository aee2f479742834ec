import type { ActionState, UnreadableRow } from './answer'
import type { CustomerSummary } from './customers.schema'
import type { ServiceOperationId } from './service-operations'

export type TraceKey =
  | 'action id'
  | 'idempotency key'
  | 'correlation id'
  | 'request id'
  | 'api request id'

/**
 * A result of a search by id: a write in the action log, or a call in the request log. `by` is the
 * kind of id that matched. The only personal data is `actor`, the name of the person who acted.
 */
export type FoundTrace = {
  kind: 'action' | 'request'
  id: string
  by: TraceKey
  operation: ServiceOperationId
  account: string | null
  /** The object of the action or call, as `<resource>/<id>`; null for a search. */
  target: string | null
  at: string
  actor: string
  /** The state of the action; null for a call of the request log. */
  state: ActionState | null
  /** The HTTP status of a call; null for an action. */
  status: number | null
}

/**
 * The result of a search: `traces` (at most twenty, newest first) for an id, `customers` for an
 * email address. `unsearched` names the sources that could not be searched, each with the reason.
 */
export type FindResult = {
  traces: FoundTrace[]
  customers: CustomerSummary[]
  unsearched: { what: string; why: string }[]
}

/**
 * Returns unreadable matches as one source that was not searched, because the wanted record may be
 * one of them.
 */
export function toUnsearchedSources(
  sourceName: string,
  rows: readonly UnreadableRow[] = [],
): FindResult['unsearched'] {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id ?? 'no ID').join(', ')
  return [
    {
      what: `all ${sourceName}`,
      why: `${rows.length === 1 ? '1 match is' : `${rows.length} matches are`} not readable (${ids}).`,
    },
  ]
}
