import { dropDraft, keepDraft, newIdempotencyKey, readDraft } from '@/lib/client/drafts'
import type { WriteId } from '@/lib/operations/service-operations'

/** A write that is being filled in. The key belongs to the draft and stays until a refusal is certain, so that a resend is a replay. */
export type WriteDraft<V> = { values: V; key: string; typed?: boolean }

const nameOf = (operation: WriteId, target: string) => `${operation}/${target}`

/**
 * Returns the draft of a write on a target, or a new one with its own key. The target is an id, or a word if the form creates something.
 */
export function draftOf<V>(operation: WriteId, target: string, values: V): WriteDraft<V> {
  return readDraft<WriteDraft<V>>(nameOf(operation, target)) ?? { values, key: newIdempotencyKey() }
}

export const keepWrite = <V>(operation: WriteId, target: string, draft: WriteDraft<V>) => keepDraft(nameOf(operation, target), draft)

/** True if the draft has unsent entries. */
export const hasDraft = (operation: WriteId, target: string): boolean =>
  readDraft<WriteDraft<unknown>>(nameOf(operation, target))?.typed ?? false

export const dropWrite = (operation: WriteId, target: string) => dropDraft(nameOf(operation, target))

/** Sets a new key after a certain refusal: the entries stay, the next try is a new request. */
export function renewKey(operation: WriteId, target: string): string {
  const key = newIdempotencyKey()
  const draft = readDraft<WriteDraft<unknown>>(nameOf(operation, target))
  if (draft) keepWrite(operation, target, { ...draft, key })
  return key
}
