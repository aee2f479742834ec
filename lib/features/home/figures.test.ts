import { describe, expect, test } from 'vitest'
import {
  computeCashFlow,
  computeReturnRates,
  type EndedChargeGroup,
  getReturnPeriod,
  listDates,
  returnLimits,
  type SettledSum,
  toPeriodStart,
  wasReturnedByBank,
} from './figures'

const createSettledSum = (day: string | null, overrides: Partial<SettledSum> = {}): SettledSum => ({
  ...{
    day,
    type: 'charge',
    refund: false,
    currency: 'USD',
    count: 1,
    minor: 10_000,
    unreadable: 0,
  },
  ...overrides,
})

const period = { today: '2026-11-21', days: 3 } as const

test('charges count as money in, payouts as money out, and net is the difference', () => {
  const cashFlow = computeCashFlow(
    [
      createSettledSum('2026-11-20'),
      createSettledSum('2026-11-20', { type: 'payout', minor: 2550 }),
    ],
    period,
  )
  expect(cashFlow.days[1]).toMatchObject({
    date: '2026-11-20',
    in: 10_000,
    out: 2550,
    net: 7450,
    charges: 1,
    payouts: 1,
    refunds: 0,
  })
  expect(cashFlow).toMatchObject({ in: 10_000, out: 2550, net: 7450, unreadable: 0 })
})

test('a day without payments has zeros', () => {
  const { days } = computeCashFlow([createSettledSum('2026-11-20')], period)
  expect(days.map((day) => [day.date, day.in])).toEqual([
    ['2026-11-19', 0],
    ['2026-11-20', 10_000],
    ['2026-11-21', 0],
  ])
})

test('a refund counts as a payout and is also counted separately', () => {
  const { days } = computeCashFlow(
    [createSettledSum('2026-11-20', { type: 'payout', refund: true, count: 2 })],
    period,
  )
  expect(days[1]).toMatchObject({ in: 0, out: 10_000, net: -10_000, payouts: 2, refunds: 2 })
})

test.each<[string, SettledSum]>([
  ['kind', createSettledSum('2026-11-20', { type: 'transfer' })],
  ['day', createSettledSum(null)],
  ['currency', createSettledSum('2026-11-20', { currency: 'EUR' })],
  ['amount', createSettledSum('2026-11-20', { minor: 0, unreadable: 1 })],
])('a payment with an unclear %s is in no sum and counts as unreadable', (_, group) => {
  expect(computeCashFlow([group], period)).toMatchObject({ in: 0, out: 0, unreadable: 1 })
})

test('a group of payments sums its readable amounts and counts the others as unreadable', () => {
  const cashFlowResult = computeCashFlow(
    [createSettledSum('2026-11-20', { count: 3, minor: 20_000, unreadable: 1 })],
    period,
  )
  expect(cashFlowResult).toMatchObject({ in: 20_000, unreadable: 1 })
  expect(cashFlowResult.days[1]?.charges).toBe(2)
})

test('days outside the range are ignored', () => {
  expect(
    computeCashFlow([createSettledSum('2026-11-18'), createSettledSum('2026-11-22')], period),
  ).toMatchObject({ in: 0, unreadable: 0 })
})

test('the range starts at midnight in New York, also across a clock change', () => {
  expect(toPeriodStart({ today: '2026-11-21', days: 30 })).toBe('2026-10-23T04:00:00.000Z')
  expect(toPeriodStart({ today: '2026-11-21', days: 1 })).toBe('2026-11-21T05:00:00.000Z')
  expect(listDates({ today: '2026-11-21', days: 30 })).toHaveLength(30)
  expect(listDates({ today: '2026-03-09', days: 30 })).toHaveLength(
    new Set(listDates({ today: '2026-03-09', days: 30 })).size,
  )
})

const createFailedCharge = (
  code: string | null,
  source = 'bank_decline',
  status = 'failed',
): EndedChargeGroup => ({
  status,
  source,
  code,
  count: 1,
})
const withChargeCount = (count: number, group: EndedChargeGroup) => ({ ...group, count })
const findRate = (id: string, unreturnedCount: number, ended: readonly EndedChargeGroup[]) =>
  computeReturnRates(unreturnedCount, ended).rates.find((rate) => rate.id === id)

describe('returned payments', () => {
  test.each([
    ['a bank’s refusal', createFailedCharge('R01'), true],
    ['a dispute', createFailedCharge('R10', 'customer_dispute'), true],
    ['a dispute in capitals', createFailedCharge('R29', 'Customer_Dispute'), true],
    ['a bank’s refusal without a code', createFailedCharge(null), true],
    ['a code from a source nobody knows', createFailedCharge('R03', 'network'), true],
    ['a reversal without a code', createFailedCharge(null, 'bank_decline', 'reversed'), true],
    ['the service’s own check', createFailedCharge(null, 'watchtower'), false],
    [
      'a blocked bank account, which names the old return',
      createFailedCharge('R29', 'watchtower'),
      false,
    ],
    ['no details at all', { status: 'failed', source: null, code: null, count: 1 }, false],
    ['a cancelled one', createFailedCharge('R01', 'user_action', 'cancelled'), false],
  ])('%s: %s', (_, payment, expected) => expect(wasReturnedByBank(payment)).toBe(expected))
})

test('the return rate divides returns by all sent debits, including the returned ones', () => {
  expect(
    computeReturnRates(97, [
      createFailedCharge('R01'),
      createFailedCharge('R10', 'customer_dispute'),
      createFailedCharge('R02', 'bank_decline', 'reversed'),
    ]),
  ).toMatchObject({
    debits: 100,
    returned: 3,
    rates: [
      { id: 'unauthorized', returned: 1, rate: 0.01, state: 'over' },
      { id: 'administrative', returned: 1, rate: 0.01, state: 'fine' },
      { id: 'overall', returned: 3, rate: 0.03, state: 'fine' },
    ],
  })
})

test('payments that were never sent count on neither side', () => {
  expect(
    computeReturnRates(10, [withChargeCount(5, createFailedCharge('R29', 'watchtower'))]),
  ).toMatchObject({
    debits: 10,
    returned: 0,
    codes: [],
  })
})

test('each code belongs to its Nacha category', () => {
  const codesById = Object.fromEntries(returnLimits.map(({ id, codes }) => [id, codes]))
  expect(codesById).toEqual({
    unauthorized: ['R05', 'R07', 'R10', 'R29', 'R51'],
    administrative: ['R02', 'R03', 'R04'],
    overall: null,
  })
})

describe('the state of a return rate', () => {
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
  ])('%s with %s %d times and %d other debits is %s', (id, code, count, kept, state) => {
    expect(findRate(id, kept, [withChargeCount(count, createFailedCharge(code))])?.state).toBe(
      state,
    )
  })
  test('is none, not zero percent, if no debit was sent', () => {
    expect(computeReturnRates(0, []).rates.map(({ rate, state }) => [rate, state])).toEqual([
      [null, 'none'],
      [null, 'none'],
      [null, 'none'],
    ])
  })
})

test('codes are sorted by frequency, and returns without a code are counted', () => {
  const endedCharges = [
    withChargeCount(2, createFailedCharge('R03')),
    createFailedCharge('R01'),
    withChargeCount(2, createFailedCharge('R02')),
    createFailedCharge(null),
  ]
  expect(computeReturnRates(0, endedCharges)).toMatchObject({
    codes: [
      { code: 'R02', count: 2 },
      { code: 'R03', count: 2 },
      { code: 'R01', count: 1 },
    ],
    uncoded: 1,
  })
})

test('the window is the sixty dates up to today', () => {
  expect(getReturnPeriod('2026-11-21')).toEqual({ from: '2026-09-23', to: '2026-11-21' })
})
