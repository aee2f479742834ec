import type { UnreadableRow } from '@/lib/operations/answer'

/**
 * The result of a read whose data a record's page needs besides the record. It is loading if it has neither `data` nor `error`. `error` is
 * text for people. `unread` are the rows of a list that could not be parsed, which are missing in `data`.
 */
export type ReadResult<T> = { data?: T; at?: string; unread?: readonly UnreadableRow[]; error?: string }

export const isLoading = ({ data, error }: ReadResult<unknown>): boolean => data === undefined && error === undefined

/** One check in a list of checks. `unknown` is never shown as a pass. `at` is when the value was read or created, or null. */
export type Check = {
  id: string
  label: string
  result: 'pass' | 'warn' | 'fail' | 'unknown' | 'loading'
  sentence: string
  at: string | null
  /** The value for the check's warning (see `warnings`): minor units over a limit, a count, or a state. */
  about?: string
  /** True for an `unknown` that is normal and needs no confirmation, such as a limit that the account does not have. */
  ordinary?: true
}

/** The result of a check. `at` is when the value was created; without it, the time of the read is used. */
export type Finding = Pick<Check, 'result' | 'sentence' | 'about' | 'ordinary'> & { at?: string | null }

/** Returns a check of read data. Calls `judge` only if there is data. If rows could not be parsed, a pass becomes `unknown`. */
export function toCheck<T>(id: string, label: string, read: ReadResult<T>, judge: (data: T) => Finding): Check {
  const { data, at = null, unread = [], error } = read
  if (isLoading(read)) return { id, label, result: 'loading', sentence: 'Loading…', at: null }
  if (data === undefined) return { id, label, result: 'unknown', sentence: error ?? '', at: null }
  const check = { id, label, at, ...judge(data) }
  if (unread.length === 0 || check.result !== 'pass') return check
  return { ...check, result: 'unknown', sentence: `${check.sentence} But ${unread.length} of them could not be read.` }
}
