import type { UnreadableRow } from '@/lib/operations/answer'

/** A pending read has neither `data` nor `error`. `unread`: rows that could not be parsed. */
export type ReadResult<T> = {
  data?: T
  at?: string
  unread?: readonly UnreadableRow[]
  error?: string
}

export const isLoading = ({ data, error }: ReadResult<unknown>): boolean =>
  data === undefined && error === undefined

/** `unknown` is never shown as a pass. `at` is when the checked value was read or created. */
export type CheckResult = {
  id: string
  label: string
  result: 'pass' | 'warn' | 'fail' | 'unknown' | 'loading'
  sentence: string
  at: string | null
  /** The detail of the check's warning: an amount in minor units, a count, or a status. */
  about?: string
  /**
   * Set if `unknown` is normal and needs no confirmation, for example because the account has no
   * such limit.
   */
  ordinary?: true
}

/** Without `at`, the check shows the time of the read. */
export type CheckFinding = Pick<CheckResult, 'result' | 'sentence' | 'about' | 'ordinary'> & {
  at?: string | null
}

/** Calls `judge` only if there is data. If rows could not be parsed, a pass becomes `unknown`. */
export function toCheckResult<T>(
  id: string,
  label: string,
  read: ReadResult<T>,
  judge: (data: T) => CheckFinding,
): CheckResult {
  const { data, at = null, unread = [], error } = read
  if (isLoading(read)) return { id, label, result: 'loading', sentence: 'Loading…', at: null }
  if (data === undefined) return { id, label, result: 'unknown', sentence: error ?? '', at: null }
  const checkResult = { id, label, at, ...judge(data) }
  if (unread.length === 0 || checkResult.result !== 'pass') return checkResult
  return {
    ...checkResult,
    result: 'unknown',
    sentence: `${checkResult.sentence} But ${unread.length} of them could not be read.`,
  }
}
