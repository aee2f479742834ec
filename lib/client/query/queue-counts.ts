import { useQuery } from '@tanstack/react-query'
import type { CallScope } from '@/lib/client/page-context'
import { read } from './reads'

/** Milliseconds between two polls of the counts. Shorter during the first import, because people watch it grow. */
const pollEvery = 60_000
const pollWhileImporting = 2000

/** The rows that wait for the reader in each queue of a scope, the number of notifications, and the mirror's state if it lags. */
export const readQueueCounts = (scope: CallScope) => read(scope, 'queue_counts.read', {})

/** The counts of a scope, polled while the page is visible; undefined until the first response. A failed poll keeps the last ones. */
export const useQueueCounts = (scope: CallScope) =>
  useQuery({
    ...readQueueCounts(scope),
    refetchInterval: ({ state }) => (state.data?.data.mirror?.importing ? pollWhileImporting : pollEvery),
  }).data?.data
