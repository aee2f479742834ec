import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import { type CallAnswer, call } from '@/lib/client/call'
import type { CallScope } from '@/lib/client/page-context'
import type { CallFilter } from '@/lib/operations/activity'
import type { OperationId } from '@/lib/operations/operations'
import { queryKeyOf } from '@/lib/operations/query-key'
import type { Input, Output } from '@/lib/operations/registry'
import type { RecordGetId, WriteId } from '@/lib/operations/service-operations'

/**
 * Options of `useQuery` for a read operation. The data is `{ data, meta }`, as `call` returns it. `T` narrows the response type beyond the
 * operation's schema.
 */
export const read = <K extends OperationId, T = Output<K>>({ environment, account }: CallScope, id: K, input: Input<K>) =>
  queryOptions<CallAnswer<T>>({
    queryKey: queryKeyOf({ environment, account }, id, input),
    queryFn: ({ signal }) => call<K, T>(id, input, { environment, account, signal }),
  })

/** Options of `useQuery` for a record of the service. Until the service responds, the data is the row of the mirror. */
export function readRecord<K extends RecordGetId>(context: CallScope, id: K, input: Input<K>) {
  const { environment, account } = context
  const queryKey = queryKeyOf(context, id, input)
  const queryFn = async ({ client, signal }: QueryFunctionContext) => {
    const request = (live: boolean) => call<K>(id, input, { environment, account, signal, live })
    if (client.getQueryData(queryKey) !== undefined) return request(true)
    const showRow = (row: CallAnswer<Output<K>>) =>
      client.setQueryData<CallAnswer<Output<K>>>(queryKey, (known) => (known ? undefined : row), { updatedAt: 0 })
    const mirrored = request(false).then(showRow, () => undefined)
    try {
      return await request(true)
    } catch (cause) {
      // The row stays on the screen beside the error.
      await mirrored
      throw cause
    }
  }
  return queryOptions<CallAnswer<Output<K>>>({ queryKey, queryFn })
}

/** The actions on one object (`payouts/<uuid>`), newest first. */
export const readActions = (context: CallScope, target: string) => read(context, 'actions.list', { target })

/** The reader's own open actions of an operation that creates something (`customers.create`), newest first. */
export const readPendingCreations = (context: CallScope, operation: WriteId) => read(context, 'actions.list', { operation })

/** One action. The response contains it as `action`, and the response of a settled write as `data`, if that is kept. */
export const readAction = <T>(context: CallScope, id: string) => read<'actions.read', T>(context, 'actions.read', { id })

/** The newest calls of the request log that match, with the count of all in `meta.total_items`; `account` narrows them. */
export const readRequests = (context: CallScope, asked: CallFilter & { page_size?: number }) => read(context, 'requests.list', asked)
