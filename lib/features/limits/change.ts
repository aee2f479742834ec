import {
  formatLimitValue,
  type LimitedPaymentType,
  type LimitName,
  type LimitSet,
  limitNames,
  limitWords,
} from '@/lib/domain/limit-labels'
import { composeReason } from '@/lib/domain/reasons'
import { getNumberFormat } from '@/lib/formats'
import { getAmountFaultText, parseCents, parseTypedWholeNumber } from '@/lib/money'
import { decisionReasonInput } from '@/lib/operations/reason.schema'
import { appendIncreaseExplanation, findExplanationFault, listLimitReasons } from './labels'

/** A larger increase than by this factor needs an explanation (product 4.5). */
const largeIncreaseFactor = 3

/** `times`: the requested value divided by the current one; null if that is unknown or zero. */
export type LimitChange = {
  name: LimitName
  from: number | undefined
  to: number
  times: number | null
}

/** `faults`: errors of invalid values. `jumps`: increases that need an explanation. */
type LimitFindings = {
  changes: LimitChange[]
  faults: Partial<Record<LimitName, string>>
  jumps: LimitChange[]
}

const ascendingLimitPairs: readonly (readonly [LimitName, LimitName])[] = [
  ['max_amount', 'daily_amount'],
  ['daily_amount', 'monthly_amount'],
  ['max_amount', 'monthly_amount'],
]

/** The largest number the service accepts, for cents and for counts (provider facts 2.19). */
const maxLimit = 2_147_483_647

function findValueFault(name: LimitName, value: number): string | null {
  if (!Number.isInteger(value))
    return limitWords[name].counts ? 'Must be a whole number.' : 'Must be an amount like 1,250.00.'
  if (value <= 0) return 'Must be more than zero.'
  return value > maxLimit ? `Must be at most ${formatLimitValue(name, maxLimit)}.` : null
}

/**
 * Compares the limits of a shorter and a longer period. The faulty field is the one that the person
 * changed; if both were changed, the one of the shorter period.
 */
function findLimitOrderFault(
  requestedLimits: LimitSet,
  after: LimitSet,
  [less, more]: readonly [LimitName, LimitName],
): [LimitName, string] | null {
  const [small, large] = [after[less], after[more]]
  if (small === undefined || large === undefined || small <= large) return null
  if (requestedLimits[less] !== undefined)
    return [
      less,
      `Must not be more than ${formatLimitValue(more, large)}, the limit ${limitWords[more].span}.`,
    ]
  return requestedLimits[more] === undefined
    ? null
    : [
        more,
        `Must not be less than ${formatLimitValue(less, small)}, the limit ${limitWords[less].span}.`,
      ]
}

function findLimitFaults(current: LimitSet, requestedLimits: LimitSet): LimitFindings['faults'] {
  const faults: LimitFindings['faults'] = {}
  for (const name of limitNames) {
    const value = requestedLimits[name]
    const fault = value === undefined ? null : findValueFault(name, value)
    if (fault) faults[name] = fault
  }
  const limitsAfter = { ...current, ...requestedLimits }
  for (const pair of ascendingLimitPairs) {
    const [name, fault] = findLimitOrderFault(requestedLimits, limitsAfter, pair) ?? []
    if (name && fault) faults[name] ??= fault
  }
  return faults
}

/** Only changed limits are sent, so that no outdated value is written back. */
export const pickChangedLimits = (current: LimitSet, requestedLimits: LimitSet): LimitSet =>
  Object.fromEntries(
    limitNames.flatMap((name) =>
      requestedLimits[name] === undefined || requestedLimits[name] === current[name]
        ? []
        : [[name, requestedLimits[name]]],
    ),
  )

export function findLimitChanges(current: LimitSet, requested: LimitSet): LimitFindings {
  const changedLimits = pickChangedLimits(current, requested)
  const limitChanges = limitNames.flatMap((name): LimitChange[] => {
    const [from, to] = [current[name], changedLimits[name]]
    if (to === undefined) return []
    return [{ name, from, to, times: from === undefined || from === 0 ? null : to / from }]
  })
  const largeIncreases = limitChanges.filter(
    ({ times, from }) =>
      (times ?? (from === 0 ? Number.POSITIVE_INFINITY : 0)) > largeIncreaseFactor,
  )
  return {
    changes: limitChanges,
    faults: findLimitFaults(current, changedLimits),
    jumps: largeIncreases,
  }
}

export function toIncreaseText({ times }: Pick<LimitChange, 'times'>): string {
  if (times === null) return 'no current limit'
  return times < 1
    ? 'lower than now'
    : `${getNumberFormat('en-US', { maximumFractionDigits: 1 }).format(times)} times as much`
}

export const toLimitChangeText = (change: LimitChange): string =>
  `${limitWords[change.name].label}: ${formatLimitValue(change.name, change.from)} → ${formatLimitValue(change.name, change.to)}, ${toIncreaseText(change)}`

/** As typed. An empty limit stays unchanged. `jump` explains a large increase. */
export type LimitFormValues = Record<LimitName, string> & {
  code: string
  text: string
  typed: string
  jump: string
}

export const emptyLimitFormValues: LimitFormValues = {
  ...{ max_amount: '', daily_amount: '', monthly_amount: '', monthly_count: '' },
  ...{ code: '', text: '', typed: '', jump: '' },
}

/** In minor units. A value that cannot be parsed becomes NaN: it is reported and never sent. */
export function parseLimitValues(values: LimitFormValues): LimitSet {
  return Object.fromEntries(
    limitNames.flatMap((name) => {
      const typedLimit = values[name].trim()
      if (typedLimit === '') return []
      return [
        [
          name,
          (limitWords[name].counts ? parseTypedWholeNumber(typedLimit) : parseCents(typedLimit)) ??
            Number.NaN,
        ],
      ]
    }),
  )
}

export const toLimitInput = (
  type: LimitedPaymentType,
  current: LimitSet,
  values: LimitFormValues,
): Record<string, unknown> => ({
  [type]: { enable: true, ...pickChangedLimits(current, parseLimitValues(values)) },
})

export const toLimitReason = (
  { code, text, jump }: LimitFormValues,
  largeIncreaseCount: number,
): string =>
  composeReason(code, largeIncreaseCount > 0 ? appendIncreaseExplanation(text, jump) : text)

const findAmountFaults = (values: LimitFormValues): Record<string, string> =>
  Object.fromEntries(
    limitNames.flatMap((name) => {
      const amountFault =
        limitWords[name].counts || values[name].trim() === ''
          ? null
          : getAmountFaultText(values[name])
      return amountFault ? [[name, amountFault]] : []
    }),
  )

export function findFormFaults(current: LimitSet, values: LimitFormValues): Record<string, string> {
  const { changes, faults, jumps } = findLimitChanges(current, parseLimitValues(values))
  const formFaults: Record<string, string> = { ...faults, ...findAmountFaults(values) }
  if (changes.length === 0) formFaults.max_amount ??= 'change at least one limit'
  if (!listLimitReasons(changes).some(({ code }) => code === values.code))
    formFaults.code = 'Choose a reason.'
  const parsedReason = decisionReasonInput.safeParse(
    composeReason(values.code || 'NONE', values.text),
  )
  if (parsedReason.error)
    formFaults.text = parsedReason.error.issues[0]?.message ?? 'Enter a reason.'
  const explanationFault = findExplanationFault(values.text, values.jump, jumps.length)
  if (explanationFault) formFaults.jump = explanationFault
  return formFaults
}
