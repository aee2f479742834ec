import { monthStart, toNewYorkDate } from '@/lib/dates'
import { addDays, isBankingDay } from '@/lib/domain/bank-time'
import { usesLimit } from '@/lib/domain/holds/limit-checks'
import type { LimitName, LimitSet } from '@/lib/domain/limit-labels'
import type { Tone } from '@/lib/domain/status'
import { getNumberFormat } from '@/lib/formats'

/** The payments of one date: their sum in minor units, and their number. */
export type DayUse = { date: string; amount: number; count: number }

/**
 * How much of the limits of one payment type is used, for today and this month in New York. Paydesk
 * computes the sums. `days` are the days with payments since the first day that was read, oldest
 * first. `atLeast`: not every payment was read, so more may be used. `unreadable` payments are in
 * no sum: they could not be parsed, their state, date or amount is unknown, or they have another
 * currency.
 */
export type LimitUsage = {
  today: string
  day: { amount: number; count: number }
  month: { amount: number; count: number }
  days: DayUse[]
  atLeast: boolean
  unreadable: number
}

/** Number of banking days from which the pace of a forecast is computed. */
export const paceBankingDays = 14

/**
 * Returns the banking days before today, newest first. Today is not included, because it is not
 * over.
 */
export function listBankingDaysBefore(today: string, count: number): string[] {
  const bankingDays: string[] = []
  for (let date = addDays(today, -1); bankingDays.length < count; date = addDays(date, -1))
    if (isBankingDay(date)) bankingDays.push(date)
  return bankingDays
}

export const getMonthEnd = (date: string): string =>
  new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0))
    .toISOString()
    .slice(0, 10)

/**
 * Returns the range of payment dates to read at `now` (milliseconds): this month, and the banking
 * days for the pace of the forecast.
 */
export function getUsageDates(now: number): { today: string; from: string; to: string } {
  const today = toNewYorkDate(now)
  const [from = today] = [
    ...listBankingDaysBefore(today, paceBankingDays),
    monthStart(today),
  ].sort()
  return { today, from, to: getMonthEnd(today) }
}

/**
 * Payments of one type with the same date, state and currency. `minor` is the sum of the readable
 * amounts in cents. `unreadable` is the number of payments whose amount cannot be parsed.
 */
type PaymentSum = {
  date: string | null
  status: string | null
  currency: string | null
  count: number
  minor: number
  unreadable: number
}

/**
 * Returns the number of these payments that are in no sum, because their state, date, currency or
 * amount is unknown.
 */
function countUnread({ status, date, currency, count, unreadable }: PaymentSum): number {
  if (status && !usesLimit({ status })) return 0
  return status && date && currency === 'USD' ? unreadable : count
}

const sumDays = (days: readonly DayUse[]) => ({
  amount: days.reduce((sum, day) => sum + day.amount, 0),
  count: days.reduce((sum, day) => sum + day.count, 0),
})

/**
 * Returns how much of the limits of one payment type is used, by payment date (provider facts
 * 2.19). `unread` is the number of payments that could not be parsed at all; null means that not
 * all payments were read yet. Unless `unread` is 0, more may be used.
 */
export function computeLimitUsage(
  sums: readonly PaymentSum[],
  today: string,
  unread: number | null = 0,
): LimitUsage {
  const days = new Map<string, DayUse>()
  for (const { status, date, currency, minor, count } of sums) {
    if (!date || !status || !usesLimit({ status })) continue
    const day = days.get(date) ?? { date, amount: 0, count: 0 }
    days.set(date, {
      date,
      amount: day.amount + (currency === 'USD' ? minor : 0),
      count: day.count + count,
    })
  }
  const unreadable = sums.reduce((all, sum) => all + countUnread(sum), unread ?? 0)
  const sortedDays = [...days.values()].sort((one, other) => one.date.localeCompare(other.date))
  const monthDays = sortedDays.filter(({ date }) => date.slice(0, 7) === today.slice(0, 7))
  return {
    today,
    day: sumDays(sortedDays.filter(({ date }) => date === today)),
    month: sumDays(monthDays),
    days: sortedDays,
    atLeast: unread === null || unreadable > 0,
    unreadable,
  }
}

/**
 * Use of one limit, in minor units or as a count. `share` is `used` divided by `limit`: 1 means
 * that the limit is used up, null that there is no limit.
 */
export type Headroom = {
  name: Exclude<LimitName, 'max_amount'>
  used: number
  limit: number | undefined
  left: number | null
  share: number | null
}

/** The limits whose use accumulates over a day or month. The limit per payment does not. */
const accumulatingLimits = ['daily_amount', 'monthly_amount', 'monthly_count'] as const

const usedByLimit: Record<(typeof accumulatingLimits)[number], (usage: LimitUsage) => number> = {
  daily_amount: (usage) => usage.day.amount,
  monthly_amount: (usage) => usage.month.amount,
  monthly_count: (usage) => usage.month.count,
}

/**
 * Returns how much of each limit is used and left, from our own sums. A limit of zero counts as
 * used up.
 */
export function toHeadrooms(usage: LimitUsage, limits: LimitSet): Headroom[] {
  return accumulatingLimits.map((name) => {
    const [used, limit] = [usedByLimit[name](usage), limits[name]]
    if (limit === undefined) return { name, used, limit, left: null, share: null }
    return { name, used, limit, left: limit - used, share: limit > 0 ? used / limit : 1 }
  })
}

/** Returns the limit of which the largest fraction is used; null if there are no limits. */
export function findTightestLimit(headrooms: readonly Headroom[]): Headroom | null {
  return headrooms.reduce<Headroom | null>(
    (found, room) => ((room.share ?? -1) > (found?.share ?? -1) ? room : found),
    null,
  )
}

/** The used fraction from which a limit is shown as nearly used up. */
const nearLimitShare = 0.8

export const getShareTone = (share: number | null): Tone => {
  if (share === null) return 'neutral'
  return share >= 1 ? 'bad' : share >= nearLimitShare ? 'held' : 'good'
}

/**
 * Returns a used fraction as a percentage: `82%`, or `0.4%` below 1 %. A fraction just below 1 is
 * `99%`, because `100%` would mean that the limit is used up.
 */
export function formatSharePercent(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1)
    return `${getNumberFormat('en-US', { maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(percent)}%`
  return `${(percent < 100 ? Math.min(99, Math.round(percent)) : Math.round(percent)).toLocaleString('en-US')}%`
}
