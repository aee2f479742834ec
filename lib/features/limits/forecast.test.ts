import { describe, expect, test } from 'vitest'
import { addDays, isBankingDay } from '@/lib/domain/bank-time'
import { type Forecast, forecastConfidence, forecastLimit, formatForecast } from './forecast'
import { computeLimitUsage, type DayUse, getMonthEnd } from './usage'

/**
 * Returns a random number generator (mulberry32). The same seed gives the same numbers on every
 * run.
 */
function createRandomGenerator(seed: number): () => number {
  let generatorState = seed
  return () => {
    generatorState = (generatorState + 0x6d2b79f5) | 0
    let mixedState = Math.imul(generatorState ^ (generatorState >>> 15), 1 | generatorState)
    mixedState =
      (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296
  }
}

const listBankingDays = (from: string, to: string): string[] => {
  const bankingDays: string[] = []
  for (let date = from; date <= to; date = addDays(date, 1))
    if (isBankingDay(date)) bankingDays.push(date)
  return bankingDays
}

const buildUsage = (days: readonly DayUse[], today: string) => {
  const paymentSums = days.map(({ date, amount }) => ({
    date,
    status: 'paid',
    currency: 'USD',
    count: 1,
    minor: amount,
    unreadable: 0,
  }))
  return computeLimitUsage(paymentSums, today)
}
const createSteadyDays = (from: string, to: string, amount: number): DayUse[] =>
  listBankingDays(from, to).map((date) => ({ date, amount, count: 1 }))

describe('an account with steady payments', () => {
  const today = '2026-03-16'
  const usage = buildUsage(createSteadyDays('2026-02-20', '2026-03-13', 1_000), today)

  test('reaches its limit on the computed day without a range', () => {
    // The ten banking days from March 2 to 13 have used 10,000. With 1,000 on each banking day from
    // today, March 16, the sum is 15,000 on March 20.
    expect(forecastLimit(usage, 15_000, 'amount')).toEqual({
      kind: 'likely',
      day: '2026-03-20',
      from: '2026-03-20',
      to: '2026-03-20',
      share: 22 / 15,
    })
  })

  test('does not reach a limit beyond this month’s total', () => {
    expect(forecastLimit(usage, 22_001, 'amount')).toMatchObject({ kind: 'not_this_month' })
    expect(forecastLimit(usage, 44_000, 'amount')).toEqual({ kind: 'not_this_month', share: 0.5 })
  })

  test('counts payments in the same way', () => {
    expect(forecastLimit(usage, 15, 'count')).toMatchObject({ kind: 'likely', day: '2026-03-20' })
  })

  test('has already reached a used-up limit', () => {
    expect(forecastLimit(usage, 10_000, 'amount')).toEqual({ kind: 'reached' })
  })

  test('counts a large scheduled payment on its date', () => {
    const usageWithBookedDay = buildUsage(
      [
        ...createSteadyDays('2026-02-20', '2026-03-13', 1_000),
        { date: '2026-03-18', amount: 9_000, count: 1 },
      ],
      today,
    )
    expect(forecastLimit(usageWithBookedDay, 20_000, 'amount')).toMatchObject({
      kind: 'likely',
      day: '2026-03-18',
      to: '2026-03-18',
    })
  })
})

describe('the forecast is unknown', () => {
  const today = '2026-03-16'
  test('without a limit', () =>
    expect(forecastLimit(buildUsage([], today), undefined, 'amount').kind).toBe('unknown'))
  test('with too few days with payments', () => {
    expect(
      forecastLimit(
        buildUsage(createSteadyDays('2026-03-10', '2026-03-13', 5), today),
        1_000,
        'amount',
      ),
    ).toMatchObject({
      kind: 'unknown',
    })
  })
  test('if payments are missing', () => {
    const usage = {
      ...buildUsage(createSteadyDays('2026-02-20', '2026-03-13', 1_000), today),
      atLeast: true,
    }
    expect(forecastLimit(usage, 50_000, 'amount')).toMatchObject({ kind: 'unknown' })
  })
})

test('a payment dated on a weekend counts on the next banking day', () => {
  const usageWithWeekend = buildUsage(
    [
      ...createSteadyDays('2026-02-20', '2026-03-13', 1_000),
      { date: '2026-03-14', amount: 5_000, count: 1 },
    ],
    '2026-03-16',
  )
  // The 5,000 of Saturday, March 14, count on Monday, March 16, which is today. With the 10,000 of
  // the ten days before, the sum is 15,000.
  expect(forecastLimit(usageWithWeekend, 15_000, 'amount')).toEqual({ kind: 'reached' })
  expect(forecastLimit(usageWithWeekend, 16_000, 'amount')).toMatchObject({
    kind: 'likely',
    day: '2026-03-17',
  })
})

/**
 * True if the day on which the simulated account reached its limit is in the range of the forecast.
 */
function isInForecast(forecast: Forecast, actual: string | null): boolean {
  if (forecast.kind === 'not_this_month') return actual === null
  if (forecast.kind === 'maybe') return actual === null || actual >= forecast.from
  if (forecast.kind !== 'likely') throw new Error(forecast.kind)
  return actual === null
    ? forecast.to === null
    : actual >= forecast.from && (forecast.to === null || actual <= forecast.to)
}

test('the stated range is right as often as claimed, for accounts with varying days', () => {
  const [today, end] = ['2026-03-12', getMonthEnd('2026-03-12')]
  const pastDays = listBankingDays('2026-02-20', '2026-03-11')
  const remainingDays = listBankingDays(today, end)
  const runCount = 250
  let hitCount = 0
  for (let run = 0; run < runCount; run += 1) {
    const nextRandom = createRandomGenerator(run)
    // Each day has 20 % to 180 % of the usual 100,000. The limit is 12 to 26 times that, so it is
    // reached in the second half of the month or not at all.
    const randomAmount = () => Math.round(100_000 * (0.2 + 1.6 * nextRandom()))
    const usage = buildUsage(
      pastDays.map((date) => ({ date, amount: randomAmount(), count: 1 })),
      today,
    )
    const limit = Math.round(100_000 * (12 + 14 * nextRandom()))
    let monthSum = usage.month.amount
    const actualDay = remainingDays.find(() => {
      monthSum += randomAmount()
      return monthSum >= limit
    })
    const forecast = forecastLimit(usage, limit, 'amount')
    if (forecast.kind === 'reached' || isInForecast(forecast, actualDay ?? null)) hitCount += 1
  }
  expect(hitCount / runCount).toBeGreaterThanOrEqual(
    forecastConfidence.times / forecastConfidence.of,
  )
})

test.each<[Forecast, string]>([
  [{ kind: 'reached' }, 'Limit reached'],
  [{ kind: 'unknown', why: 'No pace.' }, 'No pace.'],
  [
    { kind: 'not_this_month', share: 0.5 },
    'Forecast: 50% of the monthly limit by month-end (80% confidence).',
  ],
  [
    { kind: 'maybe', from: '2026-03-30', share: 0.95 },
    'the limit may be reached from Mar 30, 2026.',
  ],
  [
    { kind: 'likely', day: '2026-03-20', from: '2026-03-20', to: '2026-03-20', share: 2 },
    'Forecast: limit reached on Mar 20, 2026',
  ],
  [
    { kind: 'likely', day: '2026-03-20', from: '2026-03-18', to: '2026-03-25', share: 2 },
    'between Mar 18, 2026 and Mar 25, 2026 (80% confidence).',
  ],
  [
    { kind: 'likely', day: '2026-03-20', from: '2026-03-18', to: null, share: 1.1 },
    'from Mar 18, 2026, or not this month',
  ],
])('%j in words', (forecast, words) => expect(formatForecast(forecast)).toContain(words))
