'use client'

import { type ReactNode, useEffect, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Notice } from '@/components/ui/notice'
import { rebase } from '@/lib/domain/rebase'
import { setField } from './fields'

/** What an object holds now, as the fields of its form, with the hash of the reading it comes from. */
type Standing<V> = { values: V; snapshot: string | undefined }

/**
 * Keeps the form of an object that changed meanwhile honest: fields nobody touched follow the object, what was typed stays, and the notice it gives
 * names the fields that both changed. `one` is what the object is called.
 */
export function useChangedMeanwhile<V extends FieldValues>(
  { values, snapshot }: Standing<V>,
  { form, typed }: { form: UseFormReturn<V>; typed: V },
  one: string,
): ReactNode {
  const [base, setBase] = useState<Standing<V>>({ values, snapshot })
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
      <p>Fields you did not touch now hold what the {one} holds. What you typed is as you typed it.</p>
      {conflicts.length > 0 && <p>Changed by both, yours would win: {conflicts.map(plain).join('; ')}.</p>}
    </Notice>
  )
}

const plain = (path: string) =>
  path
    .replace(/^(business|compliance)_profile\./, '')
    .replaceAll('_', ' ')
    .replaceAll('.', ', ')
