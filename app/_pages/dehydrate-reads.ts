import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query'
import type { CallAnswer } from '@/lib/client/call'
import { timeOf } from '@/lib/dates'
import type { OperationId } from '@/lib/operations/operations'
import { queryKeyOf } from '@/lib/operations/query-key'
import type { Input } from '@/lib/operations/registry'

type Answer = Pick<CallAnswer<unknown>, 'data' | 'meta'>

/** A read of the server, under the query key of its operation. */
type ServerRead = { queryKey: readonly unknown[]; answer: CallAnswer<unknown>; updatedAt: number }

/** When an answer was read (epoch milliseconds); 0 for a row of the mirror, which the browser fetches again from the service at once. */
export const readAtOf = ({ meta }: Answer): number => (meta.mirror ? 0 : (timeOf(meta.read_at) ?? Date.now()))

/** An answer of the server as a read of its operation. */
export const serverRead = <K extends OperationId>(
  scope: Parameters<typeof queryKeyOf>[0],
  id: K,
  input: Input<K>,
  answer: Answer,
  updatedAt = readAtOf(answer),
): ServerRead => ({
  queryKey: queryKeyOf(scope, id, input),
  answer: { data: answer.data, meta: answer.meta, replayed: false },
  updatedAt,
})

/** Reads of the server for a `HydrationBoundary`. The client is made here and dropped, so nothing is cached for another person. */
export function dehydrateReads(reads: readonly ServerRead[]): DehydratedState {
  const client = new QueryClient()
  for (const { queryKey, answer, updatedAt } of reads) client.setQueryData(queryKey, answer, { updatedAt })
  return dehydrate(client)
}
