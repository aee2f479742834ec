import type { CallFilter } from '@/lib/operations/activity'
import { resourceOf } from '@/lib/operations/define'
import type { OperationId } from '@/lib/operations/operations'
import type { Input, Output } from '@/lib/operations/registry'
import type { RecordGetId, WriteId } from '@/lib/operations/service-operations'
import { type CallAnswer, call } from './call'
import type { CallScope } from './page-context'
import { queryOptions } from './use-query'

/** What is asked of the request log: its filters, calls after an instant (ISO), and how many rows at most. */
export type RequestsAsked = CallFilter & { after?: string; page_size?: number }

/** Keys begin with environment, account and resource, so that nothing of one scope is ever shown in another and a write knows what it makes stale. */
export const keyOf = <K extends OperationId>({ environment, account }: CallScope, id: K, input: Input<K>) =>
  [environment, account ?? 'platform', resourceOf(id), id, input] as const

/**
 * A read as options of `useQuery`; the data is `{ data, meta }` as `call` gives it. `load` on the server gives the same for `initialData`. `T` is for who
 * knows more of an answer than its definition says.
 */
export const read = <K extends OperationId, T = Output<K>>({ environment, account }: CallScope, id: K, input: Input<K>) =>
  queryOptions<CallAnswer<T>>({
    queryKey: keyOf({ environment, account }, id, input),
    queryFn: ({ signal }) => call<K, T>(id, input, { environment, account, signal }),
  })

/** A record of the service, and as the mirror has it until the service answers, where nothing else is shown of it. */
export function readRecord<K extends RecordGetId>(context: CallScope, id: K, input: Input<K>) {
  const live = read(context, id, input)
  return queryOptions<CallAnswer<Output<K>>>({
    ...live,
    queryFn: (asked) => {
      if (asked.show) call(id, input, { ...context, signal: asked.signal, live: false }).then(asked.show, () => {})
      return live.queryFn(asked)
    },
  })
}

/** The actions on one object (`payouts/<uuid>`), newest first. */
export const readActions = (context: CallScope, target: string) => read(context, 'actions.list', { target })

/** The reader's own actions of an operation that makes something (`customers.create`) whose outcome is still open, newest first. */
export const readPendingCreations = (context: CallScope, operation: WriteId) => read(context, 'actions.list', { operation })

/** One action as it is; the answer's `action` is the action, its `data` what a settled write answered, where that is kept. */
export const readAction = <T>(context: CallScope, id: string) => read<'actions.read', T>(context, 'actions.read', { id })

/** Asks for another check now: the same bytes under the same key. Throws `CallError` with the action while the outcome stays unknown. */
export const checkAction = (context: Pick<CallScope, 'environment'>, id: string) =>
  call('actions.check', { id }, { environment: context.environment })

/** The newest calls of the request log that match, with the count of all in `meta.total_items`; `account` narrows, and is asked for by name. */
export const readRequests = (context: CallScope, asked: RequestsAsked) => read(context, 'requests.list', asked)
