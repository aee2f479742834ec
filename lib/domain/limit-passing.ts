import { type AmountUnit, minorUnits } from '@/lib/money'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { DayUse, LimitUsage } from './limit-usage'
import { type LimitSet, limitText } from './limit-words'

/** A payment that is held for a limit, judged by other limits. `unknown`: our sums do not reach its month. Amount in minor units. */
export type Passing = { id: string; amount: number | null; verdict: 'passes' | 'held' | 'unknown'; why: string }

type Held = Pick<PaymentSummary, 'id' | 'amount' | 'payment_date' | 'created_at' | 'status_details' | 'status'>

/** Whether a payment is held for a limit, and not by a person or for a risk (provider facts 2.2, 3.1). */
export const isHeldForLimit = ({ status, status_details: details }: Pick<Held, 'status' | 'status_details'>): boolean =>
  status === 'on_hold' && details?.reason === 'amount_too_large'

/** The sums of the month as they grow while held payments are let through one after the other. */
function sumsOf(usage: LimitUsage) {
  const days = new Map(usage.days.map((day) => [day.date, { ...day }]))
  const month = { ...usage.month }
  const onDay = (date: string): DayUse => days.get(date) ?? { date, amount: 0, count: 0 }
  return {
    month,
    onDay,
    let: (date: string, amount: number) => {
      const day = onDay(date)
      days.set(date, { ...day, amount: day.amount + amount, count: day.count + 1 })
      month.amount += amount
      month.count += 1
    },
  }
}

const over = (sum: number, limit: number | undefined) => limit !== undefined && sum > limit

type Sums = ReturnType<typeof sumsOf>

/** The first limit that would hold the payment still; null where none would. */
function heldBy(amount: number, date: string, limits: LimitSet, sums: Sums): string | null {
  if (over(amount, limits.max_amount)) return `over ${limitText('max_amount', limits.max_amount)} in one payment`
  if (over(sums.onDay(date).amount + amount, limits.daily_amount)) return `over ${limitText('daily_amount', limits.daily_amount)} in a day`
  if (over(sums.month.amount + amount, limits.monthly_amount))
    return `over ${limitText('monthly_amount', limits.monthly_amount)} in the month`
  if (over(sums.month.count + 1, limits.monthly_count))
    return `over ${limitText('monthly_count', limits.monthly_count)} payments in the month`
  return null
}

type Judged = Pick<Passing, 'verdict' | 'why'>

/** What can be said of one payment on top of the sums so far. The single limit needs no sums, so it is asked first. */
function judged(amount: number, date: string, limits: LimitSet, { today, atLeast }: LimitUsage, sums: Sums): Judged {
  const single = heldBy(amount, date, { max_amount: limits.max_amount }, sums)
  if (single) return { verdict: 'held', why: single }
  if (date.slice(0, 7) !== today.slice(0, 7)) return { verdict: 'unknown', why: 'it is dated in another month' }
  const why = heldBy(amount, date, limits, sums)
  if (why) return { verdict: 'held', why }
  return atLeast ? { verdict: 'unknown', why: 'not every payment of the month could be read' } : { verdict: 'passes', why: '' }
}

/**
 * Which of the payments that are held for a limit would have passed under other limits, oldest first, each on top of those before it. Our own
 * estimate from our own adding; it moves nothing, and a higher limit lets no held payment go by itself.
 */
export function wouldPass(held: readonly Held[], limits: LimitSet, usage: LimitUsage, unit: AmountUnit): Passing[] {
  const sums = sumsOf(usage)
  const oldestFirst = held.filter(isHeldForLimit).sort((one, other) => one.created_at.localeCompare(other.created_at))
  return oldestFirst.map(({ id, amount: raw, payment_date: date = '' }) => {
    const amount = minorUnits(raw, unit)
    if (amount === null) return { id, amount, verdict: 'unknown', why: 'its amount cannot be read' }
    const found = judged(amount, date, limits, usage, sums)
    if (found.verdict === 'passes') sums.let(date, amount)
    return { id, amount, ...found }
  })
}
