import { limitNames } from '@/lib/operations/enumerations'
import { type LimitName, type LimitSet, limitText, limitWords } from './limit-words'

/** A change of a limit beyond this many times what it was asks for a sentence of its own (product 4.5). */
export const jumpFactor = 3

/** One limit that would change. `times` is asked over current, null where there was nothing to compare with. */
export type LimitChange = { name: LimitName; from: number | undefined; to: number; times: number | null }

/** What a wish for other limits comes to: what would change, what makes no sense, what is a large step. */
export type LimitFindings = { changes: LimitChange[]; faults: Partial<Record<LimitName, string>>; jumps: LimitChange[] }

const ladder: readonly (readonly [LimitName, LimitName])[] = [
  ['max_amount', 'daily_amount'],
  ['daily_amount', 'monthly_amount'],
  ['max_amount', 'monthly_amount'],
]

/** The largest number the service takes, for amounts in cents and for counts (provider facts 2.19). */
const most = 2_147_483_647

function faultOf(name: LimitName, value: number): string | null {
  if (!Number.isInteger(value)) return limitWords[name].counts ? 'must be a whole number' : 'must be an amount like 5,000.00'
  if (value <= 0) return 'must be more than zero'
  return value > most ? `must be at most ${limitText(name, most)}` : null
}

/** A smaller span may not allow more than a larger one. The fault stands at the field that was changed, at the smaller span if both were. */
function crossedFault(asked: LimitSet, after: LimitSet, [less, more]: readonly [LimitName, LimitName]): [LimitName, string] | null {
  const [small, large] = [after[less], after[more]]
  if (small === undefined || large === undefined || small <= large) return null
  if (asked[less] !== undefined) return [less, `must not be more than ${limitText(more, large)}, the limit ${limitWords[more].span}`]
  return asked[more] === undefined ? null : [more, `must not be less than ${limitText(less, small)}, the limit ${limitWords[less].span}`]
}

function faultsOf(current: LimitSet, asked: LimitSet): LimitFindings['faults'] {
  const faults: LimitFindings['faults'] = {}
  for (const name of limitNames) {
    const value = asked[name]
    const fault = value === undefined ? null : faultOf(name, value)
    if (fault) faults[name] = fault
  }
  const after = { ...current, ...asked }
  for (const pair of ladder) {
    const [name, fault] = crossedFault(asked, after, pair) ?? []
    if (name && fault) faults[name] ??= fault
  }
  return faults
}

/** What is asked for and differs from what is in force: this alone is sent, so that nothing else is pinned to an old value by the way. */
export const changedOnly = (current: LimitSet, asked: LimitSet): LimitSet =>
  Object.fromEntries(
    limitNames.flatMap((name) => (asked[name] === undefined || asked[name] === current[name] ? [] : [[name, asked[name]]])),
  )

/** Looks at a wish for other limits while it is typed: amounts in minor units, whole numbers, maximum ≤ day ≤ month, steps of more than three times. */
export function limitFindings(current: LimitSet, wished: LimitSet): LimitFindings {
  const asked = changedOnly(current, wished)
  const changes = limitNames.flatMap((name): LimitChange[] => {
    const [from, to] = [current[name], asked[name]]
    if (to === undefined) return []
    return [{ name, from, to, times: from === undefined || from === 0 ? null : to / from }]
  })
  const jumps = changes.filter(({ times, from }) => (times ?? (from === 0 ? Number.POSITIVE_INFINITY : 0)) > jumpFactor)
  return { changes, faults: faultsOf(current, asked), jumps }
}

/** How large a step is, in words. */
export function stepText({ times }: Pick<LimitChange, 'times'>): string {
  if (times === null) return 'nothing to compare with'
  return times < 1 ? 'less than now' : `${times.toLocaleString('en-US', { maximumFractionDigits: 1 })} times as much`
}

/** A change in words: "One payment: 5,000.00 → 20,000.00, 4 times as much". */
export const changeText = (change: LimitChange): string =>
  `${limitWords[change.name].label}: ${limitText(change.name, change.from)} → ${limitText(change.name, change.to)}, ${stepText(change)}`
