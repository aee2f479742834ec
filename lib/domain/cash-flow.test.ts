import { describe, expect, test } from 'vitest'
import { cashFlow, datesOf, type FlowPayment, startOf } from './cash-flow'

const paid = (effective_at: string | undefined, part: Partial<FlowPayment> = {}): FlowPayment => ({
  payment_type: 'charge',
  status: 'paid',
  amount: '10000',
  currency: 'USD',
  effective_at,
  is_refund: false,
  ...part,
})

const frame = { today: '2026-11-21', days: 3, unit: 'minor', completeFrom: null } as const

test('a charge is money in, a payout money out, and the net is their difference', () => {
  const flow = cashFlow([paid('2026-11-20T15:00:00Z'), paid('2026-11-20T16:00:00Z', { payment_type: 'payout', amount: '2550' })], frame)
  expect(flow.days[1]).toMatchObject({ date: '2026-11-20', in: 10_000, out: 2550, net: 7450, charges: 1, payouts: 1, refunds: 0 })
  expect(flow).toMatchObject({ in: 10_000, out: 2550, net: 7450, unreadable: 0 })
})

test('a day without a payment is there, with zeros', () => {
  const { days } = cashFlow([paid('2026-11-20T15:00:00Z')], frame)
  expect(days.map((day) => [day.date, day.in])).toEqual([
    ['2026-11-19', 0],
    ['2026-11-20', 10_000],
    ['2026-11-21', 0],
  ])
})

test('a refund is a payout that is told apart', () => {
  const { days } = cashFlow([paid('2026-11-20T15:00:00Z', { payment_type: 'payout', is_refund: true })], frame)
  expect(days[1]).toMatchObject({ in: 0, out: 10_000, net: -10_000, payouts: 1, refunds: 1 })
})

test.each(['reversed', 'failed', 'pending', 'a state nobody knows'])('a payment that is %s moved no money', (status) => {
  expect(cashFlow([paid('2026-11-20T15:00:00Z', { status })], frame).in).toBe(0)
})

describe('days are those of New York', () => {
  test.each([
    ['2026-11-20T04:59:59Z', '2026-11-19'],
    ['2026-11-20T05:00:00Z', '2026-11-20'],
    ['2026-11-21T04:59:59Z', '2026-11-20'],
  ])('%s lies in %s', (time, date) => {
    expect(cashFlow([paid(time)], frame).days.find((day) => day.in === 10_000)?.date).toBe(date)
  })
  // On 1 November 2026 the clocks go back: that day lasts from 4:00 to 5:00 UTC of the next, 25 hours.
  test.each([
    ['2026-11-01T03:59:59Z', '2026-10-31'],
    ['2026-11-01T04:00:00Z', '2026-11-01'],
    ['2026-11-02T04:59:59Z', '2026-11-01'],
    ['2026-11-02T05:00:00Z', '2026-11-02'],
  ])('where the clocks go back, %s lies in %s', (time, date) => {
    const { days } = cashFlow([paid(time)], { ...frame, today: '2026-11-02' })
    expect(days.find((day) => day.in === 10_000)?.date).toBe(date)
  })
  test.each([
    ['2026-03-08T04:59:59Z', '2026-03-07'],
    ['2026-03-09T03:59:59Z', '2026-03-08'],
    ['2026-03-09T04:00:00Z', '2026-03-09'],
  ])('where the clocks go forward, %s lies in %s', (time, date) => {
    const { days } = cashFlow([paid(time)], { ...frame, today: '2026-03-09' })
    expect(days.find((day) => day.in === 10_000)?.date).toBe(date)
  })
  test('the frame begins at midnight of its first date, also over a change of the clocks', () => {
    expect(startOf({ today: '2026-11-21', days: 30 })).toBe('2026-10-23T04:00:00.000Z')
    expect(startOf({ today: '2026-11-21', days: 1 })).toBe('2026-11-21T05:00:00.000Z')
    expect(datesOf({ today: '2026-11-21', days: 30 })).toHaveLength(30)
    expect(datesOf({ today: '2026-03-09', days: 30 })).toHaveLength(new Set(datesOf({ today: '2026-03-09', days: 30 })).size)
  })
})

test('what lies outside of the days, or has no time, is left out', () => {
  const outside = [paid('2026-11-18T12:00:00Z'), paid('2026-11-22T12:00:00Z'), paid(undefined)]
  expect(cashFlow(outside, frame)).toMatchObject({ in: 0, unreadable: 0 })
})

test('an amount that cannot be read is counted, never guessed', () => {
  const flow = cashFlow([paid('2026-11-20T15:00:00Z', { amount: '100.00' }), paid('2026-11-20T15:00:00Z', { currency: 'EUR' })], frame)
  expect(flow).toMatchObject({ in: 0, unreadable: 2 })
})

test('a day that was read in part has no figures, and is in no sum', () => {
  const rows = [paid('2026-11-19T20:00:00Z'), paid('2026-11-20T15:00:00Z')]
  const flow = cashFlow(rows, { ...frame, completeFrom: '2026-11-19T18:00:00Z' })
  expect(flow.days[0]).toMatchObject({ date: '2026-11-19', read: false, in: null, net: null })
  expect(flow.days[1]).toMatchObject({ read: true, in: 10_000 })
  expect(flow.in).toBe(10_000)
})
