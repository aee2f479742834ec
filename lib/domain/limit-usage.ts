import { bankDay, monthStart } from '@/lib/dates'
import { type AmountUnit, minorUnits } from '@/lib/money'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { dayAfter, isBankingDay } from './bank-time'
import { usesLimit } from './limit-checks'

/** What the payments of one day add up to; minor units. */
export type DayUse = { date: string; amount: number; count: number }

/**
 * What an account has used of the limits of one payment type, by our own adding: the day and the calendar month in New York. `days` are the days
 * with payments from the beginning of the search on, oldest first. `atLeast`: not every payment was read, so each figure may be more. `unreadable`
 * payments have an amount that was not understood, or another currency, and are in none of the sums.
 */
export type LimitUsage = {
  today: string
  day: { amount: number; count: number }
  month: { amount: number; count: number }
  days: DayUse[]
  atLeast: boolean
  unreadable: number
}

/** How many banking days the pace of a forecast is taken from. */
export const paceDays = 14

/** The dates of the banking days before today, newest first. Today is left out: it is not over. */
export function bankingDaysBefore(today: string, count: number): string[] {
  const found: string[] = []
  for (let date = dayAfter(today, -1); found.length < count; date = dayAfter(date, -1)) if (isBankingDay(date)) found.push(date)
  return found
}

/** The last day of the calendar month a date lies in. */
export const monthEnd = (date: string): string =>
  new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).toISOString().slice(0, 10)

/** The payment dates a reading has to cover at `now` (milliseconds): the whole month, and the banking days the pace is taken from. */
export function usageDates(now: number): { today: string; from: string; to: string } {
  const today = bankDay(now)
  const [from = today] = [...bankingDaysBefore(today, paceDays), monthStart(today)].sort()
  return { today, from, to: monthEnd(today) }
}

type Usable = Pick<PaymentSummary, 'status' | 'payment_date' | 'amount' | 'currency'>

function amountIn(payment: Usable, unit: AmountUnit): number | null {
  return payment.currency === 'USD' ? minorUnits(payment.amount, unit) : null
}

const sumOf = (days: readonly DayUse[]) => ({
  amount: days.reduce((sum, day) => sum + day.amount, 0),
  count: days.reduce((sum, day) => sum + day.count, 0),
})

/**
 * Adds up what payments of one type use of the limits, by their payment date (provider facts 2.19: cents). `total` is the service's count of what
 * was searched for; where more matched than were given, the figures are lower bounds and say so.
 */
export function limitUsage(payments: readonly Usable[], total: number, today: string, unit: AmountUnit): LimitUsage {
  const days = new Map<string, DayUse>()
  let unreadable = 0
  for (const payment of payments) {
    if (!payment.payment_date || !usesLimit(payment)) continue
    const amount = amountIn(payment, unit)
    if (amount === null) unreadable += 1
    const day = days.get(payment.payment_date) ?? { date: payment.payment_date, amount: 0, count: 0 }
    days.set(payment.payment_date, { ...day, amount: day.amount + (amount ?? 0), count: day.count + 1 })
  }
  const sorted = [...days.values()].sort((one, other) => one.date.localeCompare(other.date))
  const inMonth = sorted.filter(({ date }) => date.slice(0, 7) === today.slice(0, 7))
  return {
    today,
    day: sumOf(sorted.filter(({ date }) => date === today)),
    month: sumOf(inMonth),
    days: sorted,
    atLeast: total > payments.length || unreadable > 0,
    unreadable,
  }
}
