import { dayText } from '@/lib/dates'
import { addDays, isBankingDay, toBankingDay } from '@/lib/domain/bank-time'
import { type DayUse, getMonthEnd, type LimitUsage, listBankingDaysBefore, paceDays, shareText } from './usage'

/** The stated range contains the actual day in `times` of `of` cases. `deviations`: half its width in standard deviations. */
export const confidenceInterval = { times: 8, of: 10, deviations: 1.2816 } as const

/** Minimum number of banking days with payments that a forecast needs. */
const minPaymentDays = 5

/**
 * The forecast of the day on which a monthly limit is used up. `day` is the most likely day. The range from `from` to `to` contains the
 * actual day with 80 % confidence. `to` null means that the range includes "not this month". `maybe`: not likely this month, but possible
 * from the day `from`. `share` is the likely sum at the end of the month, divided by the limit: 0.8 is 80 %.
 */
export type Forecast =
  | { kind: 'reached' }
  | { kind: 'unknown'; why: string }
  | { kind: 'likely'; day: string; from: string; to: string | null; share: number }
  | { kind: 'maybe'; from: string; share: number }
  | { kind: 'not_this_month'; share: number }

/** Mean and standard deviation of the sums per banking day. */
type Pace = { mean: number; deviation: number }

/** Returns the sum of each banking day. Payments dated on a weekend or holiday count on the next banking day. */
function sumByBankingDay(days: readonly DayUse[], of: 'amount' | 'count'): Map<string, number> {
  const sums = new Map<string, number>()
  for (const day of days) {
    const date = toBankingDay(day.date)
    sums.set(date, (sums.get(date) ?? 0) + day[of])
  }
  return sums
}

function computePace(values: readonly number[]): Pace {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return { mean, deviation: Math.sqrt(variance) }
}

function listDaysAhead(today: string): string[] {
  const lastDay = getMonthEnd(today)
  const dates: string[] = []
  for (let date = today; date <= lastDay; date = addDays(date, 1)) if (isBankingDay(date)) dates.push(date)
  return dates
}

type ForecastStep = { date: string; low: number; likely: number; high: number }

/**
 * Returns the month's sum at the end of each coming banking day: the likely sum, and both ends of its range. A day has at least the amount
 * already booked for it. The variances of the days add up. The pace itself is estimated from a few days, which makes the range wider.
 */
function computeSteps(before: number, ahead: readonly string[], booked: ReadonlyMap<string, number>, pace: Pace): ForecastStep[] {
  let [likely, certain] = [before, before]
  return ahead.map((date, at) => {
    const bookedAmount = booked.get(date) ?? 0
    likely += Math.max(pace.mean, bookedAmount)
    certain += bookedAmount
    const days = at + 1
    const width = confidenceInterval.deviations * pace.deviation * Math.sqrt(days + days ** 2 / paceDays)
    return { date, low: Math.max(certain, likely - width), likely, high: likely + width }
  })
}

/** Returns the forecast. Its days are the first ones on which the high, the likely and the low sum reach the limit. */
function toForecast(steps: readonly ForecastStep[], limit: number, before: number): Forecast {
  const findFirstDay = (end: 'low' | 'likely' | 'high') => steps.find((step) => step[end] >= limit)?.date ?? null
  const share = (steps.at(-1)?.likely ?? before) / limit
  const [from, day, to] = [findFirstDay('high'), findFirstDay('likely'), findFirstDay('low')]
  if (day !== null && from !== null) return { kind: 'likely', day, from, to, share }
  return from === null ? { kind: 'not_this_month', share } : { kind: 'maybe', from, share }
}

/**
 * Forecasts the day on which a monthly limit is reached if the coming days are like the last 14 banking days. This is our own estimate. It
 * is `unknown` if not every payment was read, or if too few of those days had payments.
 */
export function forecastLimit(usage: LimitUsage, limit: number | undefined, of: 'amount' | 'count'): Forecast {
  if (limit === undefined || limit <= 0) return { kind: 'unknown', why: 'This account has no such limit.' }
  if (usage.month[of] >= limit) return { kind: 'reached' }
  if (usage.atLeast) return { kind: 'unknown', why: 'Not every payment could be read, so no forecast is possible.' }
  const sums = sumByBankingDay(usage.days, of)
  const values = listBankingDaysBefore(usage.today, paceDays).map((date) => sums.get(date) ?? 0)
  if (values.filter((value) => value > 0).length < minPaymentDays) {
    return { kind: 'unknown', why: `Too few payments in the last ${paceDays} business days for a forecast.` }
  }
  const remainingDays = listDaysAhead(usage.today)
  const month = [...sums].filter(([date]) => date.slice(0, 7) === usage.today.slice(0, 7))
  const sumBefore = month.filter(([date]) => date < (remainingDays[0] ?? usage.today)).reduce((sum, [, value]) => sum + value, 0)
  return toForecast(computeSteps(sumBefore, remainingDays, sums, computePace(values)), limit, sumBefore)
}

const confidenceText = `${(confidenceInterval.times / confidenceInterval.of) * 100}% confidence`

export function forecastText(forecast: Forecast): string {
  if (forecast.kind === 'unknown') return forecast.why
  if (forecast.kind === 'reached') return 'Limit reached: further payments go on hold.'
  const monthEndText = `Forecast: ${shareText(forecast.share)} by month-end`
  if (forecast.kind === 'not_this_month') return `${monthEndText} (${confidenceText}).`
  if (forecast.kind === 'maybe') return `${monthEndText}; the limit may be reached from ${dayText(forecast.from)}.`
  const { day, from, to } = forecast
  if (from === to) return `Forecast: limit reached on ${dayText(day)}, based on the last ${paceDays} business days.`
  const rangeText = to === null ? `from ${dayText(from)}, or not this month` : `between ${dayText(from)} and ${dayText(to)}`
  return `Forecast: limit reached about ${dayText(day)}, based on the last ${paceDays} business days; ${rangeText} (${confidenceText}).`
}
