import { describe, expect, test } from 'vitest'
import { capabilityRequestSchemas } from '@/lib/operations/capability-requests.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import {
  assessHeldPayments,
  emptyLimitFormValues,
  findFormFaults,
  findLimitChanges,
  isHeldForLimit,
  parseLimitValues,
  pickChangedLimits,
  toLimitChangeText,
  toLimitInput,
  toLimitReason,
} from './change'
import { computeLimitUsage } from './usage'

const currentLimits = {
  max_amount: 500_000,
  daily_amount: 5_000_000,
  monthly_amount: 50_000_000,
  monthly_count: 1_000,
}

test('only changed limits are requested', () => {
  expect(pickChangedLimits(currentLimits, { ...currentLimits, daily_amount: 6_000_000 })).toEqual({
    daily_amount: 6_000_000,
  })
  expect(findLimitChanges(currentLimits, currentLimits)).toEqual({
    changes: [],
    faults: {},
    jumps: [],
  })
})

describe('errors', () => {
  test.each([
    [
      'more in one payment than in a day',
      { max_amount: 5_000_001 },
      'max_amount',
      'limit in a day',
    ],
    [
      'less in a day than in one payment',
      { daily_amount: 400_000 },
      'daily_amount',
      'not be less than $5,000.00',
    ],
    [
      'more in a day than in a month',
      { daily_amount: 50_000_001 },
      'daily_amount',
      'calendar month',
    ],
    [
      'less in a month than in a day',
      { monthly_amount: 4_000_000 },
      'monthly_amount',
      'not be less than',
    ],
    ['no payment at all', { monthly_count: 0 }, 'monthly_count', 'more than zero'],
    ['half a payment', { monthly_count: 1.5 }, 'monthly_count', 'whole number'],
    ['a negative amount', { max_amount: -1 }, 'max_amount', 'more than zero'],
    [
      'more than the service can count',
      { monthly_amount: 2_147_483_648 },
      'monthly_amount',
      'at most $21,474,836.47',
    ],
  ] as const)('%s', (_, wish, name, words) => {
    expect(findLimitChanges(currentLimits, wish).faults[name]).toContain(words)
  })

  test('if both limits of a pair changed, the error is at the shorter span', () => {
    const { faults } = findLimitChanges(currentLimits, {
      max_amount: 9_000_000,
      daily_amount: 8_000_000,
    })
    expect(Object.keys(faults)).toEqual(['max_amount'])
  })

  test('a limit that the service omitted is not compared', () => {
    expect(findLimitChanges({ max_amount: 1 }, { max_amount: 2 }).faults).toEqual({})
  })

  test('an untouched conflicting pair is not reported at another field', () => {
    const crossedLimits = { ...currentLimits, daily_amount: 400_000 }
    expect(findLimitChanges(crossedLimits, { monthly_count: 2_000 }).faults).toEqual({})
  })
})

describe('large increases', () => {
  test('three times the limit is not a large increase, and one cent more is', () => {
    expect(findLimitChanges(currentLimits, { max_amount: 1_500_000 }).jumps).toEqual([])
    expect(
      findLimitChanges(currentLimits, { max_amount: 1_500_001 }).jumps.map((jump) => jump.name),
    ).toEqual(['max_amount'])
  })

  test('any increase from zero is large, and one from an unknown limit is not', () => {
    expect(findLimitChanges({ monthly_count: 0 }, { monthly_count: 5 }).jumps).toHaveLength(1)
    expect(findLimitChanges({}, { monthly_count: 5 }).jumps).toEqual([])
  })
})

test.each([
  [{ max_amount: 2_000_000 }, 'Per payment: $5,000.00 → $20,000.00, 4 times as much'],
  [{ monthly_count: 500 }, 'Payments per month: 1,000 → 500, lower than now'],
])('a change has a text: %j', (wish, text) => {
  expect(findLimitChanges(currentLimits, wish).changes.map(toLimitChangeText)).toEqual([text])
})

test('a limit that was not stated has nothing to be times of', () => {
  expect(findLimitChanges({}, { max_amount: 100 }).changes.map(toLimitChangeText)).toEqual([
    'Per payment: not stated → $1.00, no current limit',
  ])
})

const reasonText = 'The account’s volume has outgrown its limits.'
const createFormValues = (overrides: Partial<typeof emptyLimitFormValues>) => ({
  ...emptyLimitFormValues,
  code: 'VOLUME_GROWTH',
  text: reasonText,
  ...overrides,
})

test('input is parsed to cents and counts, and invalid input to NaN', () => {
  expect(
    parseLimitValues(createFormValues({ max_amount: '7,500.00', monthly_count: '2,000' })),
  ).toEqual({
    max_amount: 750_000,
    monthly_count: 2_000,
  })
  expect(parseLimitValues(createFormValues({ max_amount: 'a lot', monthly_count: '1.5' }))).toEqual(
    {
      max_amount: Number.NaN,
      monthly_count: Number.NaN,
    },
  )
})

test('only changed limits are requested, as valid input of the operation', () => {
  const input = toLimitInput(
    'payouts',
    currentLimits,
    createFormValues({ max_amount: '7,500.00', daily_amount: '50,000.00' }),
  )
  expect(input).toEqual({ payouts: { enable: true, max_amount: 750_000 } })
  expect(
    capabilityRequestSchemas['capability_requests.create'].input.safeParse(input).success,
  ).toBe(true)
})

describe('form errors', () => {
  test('an empty form requires a limit and a reason', () => {
    expect(Object.keys(findFormFaults(currentLimits, emptyLimitFormValues)).sort()).toEqual([
      'code',
      'max_amount',
      'text',
    ])
  })
  test('a value equal to the current limit is not a change', () => {
    expect(findFormFaults(currentLimits, createFormValues({ max_amount: '5,000.00' }))).toEqual({
      max_amount: 'change at least one limit',
    })
  })
  test('an ambiguous amount is rejected with a correction', () => {
    expect(
      findFormFaults(currentLimits, createFormValues({ daily_amount: '1998,05' })).daily_amount,
    ).toBe('Use a point for cents: 1998.05')
    expect(
      findFormFaults(currentLimits, createFormValues({ daily_amount: '1.234,50' })).daily_amount,
    ).toBe('Use a point for cents: 1234.50')
    expect(
      findFormFaults(currentLimits, createFormValues({ monthly_count: '1,2,3' })).monthly_count,
    ).toBe('Must be a whole number.')
  })
  test('a large increase requires its own explanation', () => {
    const values = createFormValues({ max_amount: '20,000.00' })
    expect(Object.keys(findFormFaults(currentLimits, values))).toEqual(['jump'])
    expect(
      findFormFaults(currentLimits, {
        ...values,
        jump: 'A second bank’s payments come over on Monday.',
      }),
    ).toEqual({})
  })
})

test('the reason contains the explanation of a large increase only if there is one', () => {
  const values = createFormValues({ jump: 'A second bank’s payments come over.' })
  expect(toLimitReason(values, 1)).toBe(
    `VOLUME_GROWTH: ${reasonText} Reason for the large increase: A second bank’s payments come over.`,
  )
  expect(toLimitReason(values, 0)).toBe(`VOLUME_GROWTH: ${reasonText}`)
})

const today = '2026-03-31'
const createHeldPayment = (id: string, amount: string, date = today, reason = 'amount_too_large') =>
  ({
    id,
    amount,
    payment_date: date,
    created_at: `2026-03-30T00:00:0${id}Z`,
    status: 'on_hold',
    status_details: { reason },
  }) as PaymentSummary
const usage = computeLimitUsage(
  [{ date: today, status: 'paid', currency: 'USD', count: 1, minor: 4000, unreadable: 0 }],
  today,
)
const limits = {
  max_amount: 5_000,
  daily_amount: 10_000,
  monthly_amount: 20_000,
  monthly_count: 10,
}
const listVerdicts = (rows: readonly PaymentSummary[], raisedLimits = limits, used = usage) =>
  assessHeldPayments(rows, raisedLimits, used, 'minor').map(({ id, verdict }) => `${id} ${verdict}`)

test('only payments held for a limit are judged', () => {
  expect(isHeldForLimit(createHeldPayment('1', '1', today, 'user_request'))).toBe(false)
  expect(listVerdicts([createHeldPayment('1', '1', today, 'user_request')])).toEqual([])
})

test('each payment is added to those before it, oldest first', () => {
  // The daily limit is 10,000, and 4,000 of it are used. The first 5,000 fit (9,000 used), the next
  // 5,000 do not, and the last 1,000 fit (10,000 used).
  expect(
    listVerdicts([
      createHeldPayment('3', '1000'),
      createHeldPayment('2', '5000'),
      createHeldPayment('1', '5000'),
    ]),
  ).toEqual(['1 passes', '2 held', '3 passes'])
})

test.each([
  ['one payment', { max_amount: 4_999 }, 'in one payment'],
  ['the day', { daily_amount: 8_999 }, 'in a day'],
  ['the month', { monthly_amount: 8_999 }, 'in the month'],
  ['the count', { monthly_count: 1 }, 'payments in the month'],
])('a payment over the limit of %s names the limit', (_, change, words) => {
  const [line] = assessHeldPayments(
    [createHeldPayment('1', '5000')],
    { ...limits, ...change },
    usage,
    'minor',
  )
  expect(line).toMatchObject({ verdict: 'held' })
  expect(line?.why).toContain(words)
})

test('a payment that the sums do not cover is unknown and never passes', () => {
  expect(listVerdicts([createHeldPayment('1', '100', '2026-04-01')])).toEqual(['1 unknown'])
  expect(listVerdicts([createHeldPayment('1', '100.00')])).toEqual(['1 unknown'])
  expect(
    listVerdicts([createHeldPayment('1', '100')], limits, { ...usage, atLeast: true }),
  ).toEqual(['1 unknown'])
  expect(
    listVerdicts([createHeldPayment('1', '9000')], limits, { ...usage, atLeast: true }),
  ).toEqual(['1 held'])
})
