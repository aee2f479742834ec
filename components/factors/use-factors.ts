'use client'

import { useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { call } from '@/lib/client/call'
import { asCallError, type CallError } from '@/lib/client/call-error'
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

/** The factors of who is at the desk, one change at a time, what came of it, and codes that were just made. */
export function useFactors(initial: Factors) {
  const { environment } = usePageContext()
  const [factors, setFactors] = useState(initial)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [failed, setFailed] = useState<CallError | null>(null)
  /** Does one thing under a name of the screen's own; null where it failed, which is told. */
  const run = async <T>(name: string, work: () => Promise<T>): Promise<T | null> => {
    setBusy(name)
    setFailed(null)
    try {
      return await work()
    } catch (cause) {
      setFailed(asCallError(cause))
      return null
    } finally {
      setBusy(null)
    }
  }
  const ask = async <K extends Id>(id: K, input: Input<K>): Promise<Output<K>> => (await call(id, input, { environment })).data
  const show = (next: Factors) => {
    setFactors(next)
    return true
  }
  const added = ({ factors: next, recovery_codes }: FactorAdded) => {
    if (recovery_codes) setCodes(recovery_codes)
    return show(next)
  }
  return { factors, codes, hideCodes: () => setCodes(null), busy, failed, run, ask, show, added }
}

export type FactorsHook = ReturnType<typeof useFactors>
