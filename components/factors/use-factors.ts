'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { type OperationRequest, useOperation } from '@/lib/client/query/writes'
import type { Input, Output } from '@/lib/operations/registry'
import type { FactorAdded, Factors } from '@/lib/operations/step-up'

type Id =
  | 'factors.begin_passkey'
  | 'factors.add_passkey'
  | 'factors.rename_passkey'
  | 'factors.remove_passkey'
  | 'factors.begin_totp'
  | 'factors.confirm_totp'
  | 'factors.remove_totp'
  | 'factors.new_codes'

/** Returns the person's factors, new recovery codes, and functions that change the factors. */
export function useFactors(initial: Factors) {
  const { environment } = usePageContext()
  const [factors, setFactors] = useState(initial)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const request = useOperation<Id>({ environment, account: null })
  const change = useMutation({ mutationFn: ({ work }: { name: string; work: () => Promise<unknown> }) => work() })
  /** Runs a change. Until it ends, `busy` is its `name`. Resolves to null if it failed; `failed` is then its error. */
  const run = <T>(name: string, work: () => Promise<T>): Promise<T | null> =>
    change.mutateAsync({ name, work }).then(
      (result) => result as T,
      () => null,
    )
  const ask = async <K extends Id>(operation: K, input: Input<K>): Promise<Output<K>> =>
    (await request.mutateAsync({ operation, input } as OperationRequest<Id>)).data as Output<K>
  const added = ({ factors: next, recovery_codes }: FactorAdded) => {
    if (recovery_codes) setCodes(recovery_codes)
    setFactors(next)
  }
  const busy = change.isPending ? change.variables.name : null
  return { factors, codes, hideCodes: () => setCodes(null), busy, failed: change.error, run, ask, show: setFactors, added }
}

export type FactorsHook = ReturnType<typeof useFactors>
