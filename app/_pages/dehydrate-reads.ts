import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query'
import type { CallAnswer } from '@/lib/client/call'
import { parseTime } from '@/lib/dates'
import type { OperationId } from '@/lib/operations/operations'
import { toQueryKey } from '@/lib/operations/query-key'
import type { Input } from '@/lib/operations/registry'

type AnswerDataAndMeta = Pick<CallAnswer<unknown>, 'data' | 'meta'>

type PrefetchedRead = {
  queryKey: readonly unknown[]
  answer: CallAnswer<unknown>
  updatedAt: number
}

/**
 * Returns when the data was read, in epoch milliseconds. Returns 0 for a record from the mirror
 * (our copy of the service's objects), so that the browser considers it stale and fetches it from
 * the service at once.
 */
export const toReadTimeMs = ({ meta }: AnswerDataAndMeta): number =>
  meta.mirror ? 0 : (parseTime(meta.read_at) ?? Date.now())

export const buildPrefetchedRead = <K extends OperationId>(
  scope: Parameters<typeof toQueryKey>[0],
  id: K,
  input: Input<K>,
  answer: AnswerDataAndMeta,
  updatedAt = toReadTimeMs(answer),
): PrefetchedRead => ({
  queryKey: toQueryKey(scope, id, input),
  answer: { data: answer.data, meta: answer.meta, replayed: false },
  updatedAt,
})

/** Creates a query client per call: a shared one could send one person's data to another. */
export function dehydrateReads(reads: readonly PrefetchedRead[]): DehydratedState {
  const client = new QueryClient()
  for (const { queryKey, answer, updatedAt } of reads)
    client.setQueryData(queryKey, answer, { updatedAt })
  return dehydrate(client)
}
