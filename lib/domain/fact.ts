/** Something read beside a record: known with the time it was read, on its way, or not to be had with the reason why. */
export type Fact<T> = { state: 'known'; value: T; at: string } | { state: 'loading' } | { state: 'missing'; why: string }

/** One line of the checks. `unknown` is never drawn as a pass. `at` is when the value behind it was read or made; null where it has none. */
export type Check = {
  id: string
  label: string
  result: 'pass' | 'warn' | 'fail' | 'unknown' | 'loading'
  sentence: string
  at: string | null
}

/** What a check found: its result, a sentence, and when the value behind it was made, where that is not the time of reading. */
export type Finding = Pick<Check, 'result' | 'sentence'> & { at?: string | null }

/** Makes a check of a fact: `judge` is asked only when the value is known. */
export function checkOf<T>(id: string, label: string, fact: Fact<T>, judge: (value: T) => Finding): Check {
  if (fact.state === 'loading') return { id, label, result: 'loading', sentence: 'Being read…', at: null }
  if (fact.state === 'missing') return { id, label, result: 'unknown', sentence: fact.why, at: null }
  return { id, label, at: fact.at, ...judge(fact.value) }
}

/** A known fact. */
export const known = <T>(value: T, at: string): Fact<T> => ({ state: 'known', value, at })

/** A fact that cannot be had, with the reason a person reads. */
export const missing = (why: string): Fact<never> => ({ state: 'missing', why })
