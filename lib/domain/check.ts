import type { UnreadableRow } from '@/lib/operations/answer'

/** While pending it has neither `data` nor `error`. `unread`: rows that could not be parsed. */
export type ReadResult<T> = {
  data?: T
  at?: string
  unread?: readonly UnreadableRow[]
  error?: string
}

export const isLoading = ({ data, error }: ReadResult<unknown>): boolean =>
  data === undefined && error === undefined

/** `unknown` is never shown as a pass. `at` is when the checked value was read or created. */
export type Check = {
  id: string
  label: string
  result: 'pass' | 'warn' | 'fail' | 'unknown' | 'loading'
  sentence: string
  at: string | null
  /** For the warning of the check: minor units over a limit, a count, or a status. */
  about?: string
  /** An `unknown` that is normal and needs no confirmation, such as a limit the account lacks. */
  ordinary?: true
}

/** Without `at`, the check shows the time of the read. */
export type CheckFinding = Pick<Check, 'result' | 'sentence' | 'about' | 'ordinary'> & {
  at?: string | null
}

/** Calls `judge` only if there is data. If rows could not be parsed, a pass becomes `unknown`. */
export function toCheck<T>(
  id: string,
  label: string,
  read: ReadResult<T>,
  judge: (data: T) => CheckFinding,
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
