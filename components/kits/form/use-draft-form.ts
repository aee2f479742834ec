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
import { loadOrCreateDraft, renewStoredDraftKey } from '@/components/kits/action/write-draft'
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
  const [draft] = useState(() => loadOrCreateDraft(draftName, values, newKey))
  const [key, setKey] = useState(draft.key)
  const form = useForm<V>({ resolver, defaultValues: draft.values as DefaultValues<V> })
  const formValues = useWatch({ control: form.control }) as V
  const hasTypedValues = draft.typed === true || form.formState.isDirty
  const joinedSecretNames = secret.join(' ')
  useEffect(
    () =>
      saveDraft(draftName, {
        values: clearSecretValues(formValues, joinedSecretNames),
        key,
        typed: hasTypedValues,
      }),
    [draftName, formValues, key, joinedSecretNames, hasTypedValues],
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
  const clearSecretsAndRenewKey = () => {
    renewDraftKey()
    for (const field of secret) form.setValue(field as Path<V>, '' as PathValue<V, Path<V>>)
  }
  return {
    form,
    typed: formValues,
    key,
    renew: renewDraftKey,
    startOver: clearSecretsAndRenewKey,
    drop: () => deleteDraft(draftName),
  }
}

function clearSecretValues<V extends FieldValues>(values: V, secret: string): V {
  if (secret === '') return values
  const valuesWithoutSecrets = structuredClone(values)
  for (const name of secret.split(' ')) set(valuesWithoutSecrets, name, '')
  return valuesWithoutSecrets
}
