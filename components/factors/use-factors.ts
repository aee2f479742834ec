'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { type OperationRequest, useOperation } from '@/lib/client/query/writes'
import type { Input, Output } from '@/lib/operations/registry'
import type { AddFactorResult, SecondFactors } from '@/lib/operations/step-up'

type FactorOperationId =
  | 'factors.begin_passkey'
  | 'factors.add_passkey'
  | 'factors.rename_passkey'
  | 'factors.remove_passkey'
  | 'factors.begin_totp'
  | 'factors.confirm_totp'
  | 'factors.remove_totp'
  | 'factors.new_codes'

export function useFactors(initialFactors: SecondFactors) {
  const { environment } = usePageContext()
  const [factors, setFactors] = useState(initialFactors)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const factorMutation = useOperation<FactorOperationId>({ environment, account: null })
  const changeMutation = useMutation({
    mutationFn: ({ work }: { name: string; work: () => Promise<unknown> }) => work(),
  })
  /** `busy` is `name` while `work` runs. A failure resolves to null and sets `failed`. */
  const runFactorChange = <T>(name: string, work: () => Promise<T>): Promise<T | null> =>
    changeMutation.mutateAsync({ name, work }).then(
      (result) => result as T,
      () => null,
    )
  const sendRequest = async <K extends FactorOperationId>(
    operation: K,
    input: Input<K>,
  ): Promise<Output<K>> =>
    (await factorMutation.mutateAsync({ operation, input } as OperationRequest<FactorOperationId>))
      .data as Output<K>
  const showFactorsAfterAdding = ({ factors: next, recovery_codes }: AddFactorResult) => {
    if (recovery_codes) setCodes(recovery_codes)
    setFactors(next)
  }
  const pendingChangeName = changeMutation.isPending ? changeMutation.variables.name : null
  return {
    factors,
    codes,
    hideCodes: () => setCodes(null),
    busy: pendingChangeName,
    failed: changeMutation.error,
    run: runFactorChange,
    ask: sendRequest,
    show: setFactors,
    added: showFactorsAfterAdding,
  }
}

export type FactorsState = ReturnType<typeof useFactors>
