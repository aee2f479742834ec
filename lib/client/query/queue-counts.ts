import { useQuery } from '@tanstack/react-query'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from './reads'

/**
 * Milliseconds between two polls of the counts. The second value is used during the first import,
 * because people watch its progress.
 */
const pollInterval = 60_000
const importPollInterval = 2000

/**
 * Options of `useQuery` for the counts of the queues of the signed-in person in a scope, the number
 * of notifications, and the state of the mirror.
 */
export const queueCountsQuery = (scope: CallScope) => operationQuery(scope, 'queue_counts.read', {})

/**
 * Returns the queue counts of a scope, polled while the page is visible; undefined until the first
 * response. A failed poll changes nothing.
 */
export const useQueueCounts = (scope: CallScope) =>
  useQuery({
    ...queueCountsQuery(scope),
    refetchInterval: ({ state }) =>
      state.data?.data.mirror?.importing ? importPollInterval : pollInterval,
  }).data?.data
