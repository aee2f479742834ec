import { keepDraft, newIdempotencyKey, readDraft } from '@/lib/client/drafts'
import type { WriteId } from '@/lib/operations/service-operations'

/** A write that is being filled in. The key belongs to the draft and stays until a refusal is certain, so that a resend is a replay. */
export type WriteDraft<V> = { values: V; key: string; typed?: boolean }

/** Names the draft of a write. The target is an id, or a word if the form creates something. */
export const draftName = (operation: WriteId, target: string): string => `${operation}/${target}`

/** Returns the draft of this name, or a new one with its own key. */
export const draftOf = <V>(name: string, values: V, newKey = newIdempotencyKey): WriteDraft<V> =>
  readDraft<WriteDraft<V>>(name) ?? { values, key: newKey() }

/** True if the draft has unsent entries. */
export const hasDraft = (name: string): boolean => readDraft<WriteDraft<unknown>>(name)?.typed ?? false

/** Sets a new key after a certain refusal: the entries stay, the next try is a new request. */
export function renewKey(name: string): string {
  const key = newIdempotencyKey()
  const draft = readDraft<WriteDraft<unknown>>(name)
  if (draft) keepDraft(name, { ...draft, key })
  return key
}
