import { describe, expect, test } from 'vitest'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import {
  countBankingDaysSince,
  findCapabilityRequest,
  isCapabilityInReview,
  type LimitRequestFacts,
  limitRequestLabels,
  limitRequestStates,
  toComparisonText,
  trackLimitRequest,
} from './tracking'

const limitsBefore = {
  max_amount: 500_000,
  daily_amount: 5_000_000,
  monthly_amount: 50_000_000,
  monthly_count: 1_000,
}
const requestedLimits = { max_amount: 1_000_000, daily_amount: 8_000_000 }
const askedAt = '2026-03-30T15:00:00Z'
const now = Date.parse('2026-03-31T15:00:00Z')

const createRequestFacts = (overrides: Partial<LimitRequestFacts> = {}): LimitRequestFacts => ({
  ...{
    before: limitsBefore,
    asked: requestedLimits,
    askedAt,
    action: 'applied',
    capability: 'in_review',
    now: limitsBefore,
    appliedAt: null,
  },
  ...overrides,
})
const getTrackedState = (overrides: Partial<LimitRequestFacts>, at = now) =>
  trackLimitRequest(createRequestFacts(overrides), at).state

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
    [
      'it is granted and in force',
      { capability: 'active', now: { ...limitsBefore, ...requestedLimits } },
      'applied',
      false,
    ],
    [
      'the settings hold it, whatever the request is called',
      { capability: 'in_review', now: { ...limitsBefore, ...requestedLimits } },
      'applied',
      false,
    ],
    [
      'it was noted as applied and the limits moved on since',
      { capability: 'active', appliedAt: askedAt },
      'applied',
      false,
    ],
    [
      'a part of it is in force',
      { capability: 'active', now: { ...limitsBefore, max_amount: 1_000_000 } },
      'partly',
      false,
    ],
    ['it is granted and the limits are from before it', { capability: 'active' }, 'granted', true],
    [
      'it is granted and the settings cannot be read',
      { capability: 'active', now: null },
      'granted',
      true,
    ],
    ['it was closed and nothing moved', { capability: 'inactive' }, 'unchanged', false],
    [
      'compliance gave less',
      { capability: 'active', now: { ...limitsBefore, max_amount: 750_000 } },
      'changed',
      false,
    ],
    [
      'compliance gave one and less of the other',
      {
        capability: 'active',
        now: { ...limitsBefore, max_amount: 1_000_000, daily_amount: 6_000_000 },
      },
      'partly',
      false,
    ],
    [
      'the limits moved while it is looked at',
      { now: { ...limitsBefore, max_amount: 750_000 } },
      'changed',
      true,
    ],
    [
      'the limits moved, and the state of the request is an unknown word',
      { capability: 'constructor', now: { ...limitsBefore, max_amount: 750_000 } },
      'changed',
      false,
    ],
    ['it was rejected', { capability: 'rejected' }, 'rejected', false],
    ['the settings cannot be read', { now: null }, 'in_review', true],
  ] as const)('%s', (_, change, state, isOpen) => {
    expect(trackLimitRequest(createRequestFacts(change), now)).toMatchObject({ state, isOpen })
  })

  test('a request without a change for five banking days is stale, without counting weekends', () => {
    expect(countBankingDaysSince(askedAt, Date.parse('2026-04-05T15:00:00Z'))).toBe(4)
    expect(getTrackedState({}, Date.parse('2026-04-05T15:00:00Z'))).toBe('in_review')
    expect(getTrackedState({}, Date.parse('2026-04-06T15:00:00Z'))).toBe('stale')
    expect(getTrackedState({ capability: null }, Date.parse('2026-04-06T15:00:00Z'))).toBe('stale')
    expect(getTrackedState({ capability: 'approved' }, Date.parse('2026-04-06T15:00:00Z'))).toBe(
      'granted',
    )
    const activeAfterFiveDays = createRequestFacts({ capability: 'active' })
    expect(
      trackLimitRequest(activeAfterFiveDays, Date.parse('2026-04-06T15:00:00Z')),
    ).toMatchObject({ state: 'unchanged', isOpen: false })
    expect(getTrackedState({ capability: 'rejected' }, Date.parse('2026-05-06T15:00:00Z'))).toBe(
      'rejected',
    )
  })

  test('a clock that runs behind counts zero days', () =>
    expect(countBankingDaysSince(askedAt, Date.parse(askedAt) - 1)).toBe(0))
})

describe('before, now and requested', () => {
  test('lists each requested limit with its value before, now and requested', () => {
    const { limits } = trackLimitRequest(
      createRequestFacts({
        now: { ...limitsBefore, max_amount: 1_000_000, daily_amount: 6_000_000 },
      }),
      now,
    )
    expect(limits).toEqual([
      { name: 'max_amount', before: 500_000, now: 1_000_000, asked: 1_000_000, state: 'met' },
      { name: 'daily_amount', before: 5_000_000, now: 6_000_000, asked: 8_000_000, state: 'moved' },
    ])
    expect(limits.map(toComparisonText)).toEqual([
      'Per payment: was $5,000.00, is $10,000.00, requested $10,000.00',
      'Per day: was $50,000.00, is $60,000.00, requested $80,000.00',
    ])
  })

  test('distinguishes an unchanged from an unknown value', () => {
    expect(trackLimitRequest(createRequestFacts(), now).limits.map(toComparisonText)[0]).toContain(
      'unchanged',
    )
    expect(
      trackLimitRequest(createRequestFacts({ now: null }), now).limits.map(toComparisonText)[0],
    ).toContain('now unknown')
  })
})

test('every state has a text', () => {
  expect(Object.keys(limitRequestLabels).sort()).toEqual([...limitRequestStates].sort())
})

test.each([
  ['charges', 'in_review', true],
  ['charges', 'reviewing', true],
  ['charges', 'approved', false],
  ['charges', 'rejected', false],
  ['individuals', 'in_review', false],
])('a request for %s that is %s is in review: %s', (type, status, looked) =>
  expect(isCapabilityInReview([{ type, status }], 'charges')).toBe(looked),
)

describe('the capability request of a limit request', () => {
  const createCapabilityRequest = (id: string, created_at?: string, type = 'charges') =>
    ({ id, type, created_at }) as CapabilityRequest
  const createSentRequest = (mentions: string[] = []) => ({
    paymentType: 'charges',
    createdAt: new Date('2026-03-30T15:00:00.400Z'),
    action: { state: 'applied' as const, mentions },
  })

  test('it is the one that the response names', () => {
    const capabilityRequests = [
      createCapabilityRequest('early', '2026-03-30T15:00:01Z'),
      createCapabilityRequest('named', '2026-03-30T16:00:00Z'),
    ]
    expect(findCapabilityRequest(createSentRequest(['named']), capabilityRequests)?.id).toBe(
      'named',
    )
  })

  test.each([
    ['in whole seconds', '2026-03-30T15:00:00Z'],
    ['with an offset', '2026-03-30T11:00:01-04:00'],
  ])('without a response, it is the first one since, by a time %s', (_, created_at) => {
    const requests = [
      createCapabilityRequest('later', '2026-03-30T16:00:00Z'),
      createCapabilityRequest('same', created_at),
      createCapabilityRequest('earlier', '2026-03-30T14:59:59.999Z'),
      createCapabilityRequest('other type', created_at, 'payouts'),
      createCapabilityRequest('without a time'),
    ]
    expect(findCapabilityRequest(createSentRequest(), requests)?.id).toBe('same')
  })

  test('there is none for a request that the service did not accept', () => {
    const requests = [createCapabilityRequest('later', '2026-03-30T16:00:00Z')]
    expect(
      findCapabilityRequest(
        { ...createSentRequest(), action: { state: 'refused', mentions: [] } },
        requests,
      ),
    ).toBeNull()
  })
})
