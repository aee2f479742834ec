import { createIdempotencyKey, readDraft, saveDraft } from '@/lib/client/drafts'
import type { WriteId } from '@/lib/operations/service-operations'

/**
 * `key` is the idempotency key. It is kept while an outcome is unknown, so that a repeated request
 * is not executed twice. `typed`: the person entered something.
 */
export type WriteDraft<V> = { values: V; key: string; typed?: boolean }

/** `target` is the object's id, or a word such as `new` if the form creates an object. */
export const toDraftName = (operation: WriteId, target: string): string => `${operation}/${target}`

export const loadOrCreateDraft = <V>(
  name: string,
  values: V,
  newKey = createIdempotencyKey,
): WriteDraft<V> => readDraft<WriteDraft<V>>(name) ?? { values, key: newKey() }

/** True if the draft has unsent entries. */
export const hasTypedDraft = (name: string): boolean =>
  readDraft<WriteDraft<unknown>>(name)?.typed ?? false

/**
 * Gives a draft a new idempotency key and returns the key, so that the next request does not repeat
 * the last one. The entries are kept.
 */
export function renewStoredDraftKey(name: string): string {
  const key = createIdempotencyKey()
  const draft = readDraft<WriteDraft<unknown>>(name)
  if (draft) saveDraft(name, { ...draft, key })
  return key
}
