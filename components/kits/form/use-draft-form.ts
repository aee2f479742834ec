'use client'

import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type PathValue, type Resolver, set, useForm, useWatch } from 'react-hook-form'
import { draftOf, renewKey } from '@/components/kits/action/write-draft'
import { dropDraft, keepDraft, newIdempotencyKey } from '@/lib/client/drafts'

type DraftFormOptions<V extends FieldValues> = {
  values: V
  resolver: Resolver<V>
  /** Fields that are never stored in a draft: numbers and tokens that must not outlast their form. Nested names have dots. */
  secret?: readonly string[] | undefined
  newKey?: () => string
}

/** A form whose entries and key are kept under a name until it is sent. They outlast errors, a closed panel and a lost session. */
export function useDraftForm<V extends FieldValues>(
  name: string,
  { values, resolver, secret = [], newKey = newIdempotencyKey }: DraftFormOptions<V>,
) {
  const [draft] = useState(() => draftOf(name, values, newKey))
  const [key, setKey] = useState(draft.key)
  const form = useForm<V>({ resolver, defaultValues: draft.values as DefaultValues<V> })
  const typed = useWatch({ control: form.control }) as V
  const isTyped = draft.typed === true || form.formState.isDirty
  const secretNames = secret.join(' ')
  useEffect(
    () => keepDraft(name, { values: withoutSecrets(typed, secretNames), key, typed: isTyped }),
    [name, typed, key, secretNames, isTyped],
  )
  /** Sets a new key: the write certainly failed, so the next try is a new request. */
  const renew = () => {
    const next = renewKey(name)
    setKey(next)
    return next
  }
  /** Begins a new request with the same entries. Secret fields are empty again. */
  const startOver = () => {
    renew()
    for (const field of secret) form.setValue(field as Path<V>, '' as PathValue<V, Path<V>>)
  }
  return { form, typed, key, renew, startOver, drop: () => dropDraft(name) }
}

function withoutSecrets<V extends FieldValues>(values: V, secret: string): V {
  if (secret === '') return values
  const publicValues = structuredClone(values)
  for (const name of secret.split(' ')) set(publicValues, name, '')
  return publicValues
}
