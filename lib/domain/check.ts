import type { UnreadableRow } from '@/lib/operations/answer'

/**
 * The result of a read that the page of a record makes in addition to the record. While the read is
 * pending, it has neither `data` nor `error`. `error` is a text for people. `unread` has the rows
 * of a list that could not be parsed; `data` does not contain them.
 */
export type ReadResult<T> = {
  data?: T
  at?: string
  unread?: readonly UnreadableRow[]
  error?: string
}

export const isLoading = ({ data, error }: ReadResult<unknown>): boolean =>
  data === undefined && error === undefined

/**
 * One row in the list of checks of a record. `unknown` is never shown as a pass. `at` is when the
 * checked value was read or created.
 */
export type Check = {
  id: string
  label: string
  result: 'pass' | 'warn' | 'fail' | 'unknown' | 'loading'
  sentence: string
  at: string | null
  /**
   * The value in the warning that follows from the check (`warnings.ts`): minor units over a limit,
   * a count, or a status.
   */
  about?: string
  /**
   * True for an `unknown` that is normal and needs no confirmation, such as a limit that the
   * account does not have.
   */
  ordinary?: true
}

/**
 * The result of a check. `at` is when the checked value was created. If it is missing, the check
 * shows the time of the read.
 */
export type Finding = Pick<Check, 'result' | 'sentence' | 'about' | 'ordinary'> & {
  at?: string | null
}

/**
 * Returns the check of the data of a read. Calls `judge` only if there is data. If rows could not
 * be parsed, a pass becomes `unknown`.
 */
export function toCheck<T>(
  id: string,
  label: string,
  read: ReadResult<T>,
  judge: (data: T) => Finding,
): Check {
  const { data, at = null, unread = [], error } = read
  if (isLoading(read)) return { id, label, result: 'loading', sentence: 'Loading…', at: null }
  if (data === undefined) return { id, label, result: 'unknown', sentence: error ?? '', at: null }
  const check = { id, label, at, ...judge(data) }
  if (unread.length === 0 || check.result !== 'pass') return check
  return {
    ...check,
    result: 'unknown',
    sentence: `${check.sentence} But ${unread.length} of them could not be read.`,
  }
}
