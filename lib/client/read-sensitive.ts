import type { Input, Output } from '@/lib/operations/registry'
import type { OperationId, rows } from '@/lib/operations/rows'
import { call } from './call'
import type { DeskScope } from './desk'
import type { CallAnswer } from './request'

/** Reads of masked data: each one needs a reason, counts, and is on record. */
export type SensitiveId = { [K in OperationId]: (typeof rows)[K] extends { sensitive: true } ? K : never }[OperationId]

/**
 * Reads what is masked elsewhere, for a reason: a code, a colon and a sentence, 20 to 300 characters. Goes past every cache; the caller keeps the
 * answer on the screen and nowhere else. Throws `CallError`: `too_many` after thirty within an hour, `invalid_input` naming `reason`.
 */
export const readSensitive = <K extends SensitiveId>(
  { environment, account }: DeskScope,
  id: K,
  input: Input<K>,
  reason: string,
): Promise<CallAnswer<Output<K>>> => call(id, input, { environment, account, reason })
