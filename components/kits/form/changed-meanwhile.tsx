'use client'

import { type ReactNode, useEffect, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useHappened } from '@/components/kits/action/outcome'
import { ChangedLine } from '@/components/kits/action/outcome-panel'
import { Notice } from '@/components/ui/notice'
import { rebase } from '@/lib/domain/rebase'
import type { ActionView } from '@/lib/operations/answer'
import { setField } from './fields'

/** The object's current values as fields of its form, with the hash and the time (ISO) of the read. */
type Current<V> = { values: V; snapshot: string | undefined; readAt: string | undefined }

/**
 * Merges changes of the object into its open form. Untouched fields take the new values, typed ones stay. Returns a notice with the author
 * of the change and the fields that both changed. `one` is the object's noun, `actions` are Paydesk's actions on it.
 */
export function useChangedMeanwhile<V extends FieldValues>(
  { values, snapshot, readAt }: Current<V>,
  { form, typed }: { form: UseFormReturn<V>; typed: V },
  { one, actions }: { one: string; actions: readonly ActionView[] },
): ReactNode {
  const [base, setBase] = useState({ values, snapshot })
  const happened = useHappened(readAt, actions)
  const [conflicts, setConflicts] = useState<readonly string[] | null>(null)
  useEffect(() => {
    if (base.snapshot === snapshot) return
    const { follow, conflicts: named } = rebase(base.values, values, typed)
    for (const { path, value } of follow) setField(form, path as Path<V>, value as never)
    setBase({ values, snapshot })
    setConflicts(named)
  }, [values, snapshot, base, form, typed])
  if (conflicts === null) return null
  return (
    <Notice tone="held" role="status" title={`The ${one} changed while this form was open`}>
      <ChangedLine happened={happened} />
      <p>Fields you did not edit now show the new values of the {one}. Your entries are unchanged.</p>
      {conflicts.length > 0 && <p>Changed in both places, your values would replace the others: {conflicts.map(fieldText).join('; ')}.</p>}
    </Notice>
  )
}

const fieldText = (path: string) =>
  path
    .replace(/^(business|compliance)_profile\./, '')
    .replaceAll('_', ' ')
    .replaceAll('.', ', ')
