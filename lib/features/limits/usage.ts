import { getMonthStart, toNewYorkDate } from '@/lib/dates'
import { addDays, isBankingDay } from '@/lib/domain/bank-time'
import { countsTowardLimit } from '@/lib/domain/holds/limit-checks'
import type { LimitName, LimitSet } from '@/lib/domain/limit-labels'
import type { Tone } from '@/lib/domain/status'
import { getNumberFormat } from '@/lib/formats'

/** `amount` is in minor units. */
export type DayUse = { date: string; amount: number; count: number }

/**
 * Paydesk computes these sums, by dates in New York. `days`: days with payments, oldest first.
 * `atLeast`: not every payment was read. `unreadable` payments are in no sum: their state, date or
 * amount is unknown, or they have another currency.
 */
export type LimitUsage = {
  today: string
  day: { amount: number; count: number }
  month: { amount: number; count: number }
  days: DayUse[]
  atLeast: boolean
  unreadable: number
}

/** The pace of a forecast is computed from this many banking days. */
export const paceBankingDays = 14

/** Newest first. Today is not included, because it is not over. */
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

/** Covers this month, and the banking days for the pace of the forecast. */
export function getUsageDates(now: number): { today: string; from: string; to: string } {
  const today = toNewYorkDate(now)
  const [from = today] = [
    ...listBankingDaysBefore(today, paceBankingDays),
    getMonthStart(today),
  ].sort()
  return { today, from, to: getMonthEnd(today) }
}

/** `minor`: the readable amounts in cents. `unreadable`: payments with an unreadable amount. */
type PaymentSum = {
  date: string | null
  status: string | null
  currency: string | null
  count: number
  minor: number
  unreadable: number
}

function countUnsummedPayments({ status, date, currency, count, unreadable }: PaymentSum): number {
  if (status && !countsTowardLimit({ status })) return 0
  return status && date && currency === 'USD' ? unreadable : count
}

const sumDays = (days: readonly DayUse[]) => ({
  amount: days.reduce((sum, day) => sum + day.amount, 0),
  count: days.reduce((sum, day) => sum + day.count, 0),
})

/**
 * Adds up the payments by payment date (provider facts 2.19). `unread`: payments that could not be
 * parsed at all; null means that not all payments were read yet.
 */
export function computeLimitUsage(
  sums: readonly PaymentSum[],
  today: string,
  unread: number | null = 0,
): LimitUsage {
  const useByDate = new Map<string, DayUse>()
  for (const { status, date, currency, minor, count } of sums) {
    if (!date || !status || !countsTowardLimit({ status })) continue
    const dayUse = useByDate.get(date) ?? { date, amount: 0, count: 0 }
    useByDate.set(date, {
      date,
      amount: dayUse.amount + (currency === 'USD' ? minor : 0),
      count: dayUse.count + count,
    })
  }
  const unreadableCount = sums.reduce((all, sum) => all + countUnsummedPayments(sum), unread ?? 0)
  const sortedDays = [...useByDate.values()].sort((one, other) =>
    one.date.localeCompare(other.date),
  )
  const monthDays = sortedDays.filter(({ date }) => date.slice(0, 7) === today.slice(0, 7))
  return {
    today,
    day: sumDays(sortedDays.filter(({ date }) => date === today)),
    month: sumDays(monthDays),
    days: sortedDays,
    atLeast: unread === null || unreadableCount > 0,
    unreadable: unreadableCount,
  }
}

/** `used`: minor units or a count. `share`: `used` / `limit`; 1 is used up, null is no limit. */
export type Headroom = {
  name: Exclude<LimitName, 'max_amount'>
  used: number
  limit: number | undefined
  left: number | null
  share: number | null
}

const accumulatingLimits = ['daily_amount', 'monthly_amount', 'monthly_count'] as const

const usageGetters: Record<(typeof accumulatingLimits)[number], (usage: LimitUsage) => number> = {
  daily_amount: (usage) => usage.day.amount,
  monthly_amount: (usage) => usage.month.amount,
  monthly_count: (usage) => usage.month.count,
}

/** A limit of zero counts as used up. */
export function toHeadrooms(usage: LimitUsage, limits: LimitSet): Headroom[] {
  return accumulatingLimits.map((name) => {
    const [used, limit] = [usageGetters[name](usage), limits[name]]
    if (limit === undefined) return { name, used, limit, left: null, share: null }
    return { name, used, limit, left: limit - used, share: limit > 0 ? used / limit : 1 }
  })
}

export function findTightestLimit(headrooms: readonly Headroom[]): Headroom | null {
  return headrooms.reduce<Headroom | null>(
    (found, room) => ((room.share ?? -1) > (found?.share ?? -1) ? room : found),
    null,
  )
}

const nearLimitShare = 0.8

export const getShareTone = (share: number | null): Tone => {
  if (share === null) return 'neutral'
  return share >= 1 ? 'bad' : share >= nearLimitShare ? 'held' : 'good'
}

/** A fraction just below 1 is `99%`, because `100%` would mean that the limit is used up. */
export function formatSharePercent(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1)
    return `${getNumberFormat('en-US', { maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(percent)}%`
  return `${(percent < 100 ? Math.min(99, Math.round(percent)) : Math.round(percent)).toLocaleString('en-US')}%`
}
