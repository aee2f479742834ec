'use client'

import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useReason } from '@/components/kits/action/use-reason'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import type { ReasonAsked, ReasonsFor } from '@/components/kits/action/with-reason'
import type { WriteFormOptions } from '@/components/kits/action/write-form-options'
import { newCorrelationId } from '@/lib/client/keys'
import { metadataFault } from '@/lib/domain/metadata-rules'
import type { CustomerValues } from './customer-values'

type Operation = 'customers.create' | 'customers.update'

type CustomerFormOptions<K extends Operation> = Pick<
  WriteFormOptions<K, CustomerValues>,
  'operation' | 'target' | 'account' | 'snapshot' | 'values' | 'schema' | 'toInput' | 'onDone'
> &
  ReasonsFor<K> & {
    rule: string | null
    /** Names on the screen, which do not belong in a reason. */
    names?: readonly (string | undefined)[]
    /** The customer is not what the form was filled from any more: it is to be read anew. */
    onChanged?: () => void
  }

const nobody: readonly undefined[] = []

/** Numbers that identify somebody: typed once, in no draft. */
const secret = ['compliance_profile.ssn', 'compliance_profile.dob', 'compliance_profile.ein']

/** What is wrong besides the operation's own fields: lines of metadata that cannot be sent as they stand. */
const faultsOf = ({ metadata }: CustomerValues): Record<string, string> =>
  metadata.some((line) => metadataFault(line, metadata) !== null) ? { metadata: 'mend the lines marked above' } : {}

/** The form of a new or a changed customer with its outcome, and why it cannot be sent. */
export function useCustomerForm<K extends Operation>({ rule, onChanged, names = nobody, ...options }: CustomerFormOptions<K>) {
  const [correlationId] = useState(newCorrelationId)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const closed = useClosed({})(options.operation, rule)
  const onOutcome = (next: Outcome | null) => {
    setOutcome(next)
    if (next?.error?.code === 'changed') onChanged?.()
  }
  // Which of the two it is hangs on the operation, which is open in here.
  const { reasons } = options as { reasons?: ReasonAsked['reasons'] }
  const ready = () => reason?.warnings?.allTicked() ?? true
  const write = useWriteForm<K, CustomerValues>({ ...options, secret, correlationId, check: faultsOf, ready, onOutcome })
  const reason: ReasonAsked | null = useReason(reasons, write, names)
  // The library keeps the type of nested names only for a form whose values are known by name.
  const form = write.form as unknown as UseFormReturn<CustomerValues>
  return { ...write, form, reason, outcome, setOutcome, closed }
}
