import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import { type CallAnswer, call } from '@/lib/client/call'
import type { CallScope } from '@/lib/client/page-context'
import type { CallFilter } from '@/lib/operations/activity'
import type { OperationId } from '@/lib/operations/operations'
import { toQueryKey } from '@/lib/operations/query-key'
import type { Input, Output } from '@/lib/operations/registry'
import type { RecordGetId, WriteId } from '@/lib/operations/service-operations'

/** `T` is a narrower type of the response than the operation's schema. */
export const operationQuery = <K extends OperationId, T = Output<K>>(
  { environment, account }: CallScope,
  id: K,
  input: Input<K>,
) =>
  queryOptions<CallAnswer<T>>({
    queryKey: toQueryKey({ environment, account }, id, input),
    queryFn: ({ signal }) => call<K, T>(id, input, { environment, account, signal }),
  })

/** Until the service responds, the data is the record from the mirror. */
export function recordQuery<K extends RecordGetId>(context: CallScope, id: K, input: Input<K>) {
  const { environment, account } = context
  const queryKey = toQueryKey(context, id, input)
  const queryFn = async ({ client, signal }: QueryFunctionContext) => {
    const requestRecord = (live: boolean) =>
      call<K>(id, input, { environment, account, signal, live })
    if (client.getQueryData(queryKey) !== undefined) return requestRecord(true)
    const cacheMirroredRecord = (row: CallAnswer<Output<K>>) =>
      client.setQueryData<CallAnswer<Output<K>>>(queryKey, (known) => (known ? undefined : row), {
        updatedAt: 0,
      })
    const mirroredRecordPromise = requestRecord(false).then(cacheMirroredRecord, () => undefined)
    try {
      return await requestRecord(true)
    } catch (cause) {
      // The record from the mirror must be cached first, so that the screen shows it together with
      // the error.
      await mirroredRecordPromise
      throw cause
    }
  }
  return queryOptions<CallAnswer<Output<K>>>({ queryKey, queryFn })
}

/** Options of `useQuery` for the actions on one object (`payouts/<uuid>`), newest first. */
export const actionsQuery = (context: CallScope, target: string) =>
  operationQuery(context, 'actions.list', { target })

/** The signed-in person's open actions for an operation such as `customers.create`. */
export const pendingCreationsQuery = (context: CallScope, operation: WriteId) =>
  operationQuery(context, 'actions.list', { operation })

/**
 * Reads an action (Paydesk's record of a write). In the response, `action` is the action itself,
 * and `data` is the service's stored response to the write, if the write is settled.
 */
export const actionQuery = <T>(context: CallScope, id: string) =>
  operationQuery<'actions.read', T>(context, 'actions.read', { id })

/**
 * Reads the request log, newest first. `meta.total_items` is the number of matching requests, at
 * most 10,001.
 */
export const requestsQuery = (context: CallScope, filter: CallFilter & { page_size?: number }) =>
  operationQuery(context, 'requests.list', filter)
