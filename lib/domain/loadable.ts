import type { UnreadableRow } from '@/lib/operations/answer'

/**
 * Something read beside a record: known with the time it was read, on its way, or not to be had with the reason why. `unread` are the rows of a list
 * that came and could not be read: what the others say is not the whole then.
 */
export type Loadable<T> =
  | { state: 'known'; value: T; at: string; unread?: readonly UnreadableRow[] }
  | { state: 'loading' }
  | { state: 'missing'; why: string }

/** One line of the checks. `unknown` is never drawn as a pass. `at` is when the value behind it was read or made; null where it has none. */
export type Check = {
  id: string
  label: string
  result: 'pass' | 'warn' | 'fail' | 'unknown' | 'loading'
  sentence: string
  at: string | null
  /** What a warning of it names (see `warnings`): minor units over a limit, how many, a state. */
  about?: string
  /** An unknown that is the ordinary state and no reason to stop, such as a limit the account does not have. */
  ordinary?: true
}

/** What a check found: its result, a sentence, and when the value behind it was made, where that is not the time of reading. */
export type Finding = Pick<Check, 'result' | 'sentence' | 'about' | 'ordinary'> & { at?: string | null }

/** Makes a check of a loadable value: `judge` is asked only when the value is known. Where rows of it could not be read, nothing passes. */
export function checkOf<T>(id: string, label: string, loadable: Loadable<T>, judge: (value: T) => Finding): Check {
  if (loadable.state === 'loading') return { id, label, result: 'loading', sentence: 'Loading…', at: null }
  if (loadable.state === 'missing') return { id, label, result: 'unknown', sentence: loadable.why, at: null }
  const found = { id, label, at: loadable.at, ...judge(loadable.value) }
  if (!loadable.unread?.length || found.result !== 'pass') return found
  const unread = loadable.unread.length === 1 ? '1 of them' : `${loadable.unread.length} of them`
  return { ...found, result: 'unknown', sentence: `${found.sentence} But ${unread} could not be read.` }
}

export const known = <T>(value: T, at: string, unread?: readonly UnreadableRow[]): Loadable<T> => ({
  state: 'known',
  value,
  at,
  ...(unread?.length ? { unread } : {}),
})

/** A value that cannot be had, with the reason a person reads. */
export const missing = (why: string): Loadable<never> => ({ state: 'missing', why })
