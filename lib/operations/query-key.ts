import { type Environment, toResource } from './define'
import { type OperationId, operation } from './operations'
import type { Input } from './registry'

type KeyScope = { environment: Environment; account: string | null }

/** Query key of a read: environment, account (`acct_…`, or `platform` for all accounts), resource, operation, input. */
export const toQueryKey = <K extends OperationId>({ environment, account }: KeyScope, id: K, input: Input<K>) =>
  [environment, account ?? 'platform', toResource(id), id, input] as const

/** Returns the resources whose cached reads are stale after an operation. Every write to the service also affects actions and queues. */
export function listStaleResources(id: OperationId): readonly string[] {
  const { source, effect, invalidates = [] } = operation(id)
  return source === 'service' && effect !== 'read' ? [...invalidates, 'actions', 'queue_counts'] : invalidates
}
