import { useMutation } from '@tanstack/react-query'
import { type CallAnswer, type CallOptions, call } from '@/lib/client/call'
import type { CallScope } from '@/lib/client/page-context'
import type { OperationId } from '@/lib/operations/operations'
import type { Input, Output } from '@/lib/operations/registry'

type SingleOperationRequest<K extends OperationId> = { operation: K; input: Input<K> } & Omit<
  CallOptions,
  'environment' | 'account' | 'signal'
>

/** A request of one of several operations. Its input has the type of its operation. */
export type OperationRequest<K extends OperationId> = {
  [Each in K]: SingleOperationRequest<Each>
}[K]

/**
 * For writes, and for reads whose response must not be cached. `mutateAsync` resolves after the
 * refetch of the reads that the operation made stale (`MutationCache` in `client.ts`).
 */
export const useOperation = <K extends OperationId>({ environment, account }: CallScope) =>
  useMutation({
    mutationFn: ({
      operation,
      input,
      ...request
    }: OperationRequest<K>): Promise<CallAnswer<Output<K>>> =>
      call<K>(operation, input, { environment, account, ...request }),
    meta: { environment },
  })
