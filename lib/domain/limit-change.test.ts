import { describe, expect, test } from 'vitest'
import { changedOnly, changeText, limitFindings } from './limit-change'

const current = { max_amount: 500_000, daily_amount: 5_000_000, monthly_amount: 50_000_000, monthly_count: 1_000 }

test('only what differs is asked for', () => {
  expect(changedOnly(current, { ...current, daily_amount: 6_000_000 })).toEqual({ daily_amount: 6_000_000 })
  expect(limitFindings(current, current)).toEqual({ changes: [], faults: {}, jumps: [] })
})

describe('faults', () => {
  test.each([
    ['more in one payment than in a day', { max_amount: 5_000_001 }, 'max_amount', 'limit in a day'],
    ['less in a day than in one payment', { daily_amount: 400_000 }, 'daily_amount', 'not be less than 5,000.00'],
    ['more in a day than in a month', { daily_amount: 50_000_001 }, 'daily_amount', 'calendar month'],
    ['less in a month than in a day', { monthly_amount: 4_000_000 }, 'monthly_amount', 'not be less than'],
    ['no payment at all', { monthly_count: 0 }, 'monthly_count', 'more than zero'],
    ['half a payment', { monthly_count: 1.5 }, 'monthly_count', 'whole number'],
    ['a negative amount', { max_amount: -1 }, 'max_amount', 'more than zero'],
    ['more than the service can count', { monthly_amount: 2_147_483_648 }, 'monthly_amount', 'at most 21,474,836.47'],
  ] as const)('%s', (_, wish, name, words) => {
    expect(limitFindings(current, wish).faults[name]).toContain(words)
  })

  test('both ends of a step moved: the smaller span is to blame', () => {
    const { faults } = limitFindings(current, { max_amount: 9_000_000, daily_amount: 8_000_000 })
    expect(Object.keys(faults)).toEqual(['max_amount'])
  })

  test('with a limit the service left out nothing is compared', () => {
    expect(limitFindings({ max_amount: 1 }, { max_amount: 2 }).faults).toEqual({})
  })

  test('a crossed pair that nobody touched is not told at another field', () => {
    const crossed = { ...current, daily_amount: 400_000 }
    expect(limitFindings(crossed, { monthly_count: 2_000 }).faults).toEqual({})
  })
})

describe('jumps', () => {
  test('three times is no jump, a cent more is', () => {
    expect(limitFindings(current, { max_amount: 1_500_000 }).jumps).toEqual([])
    expect(limitFindings(current, { max_amount: 1_500_001 }).jumps.map((jump) => jump.name)).toEqual(['max_amount'])
  })

  test('from nothing to something is one; from an unknown limit it cannot be told', () => {
    expect(limitFindings({ monthly_count: 0 }, { monthly_count: 5 }).jumps).toHaveLength(1)
    expect(limitFindings({}, { monthly_count: 5 }).jumps).toEqual([])
  })
})

test.each([
  [{ max_amount: 2_000_000 }, 'One payment: 5,000.00 → 20,000.00, 4 times as much'],
  [{ monthly_count: 500 }, 'Payments a month: 1,000 → 500, less than now'],
])('a change in words: %j', (wish, text) => {
  expect(limitFindings(current, wish).changes.map(changeText)).toEqual([text])
})

test('a limit that was not stated has nothing to be times of', () => {
  expect(limitFindings({}, { max_amount: 100 }).changes.map(changeText)).toEqual([
    'One payment: not stated → 1.00, nothing to compare with',
  ])
})
