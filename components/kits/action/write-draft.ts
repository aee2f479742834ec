import { newIdempotencyKey, readDraft, saveDraft } from '@/lib/client/drafts'
import type { WriteId } from '@/lib/operations/service-operations'

/**
 * The draft of a write. `key` is its idempotency key, renewed only after a certain refusal, so that a resend is a replay. `typed` is true
 * if the person entered something.
 */
export type WriteDraft<V> = { values: V; key: string; typed?: boolean }

/** Returns the name of a write's draft. `target` is the object's id, or a word such as `new` if the form creates an object. */
export const toDraftName = (operation: WriteId, target: string): string => `${operation}/${target}`

/** Returns the draft of this name, or a new one with its own key. */
export const loadDraft = <V>(name: string, values: V, newKey = newIdempotencyKey): WriteDraft<V> =>
  readDraft<WriteDraft<V>>(name) ?? { values, key: newKey() }

/** True if the draft has unsent entries. */
export const hasDraft = (name: string): boolean => readDraft<WriteDraft<unknown>>(name)?.typed ?? false

/** Sets and returns a new idempotency key after a certain refusal. The entries are kept. */
export function renewKey(name: string): string {
  const key = newIdempotencyKey()
  const draft = readDraft<WriteDraft<unknown>>(name)
  if (draft) saveDraft(name, { ...draft, key })
  return key
}
