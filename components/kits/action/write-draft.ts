import { dropDraft, keepDraft, newIdempotencyKey, readDraft } from '@/lib/client/drafts'
import type { WriteId } from '@/lib/operations/service-operations'

/** A write that is being filled in. The key belongs to the draft: it stays until a refusal is certain, so that a resend is a replay. */
export type WriteDraft<V> = { values: V; key: string /** Whether anything was typed. */; typed?: boolean }

const nameOf = (operation: WriteId, target: string) => `${operation}/${target}`

/** The draft of a write on a target (an id, or a word for a form that makes something), or a fresh one with a key of its own. */
export function draftOf<V>(operation: WriteId, target: string, values: V): WriteDraft<V> {
  return readDraft<WriteDraft<V>>(nameOf(operation, target)) ?? { values, key: newIdempotencyKey() }
}

export const keepWrite = <V>(operation: WriteId, target: string, draft: WriteDraft<V>) => keepDraft(nameOf(operation, target), draft)

/** Whether something typed waits to be sent. */
export const hasDraft = (operation: WriteId, target: string): boolean =>
  readDraft<WriteDraft<unknown>>(nameOf(operation, target))?.typed ?? false

export const dropWrite = (operation: WriteId, target: string) => dropDraft(nameOf(operation, target))

/** After a certain refusal: what was typed stays, the next try is a new request under a new key. */
export function renewKey(operation: WriteId, target: string): string {
  const key = newIdempotencyKey()
  const kept = readDraft<WriteDraft<unknown>>(nameOf(operation, target))
  if (kept) keepWrite(operation, target, { ...kept, key })
  return key
}
