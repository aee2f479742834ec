import { useState } from 'react'
import type { Input, Output } from '@/lib/operations/registry'
import { type ServiceOperationId, serviceOperation, type WriteId } from '@/lib/operations/service-operations'
import { type CallAnswer, call } from './call'
import { asCallError, type CallError } from './call-error'
import type { CallScope } from './page-context'
import { countAgain } from './queue-counts'
import { useQueryClient } from './use-query'

type MutationOptions<T, V> = {
  mutationFn: (input: V) => Promise<T>
  /** Done after either end, and waited for. */
  onSettled?: () => Promise<unknown>
}

type MutationState<T> = { data: T | undefined; error: CallError | null; isPending: boolean }

/** A request that changes something, sent once each time it is asked for: never resent automatically, and never held back until the line is there. */
export function useMutation<T, V = void>({ mutationFn, onSettled }: MutationOptions<T, V>) {
  const [state, setState] = useState<MutationState<T>>({ data: undefined, error: null, isPending: false })
  const mutateAsync = async (input: V): Promise<T> => {
    setState({ data: undefined, error: null, isPending: true })
    try {
      const data = await mutationFn(input).finally(onSettled)
      setState({ data, error: null, isPending: false })
      return data
    } catch (cause) {
      setState({ data: undefined, error: asCallError(cause), isPending: false })
      throw cause
    }
  }
  /** As `mutateAsync`, for who reads `error` instead of catching it. */
  const mutate = (input: V): void => void mutateAsync(input).catch(() => undefined)
  return { ...state, mutate, mutateAsync }
}

/**
 * A write as a form sends it: the input, the key minted when the form opened, the review's correlation id, the hash of what was shown, and the
 * reason where the desk keeps it.
 */
type WriteRequest<K extends ServiceOperationId> = {
  input: Input<K>
  idempotencyKey: string
  correlationId: string
  snapshot?: string
  reason?: string
  warnings?: readonly string[]
}

/**
 * A write of one operation in the page's scope. Never resent automatically and never held back while offline: a paused write that fires later is
 * how money moves behind somebody's back. What the operation makes stale is read again after an error too, since only a read tells the truth.
 */
export function useWrite<K extends WriteId>(context: CallScope, id: K) {
  const client = useQueryClient()
  const stale: readonly string[] = [...(serviceOperation(id).invalidates ?? []), 'actions']
  return useMutation<CallAnswer<Output<K>>, WriteRequest<K>>({
    mutationFn: ({ input, ...request }) => call(id, input, { environment: context.environment, account: context.account, ...request }),
    onSettled: () => {
      countAgain()
      return client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === context.environment && stale.includes(String(queryKey[2])),
      })
    },
  })
}
