import { describe, expect, test } from 'vitest'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey, PaykeyReview, PaykeySummary } from '@/lib/operations/paykeys.schema'
import { assessExpiry, createPaykeyChecks, type PaykeyCheckFacts } from './checks'
import { findSameAccountPaykeys } from './related'

const now = Date.parse('2026-03-31T12:00:00Z')
const paykey = {
  id: 'a',
  customer_id: 'c1',
  status: 'review',
  source: 'plaid',
  institution_name: 'Gringotts',
  bank_data: { account_number: '••••6789', account_type: 'checking' },
  expires_at: '2027-01-01T00:00:00Z',
  balance: { status: 'completed', account_balance: '1050', updated_at: '2026-03-31T11:00:00Z' },
} as Paykey

const createReview = (score: number | undefined, decision: string) =>
  ({
    paykey_details: paykey,
    verification_details: {
      decision,
      messages: {},
      breakdown: { name_match: { codes: [], correlation_score: score } },
    },
  }) as unknown as PaykeyReview

const createPaykeyFacts = (overrides: Partial<PaykeyCheckFacts> = {}): PaykeyCheckFacts => ({
  paykey,
  readAt: '2026-03-31T12:00:00Z',
  now,
  unit: 'minor',
  review: { data: createReview(1, 'accept') },
  customer: { data: { status: 'verified' } as Customer },
  alike: { data: [] },
  actions: [],
  ...overrides,
})

const findCheck = (id: string, overrides?: Partial<PaykeyCheckFacts>) =>
  createPaykeyChecks(createPaykeyFacts(overrides)).find((check) => check.id === id)

test('a clean paykey passes all checks', () => {
  expect(createPaykeyChecks(createPaykeyFacts()).map(({ id, result }) => [id, result])).toEqual(
    ['names', 'verification', 'customer', 'expiry', 'balance', 'alike', 'unblocked'].map((id) => [
      id,
      'pass',
    ]),
  )
})

test.each([
  [1, 'pass'],
  [0.9, 'pass'],
  [0.5, 'warn'],
  [0.1, 'fail'],
  [undefined, 'unknown'],
])('names with a score of %s have the result %s', (score, result) => {
  expect(findCheck('names', { review: { data: createReview(score, 'review') } })?.result).toBe(
    result,
  )
})

test('an unread verification or one with an unknown decision is unknown', () => {
  expect(findCheck('verification', { review: { error: 'Could not be read' } })?.result).toBe(
    'unknown',
  )
  expect(findCheck('verification', { review: { data: createReview(1, 'maybe') } })?.result).toBe(
    'unknown',
  )
  expect(
    findCheck('verification', {
      review: { data: { paykey_details: paykey, verification_details: undefined } },
    })?.result,
  ).toBe('unknown')
})

describe('a balance', () => {
  const findBalanceCheck = (balance: Paykey['balance'], source = 'plaid') =>
    findCheck('balance', { paykey: { ...paykey, balance, source } })
  test.each([
    [
      { status: 'pending', account_balance: '1050', updated_at: '2026-03-31T11:00:00Z' },
      'in progress',
    ],
    [{ status: 'failed', account_balance: '1050', updated_at: '2026-03-31T11:00:00Z' }, 'failed'],
    [
      { status: 'completed', account_balance: '1050', updated_at: '2026-03-30T11:00:00Z' },
      'out of date',
    ],
    [
      { status: 'completed', account_balance: '10.50', updated_at: '2026-03-31T11:00:00Z' },
      'Balance unavailable.',
    ],
    [undefined, 'Balance unavailable.'],
  ])('%j is never a pass', (balance, word) => {
    expect(findBalanceCheck(balance)).toMatchObject({
      result: 'unknown',
      sentence: expect.stringContaining(word),
    })
  })
  test('of manually entered bank details is unknown, with the reason', () => {
    expect(findBalanceCheck(undefined, 'bank_account')?.sentence).toContain(
      'manually entered bank account',
    )
  })
})

test.each([
  ['2026-03-30T12:00:00Z', 'fail'],
  ['2026-04-10T12:00:00Z', 'warn'],
  ['2026-04-20T12:00:00Z', 'pass'],
  [undefined, 'unknown'],
  ['soon', 'unknown'],
])('an expiry on %s has the result %s', (at, result) => {
  expect(assessExpiry(at, now).result).toBe(result)
})

describe('the same bank account', () => {
  const createOtherPaykey = (overrides: Partial<PaykeySummary>) =>
    ({ ...paykey, id: 'b', ...overrides }) as PaykeySummary
  test('has the same bank, digits and type', () => {
    const otherPaykeys = [
      createOtherPaykey({}),
      createOtherPaykey({ id: 'a' }),
      createOtherPaykey({ institution_name: 'Another' }),
      createOtherPaykey({ bank_data: { account_number: '••••6789', account_type: 'savings' } }),
      createOtherPaykey({ bank_data: undefined }),
    ]
    expect(findSameAccountPaykeys(otherPaykeys, paykey)).toEqual([otherPaykeys[0]])
    expect(
      findSameAccountPaykeys([createOtherPaykey({ bank_data: undefined })], {
        ...paykey,
        bank_data: undefined,
      }),
    ).toEqual([])
  })
  test('of another customer yields a warning', () => {
    expect(
      findCheck('alike', {
        alike: { data: [createOtherPaykey({ customer_id: 'c2', status: 'blocked' })] },
      }),
    ).toMatchObject({
      result: 'warn',
      sentence: 'Possibly used by 1 other customer. 1 of them is blocked or rejected.',
    })
  })
})

test('an earlier unblock yields a warning', () => {
  const actions = [
    { operation: 'paykeys.unblock', state: 'applied' },
  ] as unknown as PaykeyCheckFacts['actions']
  expect(findCheck('unblocked', { actions })?.result).toBe('warn')
  const statusDetails = {
    message: undefined,
    reason: undefined,
    source: undefined,
    changed_at: undefined,
    code: 'R29',
  }
  const paykeyBlockedAgain = {
    ...paykey,
    status: 'blocked',
    unblock_eligible: false,
    status_details: statusDetails,
  }
  expect(findCheck('unblocked', { paykey: paykeyBlockedAgain })?.sentence).toContain('seems used')
})
