import { newIdempotencyKey, readDraft, saveDraft } from '@/lib/client/drafts'
import type { WriteId } from '@/lib/operations/service-operations'

/**
 * The draft of a write. `key` is its idempotency key, under which a request takes effect only once.
 * While the outcome of a request is unknown, the key is kept, so that a repeated request is not
 * executed twice. `typed` is true if the person entered something.
 */
export type WriteDraft<V> = { values: V; key: string; typed?: boolean }

/**
 * Returns the name of a write's draft. `target` is the object's id, or a word such as `new` if the
 * form creates an object.
 */
export const toDraftName = (operation: WriteId, target: string): string => `${operation}/${target}`

/**
 * Returns the stored draft of this name. If there is none, returns a new one with `values` and its
 * own key.
 */
export const loadDraft = <V>(name: string, values: V, newKey = newIdempotencyKey): WriteDraft<V> =>
  readDraft<WriteDraft<V>>(name) ?? { values, key: newKey() }

/** True if the draft has unsent entries. */
export const hasDraft = (name: string): boolean =>
  readDraft<WriteDraft<unknown>>(name)?.typed ?? false

/**
 * Gives the draft a new idempotency key, so that the next request is a new one, and returns the
 * key. The entries are kept.
 */
export function renewStoredDraftKey(name: string): string {
  const key = newIdempotencyKey()
  const draft = readDraft<WriteDraft<unknown>>(name)
  if (draft) saveDraft(name, { ...draft, key })
  return key
}
