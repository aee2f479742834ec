import type { UnreadableRow } from '@/lib/operations/answer'

/**
 * The result of a read in addition to a record. Without `data` and `error` it is loading. `error` is the reason for people. `unread` are
 * rows of a list that could not be parsed; `data` is then incomplete.
 */
export type ReadResult<T> = { data?: T; at?: string; unread?: readonly UnreadableRow[]; error?: string }

export const isLoading = ({ data, error }: ReadResult<unknown>): boolean => data === undefined && error === undefined

/** One line of the checks. `unknown` is never shown as a pass. `at` is when the value was read or created, or null. */
export type Check = {
  id: string
  label: string
  result: 'pass' | 'warn' | 'fail' | 'unknown' | 'loading'
  sentence: string
  at: string | null
  /** The detail of its warning (see `warnings`): minor units over a limit, a count, or a state. */
  about?: string
  /** An `unknown` that is normal and needs no confirmation, such as a limit the account does not have. */
  ordinary?: true
}

/** The result of a check. `at` is when the value was created, if not when it was read. */
export type Finding = Pick<Check, 'result' | 'sentence' | 'about' | 'ordinary'> & { at?: string | null }

/** Makes a check of a read. Calls `judge` only if there is data. With unread rows a pass becomes `unknown`. */
export function checkOf<T>(id: string, label: string, read: ReadResult<T>, judge: (data: T) => Finding): Check {
  const { data, at = null, unread = [], error } = read
  if (isLoading(read)) return { id, label, result: 'loading', sentence: 'Loading…', at: null }
  if (data === undefined) return { id, label, result: 'unknown', sentence: error ?? '', at: null }
  const found = { id, label, at, ...judge(data) }
  if (unread.length === 0 || found.result !== 'pass') return found
  return { ...found, result: 'unknown', sentence: `${found.sentence} But ${unread.length} of them could not be read.` }
}
