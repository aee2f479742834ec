import type { ActionState, UnreadableRow } from './answer'
import type { CustomerSummary } from './customers.schema'
import type { ServiceOperationId } from './service-operations'

export type TraceKey =
  | 'action id'
  | 'idempotency key'
  | 'correlation id'
  | 'request id'
  | 'api request id'

/** `by`: the kind of id that matched. The only personal data is `actor`, a name. */
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
  /** Null for a call of the request log. */
  state: ActionState | null
  /** The HTTP status of a call; null for an action. */
  status: number | null
}

/** `traces`: at most twenty, newest first. `unsearched`: sources that could not be searched. */
export type FindResult = {
  traces: FoundTrace[]
  customers: CustomerSummary[]
  unsearched: { what: string; why: string }[]
}

/** Counts unreadable matches as not searched: the wanted record may be one of them. */
export function toUnsearchedSources(
  sourceName: string,
  rows: readonly UnreadableRow[] = [],
): FindResult['unsearched'] {
  if (rows.length === 0) return []
  const unreadableIdsText = rows.map(({ id }) => id ?? 'no ID').join(', ')
  return [
    {
      what: `all ${sourceName}`,
      why: `${rows.length === 1 ? '1 match is' : `${rows.length} matches are`} not readable (${unreadableIdsText}).`,
    },
  ]
}
