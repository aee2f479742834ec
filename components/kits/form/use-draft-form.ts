'use client'

import { useEffect, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type Resolver,
  set,
  useForm,
  useWatch,
} from 'react-hook-form'
import { loadDraft, renewStoredDraftKey } from '@/components/kits/action/write-draft'
import { createIdempotencyKey, deleteDraft, saveDraft } from '@/lib/client/drafts'

type DraftFormOptions<V extends FieldValues> = {
  values: V
  resolver: Resolver<V>
  /**
   * Names of fields that are not stored in the draft, such as account numbers and tokens. A nested
   * field is a dotted path.
   */
  secret?: readonly string[] | undefined
  newKey?: () => string
}

/**
 * Returns a form whose entries and idempotency key are kept as a named draft in the page's memory.
 * The draft survives when the form closes or the session ends. Call `drop`, which deletes it, after
 * the request succeeded.
 */
export function useDraftForm<V extends FieldValues>(
  draftName: string,
  { values, resolver, secret = [], newKey = createIdempotencyKey }: DraftFormOptions<V>,
) {
  const [draft] = useState(() => loadDraft(draftName, values, newKey))
  const [key, setKey] = useState(draft.key)
  const form = useForm<V>({ resolver, defaultValues: draft.values as DefaultValues<V> })
  const formValues = useWatch({ control: form.control }) as V
  const isTyped = draft.typed === true || form.formState.isDirty
  const joinedSecretNames = secret.join(' ')
  useEffect(
    () =>
      saveDraft(draftName, {
        values: removeSecrets(formValues, joinedSecretNames),
        key,
        typed: isTyped,
      }),
    [draftName, formValues, key, joinedSecretNames, isTyped],
  )
  /**
   * Called after an error which proves that the write was not executed: with the same key, the next
   * request would only return that error again.
   */
  const renewDraftKey = () => {
    const renewedKey = renewStoredDraftKey(draftName)
    setKey(renewedKey)
    return renewedKey
  }
  const startOver = () => {
    renewDraftKey()
    for (const field of secret) form.setValue(field as Path<V>, '' as PathValue<V, Path<V>>)
  }
  return {
    form,
    typed: formValues,
    key,
    renew: renewDraftKey,
    startOver,
    drop: () => deleteDraft(draftName),
  }
}

function removeSecrets<V extends FieldValues>(values: V, secret: string): V {
  if (secret === '') return values
  const publicValues = structuredClone(values)
  for (const name of secret.split(' ')) set(publicValues, name, '')
  return publicValues
}
