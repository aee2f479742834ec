import { type Environment, toOperationResource } from './define'
import { getOperation, type OperationId } from './operations'
import type { Input } from './registry'

type QueryKeyScope = { environment: Environment; account: string | null }

export const toQueryKey = <K extends OperationId>(
  { environment, account }: QueryKeyScope,
  id: K,
  input: Input<K>,
) => [environment, account ?? 'platform', toOperationResource(id), id, input] as const

/** Each write to the service also changes actions and queues. */
export function listStaleResources(id: OperationId): readonly string[] {
  const { source, effect, invalidates = [] } = getOperation(id)
  return source === 'service' && effect !== 'read'
    ? [...invalidates, 'actions', 'queue_counts']
    : invalidates
}
