import { describe, expect, test } from 'vitest'
import {
  computeLimitUsage,
  findTightestLimit,
  formatSharePercent,
  getMonthEnd,
  getShareTone,
  getUsageDates,
  listBankingDaysBefore,
  toHeadrooms,
} from './usage'

const createPaymentSum = (
  date: string | null,
  minor: number,
  status = 'paid',
  currency = 'USD',
) => {
  return { date, status, currency, count: 1, minor, unreadable: 0 }
}
const today = '2026-03-31'

describe('the dates of the usage', () => {
  test('cover fourteen banking days before today, also in the month before', () => {
    // Presidents' Day, Feb 16, 2026, is no banking day.
    expect(listBankingDaysBefore('2026-02-18', 2)).toEqual(['2026-02-17', '2026-02-13'])
    const { from, to } = getUsageDates(Date.parse('2026-03-05T12:00:00Z'))
    expect([from, to]).toEqual(['2026-02-12', '2026-03-31'])
  })

  test('cover the whole month late in a month', () => {
    expect(getUsageDates(Date.parse('2026-03-31T12:00:00Z'))).toEqual({
      today,
      from: '2026-03-01',
      to: '2026-03-31',
    })
  })

  test('use the day in New York', () => {
    expect(getUsageDates(Date.parse('2026-04-01T02:00:00Z')).today).toBe('2026-03-31')
  })

  test.each([
    ['2026-02-10', '2026-02-28'],
    ['2028-02-10', '2028-02-29'],
    ['2026-12-31', '2026-12-31'],
  ])('the month of %s ends on %s', (date, end) => expect(getMonthEnd(date)).toBe(end))
})

describe('the usage', () => {
  test('is summed by payment date for day and month, without stopped payments', () => {
    const usage = computeLimitUsage(
      [
        createPaymentSum(today, 100),
        createPaymentSum(today, 50, 'scheduled'),
        createPaymentSum('2026-03-02', 1000, 'pending'),
        createPaymentSum('2026-02-27', 7, 'paid'),
        createPaymentSum(today, 9999, 'cancelled'),
        createPaymentSum(today, 9999, 'failed'),
        createPaymentSum(today, 9999, 'on_hold'),
        createPaymentSum(null, 9999),
      ],
      today,
    )
    expect(usage).toMatchObject({
      day: { amount: 150, count: 2 },
      month: { amount: 1150, count: 3 },
      atLeast: true,
      unreadable: 1,
    })
    expect(usage.days.map((day) => day.date)).toEqual(['2026-02-27', '2026-03-02', today])
  })

  test.each<[string, Parameters<typeof computeLimitUsage>]>([
    ['nobody knows of all payments yet', [[createPaymentSum(today, 100)], today, null]],
    ['a row could not be read', [[createPaymentSum(today, 100)], today, 1]],
    ['a state could not be read', [[createPaymentSum(today, 100, '')], today]],
    ['a date could not be read', [[createPaymentSum(null, 100)], today]],
  ])('is a minimum if %s', (_, given) => {
    expect(computeLimitUsage(...given).atLeast).toBe(true)
  })

  test('ignores payments that use no limit', () => {
    expect(computeLimitUsage([createPaymentSum(null, 100, 'failed')], today)).toMatchObject({
      month: { amount: 0, count: 0 },
      atLeast: false,
    })
  })

  test.each([
    { ...createPaymentSum(today, 0), unreadable: 1 },
    createPaymentSum(today, 100, 'paid', 'EUR'),
  ])('counts a payment with an unreadable amount and reports it: %j', (odd) => {
    const usage = computeLimitUsage([odd, createPaymentSum(today, 10)], today)
    expect(usage).toMatchObject({ day: { amount: 10, count: 2 }, unreadable: 1, atLeast: true })
  })
})

const usage = computeLimitUsage(
  [createPaymentSum('2026-03-31', 4000), createPaymentSum('2026-03-02', 5000)],
  '2026-03-31',
)

test('headroom has the used and remaining part of each limit', () => {
  expect(
    toHeadrooms(usage, {
      max_amount: 1,
      daily_amount: 10_000,
      monthly_amount: 10_000,
      monthly_count: 4,
    }),
  ).toEqual([
    { name: 'daily_amount', used: 4_000, limit: 10_000, left: 6_000, share: 0.4 },
    { name: 'monthly_amount', used: 9_000, limit: 10_000, left: 1_000, share: 0.9 },
    { name: 'monthly_count', used: 2, limit: 4, left: 2, share: 0.5 },
  ])
})

describe('the tightest limit', () => {
  test('has the largest share', () => {
    expect(
      findTightestLimit(
        toHeadrooms(usage, { daily_amount: 10_000, monthly_amount: 10_000, monthly_count: 4 }),
      )?.name,
    ).toBe('monthly_amount')
  })
  test('is null without limits', () => expect(findTightestLimit(toHeadrooms(usage, {}))).toBeNull())
  test('counts a limit of zero as used up', () =>
    expect(findTightestLimit(toHeadrooms(usage, { daily_amount: 0 }))?.share).toBe(1))
})

test.each([
  [null, 'neutral'],
  [0.79, 'good'],
  [0.8, 'held'],
  [0.999, 'held'],
  [1, 'bad'],
] as const)('the tone of %s', (share, tone) => expect(getShareTone(share)).toBe(tone))

test.each([
  [0, '0%'],
  [0.004, '0.4%'],
  [0.5, '50%'],
  [0.999, '99%'],
  [1, '100%'],
  [12.5, '1,250%'],
])('the share %s has the text %s', (share, text) => expect(formatSharePercent(share)).toBe(text))
