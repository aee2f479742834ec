'use client'

import { type ReactNode, useEffect, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useRecordChangeSources } from '@/components/kits/action/outcome'
import { LatestChangeText } from '@/components/kits/action/outcome-panel'
import { Notice } from '@/components/ui/notice'
import { rebaseFormValues } from '@/lib/domain/rebase'
import type { ActionView } from '@/lib/operations/answer'
import { setFieldValue } from './fields'

/**
 * `snapshot`: a hash of the object as it was read. `readAt`: the time of that read (ISO). `one`: what
 * notices call the object, for example `customer`.
 */
type EditedRecordState<V> = {
  values: V
  snapshot: string | undefined
  readAt?: string | undefined
  one?: string
}

/**
 * Merges changes of the object into its open form: unedited fields take the new values, edited
 * fields keep theirs. Returns a notice with the author and the edited fields that also changed.
 * Without `one` (the object's noun), nothing is merged.
 */
export function useMergedChangesNotice<V extends FieldValues>(
  { values, snapshot, readAt, one }: EditedRecordState<V>,
  { form, typed }: { form: UseFormReturn<V>; typed: V },
  actions: readonly ActionView[],
): ReactNode {
  const [base, setBase] = useState({ values, snapshot })
  const changeSources = useRecordChangeSources(readAt, actions)
  const [conflicts, setConflicts] = useState<readonly string[] | null>(null)
  useEffect(() => {
    if (one === undefined || base.snapshot === snapshot) return
    const { follow, conflicts: conflictingFields } = rebaseFormValues(base.values, values, typed)
    for (const { path, value } of follow) setFieldValue(form, path as Path<V>, value as never)
    setBase({ values, snapshot })
    setConflicts(conflictingFields)
  }, [one, values, snapshot, base, form, typed])
  if (conflicts === null) return null
  return (
    <Notice tone="held" role="status" title={`The ${one} changed while this form was open`}>
      <LatestChangeText happened={changeSources} />
      <p>
        Fields you did not edit now show the new values of the {one}. Your entries are unchanged.
      </p>
      {conflicts.length > 0 && (
        <p>
          Changed in both places, your values would replace the others:{' '}
          {conflicts.map(formatFieldName).join('; ')}.
        </p>
      )}
    </Notice>
  )
}

const formatFieldName = (path: string) =>
  path
    .replace(/^(business|compliance)_profile\./, '')
    .replaceAll('_', ' ')
    .replaceAll('.', ', ')

/**
 * Returns the snapshot hash to send. The server refuses a write if the object no longer has this
 * hash. If `isFixed`, the hash is the one from when the form opened, even if the record was
 * refetched since: a decision must not depend on a change that the person has not noticed. Call
 * `release` after a refusal has reported the change: the next write then sends the current hash.
 */
export function useInitialSnapshot(
  currentSnapshot: string | undefined,
  isFixed: boolean,
): { snapshot: string | undefined; release: () => void } {
  const [initialSnapshot, setInitialSnapshot] = useState(currentSnapshot)
  const [isReleased, setReleased] = useState(false)
  if (isReleased && initialSnapshot !== currentSnapshot) {
    setInitialSnapshot(currentSnapshot)
    setReleased(false)
  }
  return { snapshot: isFixed ? initialSnapshot : currentSnapshot, release: () => setReleased(true) }
}
