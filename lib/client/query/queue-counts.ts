import { useQuery } from '@tanstack/react-query'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from './reads'

/**
 * Milliseconds between polls: usually `pollIntervalMs`. During the first import of the mirror (our
 * copy of the service's data), polls are faster, because people watch its progress.
 */
const pollIntervalMs = 60_000
const importPollIntervalMs = 2000

/** Queue counts of the signed-in person, number of notifications, and state of the mirror. */
export const queueCountsQuery = (scope: CallScope) => operationQuery(scope, 'queue_counts.read', {})

/** Undefined until the first response. A failed poll changes nothing. */
export const useQueueCounts = (scope: CallScope) =>
  useQuery({
    ...queueCountsQuery(scope),
    refetchInterval: ({ state }) =>
      state.data?.data.mirror?.importing ? importPollIntervalMs : pollIntervalMs,
  }).data?.data
