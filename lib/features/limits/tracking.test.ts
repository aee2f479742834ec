import { describe, expect, test } from 'vitest'
import {
  countBankingDaysSince,
  isBeingReviewed,
  limitComparisonText,
  type RequestFacts,
  requestStates,
  requestWords,
  trackRequest,
} from './tracking'

const limitsBefore = { max_amount: 500_000, daily_amount: 5_000_000, monthly_amount: 50_000_000, monthly_count: 1_000 }
const requestedLimits = { max_amount: 1_000_000, daily_amount: 8_000_000 }
const askedAt = '2026-03-30T15:00:00Z'
const now = Date.parse('2026-03-31T15:00:00Z')

const createFacts = (change: Partial<RequestFacts> = {}): RequestFacts => ({
  ...{
    before: limitsBefore,
    asked: requestedLimits,
    askedAt,
    action: 'applied',
    capability: 'in_review',
    now: limitsBefore,
    appliedAt: null,
  },
  ...change,
})
const trackState = (change: Partial<RequestFacts>, at = now) => trackRequest(createFacts(change), at).state

describe('a limit request', () => {
  test.each([
    ['its outcome is not known', { action: 'unknown', capability: null }, 'unconfirmed', true],
    ['it is on its way', { action: 'sending', capability: null }, 'unconfirmed', true],
    ['nobody could confirm it', { action: 'needs_human', capability: null }, 'unconfirmed', true],
    ['the service did not take it', { action: 'refused', capability: null }, 'not_sent', false],
    ['the service has it and lists nothing', { capability: null }, 'sent', true],
    ['compliance has it', {}, 'in_review', true],
    ['compliance looks at it', { capability: 'reviewing' }, 'in_review', true],
    ['it is granted and not in force', { capability: 'approved' }, 'granted', true],
    ['it is granted and in force', { capability: 'active', now: { ...limitsBefore, ...requestedLimits } }, 'applied', false],
    [
      'the settings hold it, whatever the request is called',
      { capability: 'in_review', now: { ...limitsBefore, ...requestedLimits } },
      'applied',
      false,
    ],
    ['it was noted as applied and the limits moved on since', { capability: 'active', appliedAt: askedAt }, 'applied', false],
    ['a part of it is in force', { capability: 'active', now: { ...limitsBefore, max_amount: 1_000_000 } }, 'partly', false],
    ['it is done and nothing moved', { capability: 'active' }, 'partly', false],
    ['compliance gave less', { capability: 'active', now: { ...limitsBefore, max_amount: 750_000 } }, 'changed', false],
    [
      'compliance gave one and less of the other',
      { capability: 'active', now: { ...limitsBefore, max_amount: 1_000_000, daily_amount: 6_000_000 } },
      'partly',
      false,
    ],
    ['the limits moved while it is looked at', { now: { ...limitsBefore, max_amount: 750_000 } }, 'changed', true],
    ['it was rejected', { capability: 'rejected' }, 'rejected', false],
    ['the settings cannot be read', { now: null }, 'in_review', true],
  ] as const)('%s', (_, change, state, isOpen) => {
    expect(trackRequest(createFacts(change), now)).toMatchObject({ state, isOpen })
  })

  test('a request without a change for five banking days is stale, without counting weekends', () => {
    expect(countBankingDaysSince(askedAt, Date.parse('2026-04-05T15:00:00Z'))).toBe(4)
    expect(trackState({}, Date.parse('2026-04-05T15:00:00Z'))).toBe('in_review')
    expect(trackState({}, Date.parse('2026-04-06T15:00:00Z'))).toBe('stale')
    expect(trackState({ capability: null }, Date.parse('2026-04-06T15:00:00Z'))).toBe('stale')
    expect(trackState({ capability: 'approved' }, Date.parse('2026-04-06T15:00:00Z'))).toBe('granted')
    expect(trackState({ capability: 'rejected' }, Date.parse('2026-05-06T15:00:00Z'))).toBe('rejected')
  })

  test('a clock that runs behind counts zero days', () => expect(countBankingDaysSince(askedAt, Date.parse(askedAt) - 1)).toBe(0))
})

describe('before, now and requested', () => {
  test('lists each requested limit with its value before, now and requested', () => {
    const { limits } = trackRequest(createFacts({ now: { ...limitsBefore, max_amount: 1_000_000, daily_amount: 6_000_000 } }), now)
    expect(limits).toEqual([
      { name: 'max_amount', before: 500_000, now: 1_000_000, asked: 1_000_000, state: 'met' },
      { name: 'daily_amount', before: 5_000_000, now: 6_000_000, asked: 8_000_000, state: 'moved' },
    ])
    expect(limits.map(limitComparisonText)).toEqual([
      'Per payment: was $5,000.00, is $10,000.00, requested $10,000.00',
      'Per day: was $50,000.00, is $60,000.00, requested $80,000.00',
    ])
  })

  test('distinguishes an unchanged from an unknown value', () => {
    expect(trackRequest(createFacts(), now).limits.map(limitComparisonText)[0]).toContain('unchanged')
    expect(trackRequest(createFacts({ now: null }), now).limits.map(limitComparisonText)[0]).toContain('now unknown')
  })
})

test('every state has a text', () => {
  expect(Object.keys(requestWords).sort()).toEqual([...requestStates].sort())
})

test.each([
  ['charges', 'in_review', true],
  ['charges', 'reviewing', true],
  ['charges', 'approved', false],
  ['charges', 'rejected', false],
  ['individuals', 'in_review', false],
])('a request for %s that is %s is in review: %s', (type, status, looked) =>
  expect(isBeingReviewed([{ type, status }], 'charges')).toBe(looked),
)
