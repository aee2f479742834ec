import { describe, expect, test } from 'vitest'
import { capabilityRequestSchemas } from '@/lib/operations/capability-requests.schema'
import {
  emptyLimitFormValues,
  findFormFaults,
  findLimitChanges,
  parseLimitValues,
  pickChangedLimits,
  toLimitChangeText,
  toLimitInput,
  toLimitReason,
} from './change'

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
