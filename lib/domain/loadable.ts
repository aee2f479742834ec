import type { UnreadableRow } from '@/lib/operations/answer'

/**
 * A value read in addition to a record: known, loading, or missing with the reason. `unread` are rows of a list that could not be parsed;
 * the known rows are then incomplete.
 */
export type Loadable<T> =
  | { state: 'known'; value: T; at: string; unread?: readonly UnreadableRow[] }
  | { state: 'loading' }
  | { state: 'missing'; why: string }

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

/** Makes a check of a loadable value. Calls `judge` only for a known value. With unread rows a pass becomes `unknown`. */
export function checkOf<T>(id: string, label: string, loadable: Loadable<T>, judge: (value: T) => Finding): Check {
  if (loadable.state === 'loading') return { id, label, result: 'loading', sentence: 'Loading…', at: null }
  if (loadable.state === 'missing') return { id, label, result: 'unknown', sentence: loadable.why, at: null }
  const found = { id, label, at: loadable.at, ...judge(loadable.value) }
  if (!loadable.unread?.length || found.result !== 'pass') return found
  const unread = loadable.unread.length === 1 ? '1 of them' : `${loadable.unread.length} of them`
  return { ...found, result: 'unknown', sentence: `${found.sentence} But ${unread} could not be read.` }
}

export const knownValue = <T>(value: T, at: string, unread?: readonly UnreadableRow[]): Loadable<T> => ({
  state: 'known',
  value,
  at,
  ...(unread?.length ? { unread } : {}),
})

/** A missing value, with the reason shown to people. */
export const missing = (why: string): Loadable<never> => ({ state: 'missing', why })
