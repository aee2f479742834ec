import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallFilter, LoggedCall } from '@/lib/operations/activity'
import type { ActionView } from '@/lib/operations/answer'
import type { Resource } from '@/lib/operations/define'
import type { Input, Output } from '@/lib/operations/registry'
import { type OperationId, type ReadId, resourceOf, rowOf, type WriteId } from '@/lib/operations/rows'
import { accountOfApiPath, actionApiPath, actionsApiPath, makingsApiPath, requestsApiPath } from '@/lib/routes'
import { call } from './call'
import type { CallError } from './call-error'
import type { DeskScope } from './desk'
import { type CallAnswer, request } from './request'

/** Where an object's account was looked for: `account` is null where it was not found, `complete` says whether every account was asked. */
export type FoundAccount = { account: string | null; searched: number; complete: boolean }

/**
 * A write as a form sends it: the input, the key minted when the form opened, the review's correlation id, the hash of what was shown, and the
 * reason where the desk keeps it.
 */
export type WriteRequest<K extends OperationId> = {
  input: Input<K>
  idempotencyKey: string
  correlationId: string
  snapshot?: string
  reason?: string
}

/** What is asked of the request log: its filters, an account (`acct_…`), calls after an instant (ISO), and how many rows at most. */
export type RequestsAsked = CallFilter & { account?: string; after?: string; page_size?: number }

/** Keys begin with environment and account, so that nothing of one scope is ever shown in another. */
const scopeKey = ({ environment, account }: DeskScope) => [environment, account ?? 'platform'] as const

/** A read as react-query options; the data is `{ data, meta }` as `call` gives it. `load` on the server gives the same for `initialData`. */
export const read = <K extends ReadId>(desk: DeskScope, id: K, input: Input<K>) =>
  queryOptions<CallAnswer<Output<K>>, CallError>({
    queryKey: [...scopeKey(desk), resourceOf(id), id, input],
    queryFn: ({ signal }) => call(id, input, { environment: desk.environment, account: desk.account, signal }),
  })

/** The actions on one object (`payouts/<uuid>`), newest first. */
export const readActions = (desk: DeskScope, target: string) =>
  queryOptions<CallAnswer<ActionView[]>, CallError>({
    queryKey: [...scopeKey(desk), 'actions', target],
    queryFn: ({ signal }) => request(actionsApiPath(desk.environment, target), { method: 'GET', signal }),
  })

/** The reader's own actions of an operation that makes something (`customers.create`) whose outcome is still open, newest first. */
export const readMakings = (desk: DeskScope, operation: WriteId) =>
  queryOptions<CallAnswer<ActionView[]>, CallError>({
    queryKey: [...scopeKey(desk), 'actions', 'making', operation],
    queryFn: ({ signal }) => request(makingsApiPath(desk.environment, operation, desk.account), { method: 'GET', signal }),
  })

/** One action as it stands; the answer's `action` is the action, its `data` what a settled write answered, where that is kept. */
export const readAction = <T>(desk: DeskScope, id: string) =>
  queryOptions<CallAnswer<T>, CallError>({
    queryKey: [...scopeKey(desk), 'actions', 'one', id],
    queryFn: ({ signal }) => request(actionApiPath(id), { method: 'GET', signal }),
  })

/** Asks for another check now: the same bytes under the same key. Throws `CallError` with the action while the outcome stays unknown. */
export const checkAction = <T>(id: string): Promise<CallAnswer<T>> => request(actionApiPath(id), { method: 'POST' })

/** The newest calls of the request log that match, with the count of all in `meta.total_items`; `account` narrows, and is asked for by name. */
export const readRequests = (desk: Pick<DeskScope, 'environment'>, asked: RequestsAsked) =>
  queryOptions<CallAnswer<LoggedCall[]>, CallError>({
    queryKey: [desk.environment, 'desk', 'requests', asked],
    queryFn: ({ signal }) => request(requestsApiPath(desk.environment, asked), { method: 'GET', signal }),
  })

/** Finds the account an object belongs to, for a write out of the whole-platform scope. */
export const readAccountOf = (desk: DeskScope, resource: Resource, id: string) =>
  queryOptions<CallAnswer<FoundAccount>, CallError>({
    queryKey: [...scopeKey(desk), 'account-of', resource, id],
    queryFn: ({ signal }) => request(accountOfApiPath(desk.environment, resource, id), { method: 'GET', signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/**
 * A write of one operation in the desk's scope. Never resent by itself and never held back while offline: a paused write that fires later is
 * how money moves behind somebody's back. What the operation makes stale is read again after an error too, since only a read tells the truth.
 */
export function useWrite<K extends WriteId>(desk: DeskScope, id: K) {
  const client = useQueryClient()
  const stale: readonly string[] = [...(rowOf(id).invalidates ?? []), 'actions']
  return useMutation<CallAnswer<Output<K>>, CallError, WriteRequest<K>>({
    mutationFn: ({ input, ...request }) => call(id, input, { environment: desk.environment, account: desk.account, ...request }),
    retry: 0,
    networkMode: 'always',
    gcTime: 0,
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === desk.environment && stale.includes(String(queryKey[2])) }),
  })
}
