import { describe, expect, test } from 'vitest'
import { paykeyStatuses } from '@/lib/operations/enumerations'
import type { Paykey, PaykeyReview } from '@/lib/operations/paykeys.schema'
import {
  allowedStates,
  createUnblockChecks,
  findUnblockObstacle,
  formatBalanceResult,
  hasNewBalance,
  hasNewReview,
  type PaykeyAction,
  wasUnblockedInPaydesk,
  whyNotPaykeyAction,
} from './rules'

const createPaykey = (status: string, unblock_eligible?: boolean, code?: string) => ({
  status,
  unblock_eligible,
  status_details: {
    message: undefined,
    reason: undefined,
    source: undefined,
    code,
    changed_at: undefined,
  },
})

const paykeyActions = Object.keys(allowedStates) as PaykeyAction[]

describe.each(paykeyActions)('%s', (action) => {
  test.each(paykeyStatuses)('is allowed from %s only if the table lists it', (status) => {
    expect(whyNotPaykeyAction(action, createPaykey(status, true)) === null).toBe(
      allowedStates[action].includes(status),
    )
  })
  test('names an unknown status in its reason', () => {
    expect(whyNotPaykeyAction(action, createPaykey('frozen', true))).toContain('“frozen”')
  })
})

describe('an unblock', () => {
  test.each(paykeyStatuses.filter((status) => status !== 'blocked'))(
    'is not allowed for a paykey that is %s',
    (status) => {
      expect(findUnblockObstacle(createPaykey(status, true), false)?.id).toBe('status')
    },
  )
  test('is allowed for an eligible blocked paykey that was never unblocked here', () => {
    expect(findUnblockObstacle(createPaykey('blocked', true, 'R29'), false)).toBeNull()
  })
  test('is not allowed if the service omits the eligibility', () => {
    expect(findUnblockObstacle(createPaykey('blocked', undefined, 'R29'), false)).toMatchObject({
      id: 'unknown',
      decision: expect.stringContaining('support'),
    })
  })
  test.each(['R02', 'R05'])('states that a block after %s is permanent', (code) => {
    expect(findUnblockObstacle(createPaykey('blocked', false, code), false)).toMatchObject({
      id: 'eligible',
      why: expect.stringContaining(code),
    })
  })
  test('states that the only unblock was used', () => {
    expect(whyNotPaykeyAction('unblock', createPaykey('blocked', false, 'R29'))).toMatch(
      /one unblock was used.*another bank account/,
    )
  })
  test('is not allowed after an unblock here, even if the service offers it', () => {
    expect(findUnblockObstacle(createPaykey('blocked', true, 'R29'), true)?.id).toBe('used')
  })
})

test('an unblock counts as used unless it was refused', () => {
  const createUnblockAction = (state: 'applied' | 'refused' | 'unknown' | 'needs_human') => ({
    operation: 'paykeys.unblock' as const,
    state,
  })
  expect(wasUnblockedInPaydesk([])).toBe(false)
  expect(
    wasUnblockedInPaydesk([
      createUnblockAction('refused'),
      { operation: 'paykeys.decide', state: 'applied' },
    ]),
  ).toBe(false)
  expect(
    wasUnblockedInPaydesk([createUnblockAction('refused'), createUnblockAction('applied')]),
  ).toBe(true)
  expect(wasUnblockedInPaydesk([createUnblockAction('unknown')])).toBe(true)
})

test.each([
  [createPaykey('blocked', true), false, ['pass', 'pass', 'pass']],
  [createPaykey('blocked', false), true, ['pass', 'fail', 'fail']],
  [createPaykey('active', undefined), false, ['fail', 'unknown', 'pass']],
] as const)('the conditions of an unblock are separate checks: %#', (blocked, used, results) => {
  expect(
    createUnblockChecks(blocked, used, '2026-03-31T12:00:00Z').map(({ result }) => result),
  ).toEqual(results)
})

const createPaykeyWithBalance = (status: string | undefined, updated_at: string | undefined) =>
  ({ balance: { status, account_balance: undefined, updated_at } }) as Paykey

test.each([
  ['completed', 't1', false],
  ['pending', 't1', false],
  ['pending', 't2', false],
  ['completed', 't2', true],
  ['failed', 't2', true],
])('a new balance that is %s at %s has arrived: %s', (status, updated, came) => {
  expect(
    hasNewBalance(
      createPaykeyWithBalance('completed', 't1'),
      createPaykeyWithBalance(status, updated),
    ),
  ).toBe(came)
})

test('a first balance has arrived when it has a time', () => {
  expect(
    hasNewBalance({ balance: undefined } as Paykey, createPaykeyWithBalance('failed', 't1')),
  ).toBe(true)
  expect(
    hasNewBalance(
      createPaykeyWithBalance('pending', undefined),
      createPaykeyWithBalance('pending', undefined),
    ),
  ).toBe(false)
})

const createReview = (status: string, updated_at: string) =>
  ({ paykey_details: { status }, verification_details: { updated_at } }) as unknown as PaykeyReview

test('a verification has finished when its time or the paykey’s status changed', () => {
  expect(hasNewReview(createReview('review', 't1'), createReview('review', 't1'))).toBe(false)
  expect(hasNewReview(createReview('review', 't1'), createReview('review', 't2'))).toBe(true)
  expect(hasNewReview(createReview('review', 't1'), createReview('active', 't1'))).toBe(true)
})

test('a failed balance is not reported as updated', () => {
  expect(formatBalanceResult(createPaykeyWithBalance('failed', 't2'))).toContain('no balance')
  expect(formatBalanceResult(createPaykeyWithBalance('completed', 't2'))).toContain('updated')
  expect(formatBalanceResult(createPaykeyWithBalance(undefined, 't2'))).toContain('no balance')
})
