'use client'

import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type PathValue, type Resolver, set, useForm, useWatch } from 'react-hook-form'
import { loadDraft, renewKey } from '@/components/kits/action/write-draft'
import { deleteDraft, newIdempotencyKey, saveDraft } from '@/lib/client/drafts'

type DraftFormOptions<V extends FieldValues> = {
  values: V
  resolver: Resolver<V>
  /** Fields that are not stored in the draft, such as account numbers and tokens. The name of a nested field contains dots. */
  secret?: readonly string[] | undefined
  newKey?: () => string
}

/** Returns a form whose entries and key are stored as a draft (`name`) until it is sent, even if its panel or the session ends. */
export function useDraftForm<V extends FieldValues>(
  name: string,
  { values, resolver, secret = [], newKey = newIdempotencyKey }: DraftFormOptions<V>,
) {
  const [draft] = useState(() => loadDraft(name, values, newKey))
  const [key, setKey] = useState(draft.key)
  const form = useForm<V>({ resolver, defaultValues: draft.values as DefaultValues<V> })
  const typed = useWatch({ control: form.control }) as V
  const isTyped = draft.typed === true || form.formState.isDirty
  const secretNames = secret.join(' ')
  useEffect(
    () => saveDraft(name, { values: removeSecrets(typed, secretNames), key, typed: isTyped }),
    [name, typed, key, secretNames, isTyped],
  )
  /** Sets and returns a new idempotency key after a certain refusal: the next request is a new one. */
  const renewDraftKey = () => {
    const next = renewKey(name)
    setKey(next)
    return next
  }
  /** Begins a new request with the same entries. Secret fields are empty again. */
  const startOver = () => {
    renewDraftKey()
    for (const field of secret) form.setValue(field as Path<V>, '' as PathValue<V, Path<V>>)
  }
  return { form, typed, key, renew: renewDraftKey, startOver, drop: () => deleteDraft(name) }
}

function removeSecrets<V extends FieldValues>(values: V, secret: string): V {
  if (secret === '') return values
  const publicValues = structuredClone(values)
  for (const name of secret.split(' ')) set(publicValues, name, '')
  return publicValues
}
