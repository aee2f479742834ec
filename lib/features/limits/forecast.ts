import { formatDay } from '@/lib/dates'
import { addDays, isBankingDay, rollToBankingDay } from '@/lib/domain/bank-time'
import {
  type DayUse,
  formatSharePercent,
  getMonthEnd,
  type LimitUsage,
  listBankingDaysBefore,
  paceBankingDays,
} from './usage'

/**
 * The confidence of a forecast: its range contains the actual day in `times` of `of` cases. Half of
 * the range is `deviations` standard deviations wide.
 */
export const forecastConfidence = { times: 8, of: 10, deviations: 1.2816 } as const

/** A forecast needs this many banking days with payments. */
const minPaymentDays = 5

/**
 * The day on which a monthly limit is used up: most likely `day`, with 80 % confidence between
 * `from` and `to` (null: perhaps not this month). `maybe`: not likely this month, but possible from
 * the day `from`. `share`: the likely sum at the end of the month, divided by the limit.
 */
export type Forecast =
  | { kind: 'reached' }
  | { kind: 'unknown'; why: string }
  | { kind: 'likely'; day: string; from: string; to: string | null; share: number }
  | { kind: 'maybe'; from: string; share: number }
  | { kind: 'not_this_month'; share: number }

/** Statistics of the sums per banking day. */
type DailyPace = { mean: number; deviation: number }

/** Payments dated on a weekend or holiday count on the next banking day. */
function sumByBankingDay(
  days: readonly DayUse[],
  measure: 'amount' | 'count',
): Map<string, number> {
  const sumByDay = new Map<string, number>()
  for (const day of days) {
    const date = rollToBankingDay(day.date)
    sumByDay.set(date, (sumByDay.get(date) ?? 0) + day[measure])
  }
  return sumByDay
}

function computeDailyPace(values: readonly number[]): DailyPace {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return { mean, deviation: Math.sqrt(variance) }
}

function listRemainingBankingDays(today: string): string[] {
  const lastDay = getMonthEnd(today)
  const bankingDays: string[] = []
  for (let date = today; date <= lastDay; date = addDays(date, 1))
    if (isBankingDay(date)) bankingDays.push(date)
  return bankingDays
}

type ForecastDay = { date: string; low: number; likely: number; high: number }

/**
 * A day counts at least with what is already booked for it. The range gets wider with each day: the
 * variances add up, and the pace itself is estimated from only a few days.
 */
function computeForecastDays(
  before: number,
  ahead: readonly string[],
  bookedByDay: ReadonlyMap<string, number>,
  pace: DailyPace,
): ForecastDay[] {
  let [likely, certain] = [before, before]
  return ahead.map((date, at) => {
    const bookedAmount = bookedByDay.get(date) ?? 0
    likely += Math.max(pace.mean, bookedAmount)
    certain += bookedAmount
    const dayCount = at + 1
    const rangeWidth =
      forecastConfidence.deviations *
      pace.deviation *
      Math.sqrt(dayCount + dayCount ** 2 / paceBankingDays)
    return { date, low: Math.max(certain, likely - rangeWidth), likely, high: likely + rangeWidth }
  })
}

/** The range begins when the high sum reaches the limit, and ends when the low sum does. */
function toForecast(steps: readonly ForecastDay[], limit: number, startSum: number): Forecast {
  const findReachedDay = (end: 'low' | 'likely' | 'high') =>
    steps.find((step) => step[end] >= limit)?.date ?? null
  const limitShare = (steps.at(-1)?.likely ?? startSum) / limit
  const [from, day, to] = [findReachedDay('high'), findReachedDay('likely'), findReachedDay('low')]
  if (day !== null && from !== null) return { kind: 'likely', day, from, to, share: limitShare }
  return from === null
    ? { kind: 'not_this_month', share: limitShare }
    : { kind: 'maybe', from, share: limitShare }
}

/** Assumes days like the last 14 banking days. `unknown` if payments are missing or too few. */
export function forecastLimit(
  usage: LimitUsage,
  limit: number | undefined,
  measure: 'amount' | 'count',
): Forecast {
  if (limit === undefined || limit <= 0)
    return { kind: 'unknown', why: 'This account has no such limit.' }
  if (usage.month[measure] >= limit) return { kind: 'reached' }
  if (usage.atLeast)
    return { kind: 'unknown', why: 'Not every payment could be read, so no forecast is possible.' }
  const bankingDaySums = sumByBankingDay(usage.days, measure)
  const dailySums = listBankingDaysBefore(usage.today, paceBankingDays).map(
    (date) => bankingDaySums.get(date) ?? 0,
  )
  if (dailySums.filter((value) => value > 0).length < minPaymentDays) {
    return {
      kind: 'unknown',
      why: `Too few payments in the last ${paceBankingDays} business days for a forecast.`,
    }
  }
  const remainingDays = listRemainingBankingDays(usage.today)
  const monthSums = [...bankingDaySums].filter(
    ([date]) => date.slice(0, 7) === usage.today.slice(0, 7),
  )
  const monthSumSoFar = monthSums
    .filter(([date]) => date < (remainingDays[0] ?? usage.today))
    .reduce((sum, [, value]) => sum + value, 0)
  return toForecast(
    computeForecastDays(monthSumSoFar, remainingDays, bankingDaySums, computeDailyPace(dailySums)),
    limit,
    monthSumSoFar,
  )
}

const confidenceText = `${(forecastConfidence.times / forecastConfidence.of) * 100}% confidence`

export function formatForecast(forecast: Forecast): string {
  if (forecast.kind === 'unknown') return forecast.why
  if (forecast.kind === 'reached') return 'Limit reached: further payments go on hold.'
  const monthEndText = `Forecast: ${formatSharePercent(forecast.share)} of the monthly limit by month-end`
  if (forecast.kind === 'not_this_month') return `${monthEndText} (${confidenceText}).`
  if (forecast.kind === 'maybe')
    return `${monthEndText}; the limit may be reached from ${formatDay(forecast.from)}.`
  const { day, from, to } = forecast
  if (from === to)
    return `Forecast: limit reached on ${formatDay(day)}, based on the last ${paceBankingDays} business days.`
  const rangeText =
    to === null
      ? `from ${formatDay(from)}, or not this month`
      : `between ${formatDay(from)} and ${formatDay(to)}`
  return `Forecast: limit reached about ${formatDay(day)}, based on the last ${paceBankingDays} business days; ${rangeText} (${confidenceText}).`
}
