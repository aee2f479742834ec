import { describe, expect, test } from 'vitest'
import { headroomOf, shareText, shareTone, tightestOf } from './limit-headroom'
import { limitUsage } from './limit-usage'

const usage = limitUsage(
  [
    { payment_date: '2026-03-31', amount: '4000', status: 'paid', currency: 'USD' },
    { payment_date: '2026-03-02', amount: '5000', status: 'paid', currency: 'USD' },
  ],
  2,
  '2026-03-31',
  'minor',
)

test('what is used and left of each span', () => {
  expect(headroomOf(usage, { max_amount: 1, daily_amount: 10_000, monthly_amount: 10_000, monthly_count: 4 })).toEqual([
    { name: 'daily_amount', used: 4_000, limit: 10_000, left: 6_000, share: 0.4 },
    { name: 'monthly_amount', used: 9_000, limit: 10_000, left: 1_000, share: 0.9 },
    { name: 'monthly_count', used: 2, limit: 4, left: 2, share: 0.5 },
  ])
})

describe('the tightest', () => {
  test('is the one with the largest share', () => {
    expect(tightestOf(headroomOf(usage, { daily_amount: 10_000, monthly_amount: 10_000, monthly_count: 4 }))?.name).toBe('monthly_amount')
  })
  test('is none where no limit is stated', () => expect(tightestOf(headroomOf(usage, {}))).toBeNull())
  test('counts a limit of zero as used up', () => expect(tightestOf(headroomOf(usage, { daily_amount: 0 }))?.share).toBe(1))
})

test.each([
  [null, 'neutral'],
  [0.79, 'good'],
  [0.8, 'held'],
  [0.999, 'held'],
  [1, 'bad'],
] as const)('the tone of %s', (share, tone) => expect(shareTone(share)).toBe(tone))

test.each([
  [0, '0 %'],
  [0.004, '0.4 %'],
  [0.5, '50 %'],
  [0.999, '99 %'],
  [1, '100 %'],
  [12.5, '1,250 %'],
])('%s reads %s', (share, text) => expect(shareText(share)).toBe(text))
