import { describe, expect, test } from 'vitest'
import {
  cashFlow,
  datesOf,
  type FlowPayment,
  isReturned,
  type ReturnPayment,
  returnLimits,
  returnRates,
  returnWindow,
  startOf,
} from './figures'

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

test.each<[string, Partial<FlowPayment>]>([
  ['kind', { payment_type: 'transfer' }],
  ['state', { status: '' }],
  ['day', { effective_at: undefined, unreadable: [{ field: 'effective_at', raw: 'soon' }] } as Partial<FlowPayment>],
])('a payment whose %s nobody can tell is in no sum, and told', (_, part) => {
  expect(cashFlow([paid('2026-11-20T15:00:00Z', part)], frame)).toMatchObject({ in: 0, out: 0, unreadable: 1 })
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

const failed = (code: string | undefined, source = 'bank_decline', status = 'failed'): ReturnPayment => ({
  status,
  status_details: { message: undefined, reason: undefined, changed_at: undefined, source, code },
})
const times = (count: number, payment: ReturnPayment) => Array.from({ length: count }, () => payment)
const rateOf = (id: string, kept: number, ended: readonly ReturnPayment[]) => returnRates(kept, ended).rates.find((rate) => rate.id === id)

describe('what came back', () => {
  test.each([
    ['a bank’s refusal', failed('R01'), true],
    ['a dispute', failed('R10', 'customer_dispute'), true],
    ['a dispute in capitals', failed('R29', 'Customer_Dispute'), true],
    ['a bank’s refusal without a code', failed(undefined), true],
    ['a code from a source nobody knows', failed('R03', 'network'), true],
    ['a reversal without a code', failed(undefined, 'bank_decline', 'reversed'), true],
    ['the service’s own check', failed(undefined, 'watchtower'), false],
    ['a blocked bank account, which names the old return', failed('R29', 'watchtower'), false],
    ['no details at all', { status: 'failed', status_details: undefined }, false],
    ['a cancelled one', failed('R01', 'user_action', 'cancelled'), false],
  ])('%s: %s', (_, payment, expected) => expect(isReturned(payment)).toBe(expected))
})

test('a rate is what came back, divided by all that was sent, and what came back was sent too', () => {
  expect(returnRates(97, [failed('R01'), failed('R10', 'customer_dispute'), failed('R02', 'bank_decline', 'reversed')])).toMatchObject({
    debits: 100,
    returned: 3,
    rates: [
      { id: 'unauthorized', returned: 1, rate: 0.01, state: 'over' },
      { id: 'administrative', returned: 1, rate: 0.01, state: 'fine' },
      { id: 'overall', returned: 3, rate: 0.03, state: 'fine' },
    ],
  })
})

test('what never left counts on neither side', () => {
  expect(returnRates(10, times(5, failed('R29', 'watchtower')))).toMatchObject({ debits: 10, returned: 0, codes: [] })
})

test('every code is where Nacha has it', () => {
  const groups = Object.fromEntries(returnLimits.map(({ id, codes }) => [id, codes]))
  expect(groups).toEqual({ unauthorized: ['R05', 'R07', 'R10', 'R29', 'R51'], administrative: ['R02', 'R03', 'R04'], overall: null })
})

describe('the state of a rate', () => {
  test.each([
    ['unauthorized', 'R10', 24, 9976, 'fine'],
    ['unauthorized', 'R10', 25, 9975, 'warn'],
    ['unauthorized', 'R10', 49, 9951, 'warn'],
    ['unauthorized', 'R10', 50, 9950, 'over'],
    ['administrative', 'R03', 149, 9851, 'fine'],
    ['administrative', 'R03', 150, 9850, 'warn'],
    ['administrative', 'R03', 300, 9700, 'over'],
    ['overall', 'R01', 749, 9251, 'fine'],
    ['overall', 'R01', 750, 9250, 'warn'],
    ['overall', 'R01', 1500, 8500, 'over'],
  ])('%s with %s %d times beside %d others is %s', (id, code, count, kept, state) => {
    expect(rateOf(id, kept, times(count, failed(code)))?.state).toBe(state)
  })
  test('is none where nothing was sent, never zero per cent', () => {
    expect(returnRates(0, []).rates.map(({ rate, state }) => [rate, state])).toEqual([
      [null, 'none'],
      [null, 'none'],
      [null, 'none'],
    ])
  })
})

test('codes are counted, most first, and returns without one are told', () => {
  const ended = [...times(2, failed('R03')), failed('R01'), ...times(2, failed('R02')), failed(undefined)]
  expect(returnRates(0, ended)).toMatchObject({
    codes: [
      { code: 'R02', count: 2 },
      { code: 'R03', count: 2 },
      { code: 'R01', count: 1 },
    ],
    uncoded: 1,
  })
})

test('the window is sixty dates with today among them', () => {
  expect(returnWindow('2026-11-21')).toEqual({ from: '2026-09-23', to: '2026-11-21' })
})
