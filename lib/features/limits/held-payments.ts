import { formatLimitValue, type LimitSet } from '@/lib/domain/limit-labels'
import { type AmountUnit, toMinorUnits } from '@/lib/money'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { DayUse, LimitUsage } from './usage'

/**
 * A payment that is held because of a limit. `verdict`: whether the payment would pass under other
 * limits; `unknown` if its amount or the sums of its month are unknown. `amount` is in minor units.
 */
export type HeldPaymentVerdict = {
  id: string
  amount: number | null
  verdict: 'passes' | 'held' | 'unknown'
  why: string
}

type HeldPayment = Pick<
  PaymentSummary,
  'id' | 'amount' | 'payment_date' | 'created_at' | 'status_details' | 'status'
>

/** Other holds come from a person or from a risk (provider facts 2.2, 3.1). */
export const isHeldForLimit = ({
  status,
  status_details: details,
}: Pick<HeldPayment, 'status' | 'status_details'>): boolean =>
  status === 'on_hold' && details?.reason === 'amount_too_large'

/** `let` adds a payment that passes to the sums of its day and of the month. */
function createRunningSums(usage: LimitUsage) {
  const useByDate = new Map(usage.days.map((day) => [day.date, { ...day }]))
  const monthUse = { ...usage.month }
  const getDayUse = (date: string): DayUse => useByDate.get(date) ?? { date, amount: 0, count: 0 }
  return {
    month: monthUse,
    onDay: getDayUse,
    let: (date: string, amount: number) => {
      const dayUse = getDayUse(date)
      useByDate.set(date, { ...dayUse, amount: dayUse.amount + amount, count: dayUse.count + 1 })
      monthUse.amount += amount
      monthUse.count += 1
    },
  }
}

const isOverLimit = (sum: number, limit: number | undefined) => limit !== undefined && sum > limit

type RunningSums = ReturnType<typeof createRunningSums>

function findHoldReason(
  amount: number,
  date: string,
  limits: LimitSet,
  sums: RunningSums,
): string | null {
  if (isOverLimit(amount, limits.max_amount))
    return `over ${formatLimitValue('max_amount', limits.max_amount)} in one payment`
  if (isOverLimit(sums.onDay(date).amount + amount, limits.daily_amount))
    return `over ${formatLimitValue('daily_amount', limits.daily_amount)} in a day`
  if (isOverLimit(sums.month.amount + amount, limits.monthly_amount))
    return `over ${formatLimitValue('monthly_amount', limits.monthly_amount)} in the month`
  if (isOverLimit(sums.month.count + 1, limits.monthly_count))
    return `over ${formatLimitValue('monthly_count', limits.monthly_count)} payments in the month`
  return null
}

type LimitVerdict = Pick<HeldPaymentVerdict, 'verdict' | 'why'>

/**
 * Checks the limit per payment first, because its result is certain even if the sums are
 * incomplete.
 */
function assessPaymentLimits(
  amount: number,
  date: string,
  limits: LimitSet,
  { today, atLeast }: LimitUsage,
  sums: RunningSums,
): LimitVerdict {
  const singlePaymentHoldReason = findHoldReason(
    amount,
    date,
    { max_amount: limits.max_amount },
    sums,
  )
  if (singlePaymentHoldReason) return { verdict: 'held', why: singlePaymentHoldReason }
  if (date.slice(0, 7) !== today.slice(0, 7))
    return { verdict: 'unknown', why: 'it is dated in another month' }
  const holdReason = findHoldReason(amount, date, limits, sums)
  if (holdReason) return { verdict: 'held', why: holdReason }
  return atLeast
    ? { verdict: 'unknown', why: 'not every payment of the month could be read' }
    : { verdict: 'passes', why: '' }
}

/**
 * Starts with the oldest payment; each payment that passes counts toward the sums for the next.
 * This is our own estimate: the service does not release held payments when a limit is raised.
 */
export function assessHeldPayments(
  heldPayments: readonly HeldPayment[],
  limits: LimitSet,
  usage: LimitUsage,
  unit: AmountUnit,
): HeldPaymentVerdict[] {
  const runningSums = createRunningSums(usage)
  const heldPaymentsByAge = heldPayments
    .filter(isHeldForLimit)
    .sort((one, other) => one.created_at.localeCompare(other.created_at))
  return heldPaymentsByAge.map(({ id, amount: raw, payment_date: date = '' }) => {
    const amount = toMinorUnits(raw, unit)
    if (amount === null) return { id, amount, verdict: 'unknown', why: 'its amount cannot be read' }
    const limitVerdict = assessPaymentLimits(amount, date, limits, usage, runningSums)
    if (limitVerdict.verdict === 'passes') runningSums.let(date, amount)
    return { id, amount, ...limitVerdict }
  })
}
