import { describe, expect, test } from 'vitest'
import { paykeyStatuses } from '@/lib/operations/enumerations'
import type { Paykey, PaykeyReview } from '@/lib/operations/paykeys.schema'
import {
  balanceCame,
  balanceResult,
  type PaykeyAction,
  reviewCame,
  startsFrom,
  unblockBar,
  unblockChecks,
  unblockedHere,
  whyNot,
} from './rules'

const paykey = (status: string, unblock_eligible?: boolean, code?: string) => ({
  status,
  unblock_eligible,
  status_details: { message: undefined, reason: undefined, source: undefined, code, changed_at: undefined },
})

const actions = Object.keys(startsFrom) as PaykeyAction[]

describe.each(actions)('%s', (action) => {
  test.each(paykeyStatuses)('from %s follows the table', (status) => {
    expect(whyNot(action, paykey(status, true)) === null).toBe(startsFrom[action].includes(status))
  })
  test('explains an unknown state and names it', () => {
    expect(whyNot(action, paykey('frozen', true))).toContain('“frozen”')
  })
})

describe('an unblock', () => {
  test.each(paykeyStatuses.filter((status) => status !== 'blocked'))('is closed for one that is %s, whatever else is said', (status) => {
    expect(unblockBar(paykey(status, true), false)?.id).toBe('status')
  })
  test('is open for a blocked one that is eligible and was never unblocked here', () => {
    expect(unblockBar(paykey('blocked', true, 'R29'), false)).toBeNull()
  })
  test('is closed where the service leaves it open', () => {
    expect(unblockBar(paykey('blocked', undefined, 'R29'), false)).toMatchObject({
      id: 'unknown',
      decision: expect.stringContaining('support'),
    })
  })
  test.each(['R02', 'R05'])('says that a block after %s stays', (code) => {
    expect(unblockBar(paykey('blocked', false, code), false)).toMatchObject({ id: 'eligible', why: expect.stringContaining(code) })
  })
  test('says that the one unblock was used', () => {
    expect(whyNot('unblock', paykey('blocked', false, 'R29'))).toMatch(/one unblock was used.*another bank account/)
  })
  test('is closed after one of ours, even if the service still offers it', () => {
    expect(unblockBar(paykey('blocked', true, 'R29'), true)?.id).toBe('used')
  })
})

test('an unblock counts as used here unless it was refused', () => {
  const unblock = (state: 'applied' | 'refused' | 'unknown' | 'needs_human') => ({ operation: 'paykeys.unblock' as const, state })
  expect(unblockedHere([])).toBe(false)
  expect(unblockedHere([unblock('refused'), { operation: 'paykeys.decide', state: 'applied' }])).toBe(false)
  expect(unblockedHere([unblock('refused'), unblock('applied')])).toBe(true)
  expect(unblockedHere([unblock('unknown')])).toBe(true)
})

test.each([
  [paykey('blocked', true), false, ['pass', 'pass', 'pass']],
  [paykey('blocked', false), true, ['pass', 'fail', 'fail']],
  [paykey('active', undefined), false, ['fail', 'unknown', 'pass']],
] as const)('the conditions of an unblock are checked one by one: %#', (blocked, used, results) => {
  expect(unblockChecks(blocked, used, '2026-03-31T12:00:00Z').map(({ result }) => result)).toEqual(results)
})

const at = (status: string | undefined, updated_at: string | undefined) =>
  ({ balance: { status, account_balance: undefined, updated_at } }) as Paykey

test.each([
  ['completed', 't1', false],
  ['pending', 't1', false],
  ['pending', 't2', false],
  ['completed', 't2', true],
  ['failed', 't2', true],
])('a balance that is %s at %s has come: %s', (status, updated, came) => {
  expect(balanceCame(at('completed', 't1'), at(status, updated))).toBe(came)
})

test('a balance that never was comes with its first time', () => {
  expect(balanceCame({ balance: undefined } as Paykey, at('failed', 't1'))).toBe(true)
  expect(balanceCame(at('pending', undefined), at('pending', undefined))).toBe(false)
})

const review = (status: string, updated_at: string) =>
  ({ paykey_details: { status }, verification_details: { updated_at } }) as unknown as PaykeyReview

test('a verification has run when its time is new or the paykey has moved', () => {
  expect(reviewCame(review('review', 't1'), review('review', 't1'))).toBe(false)
  expect(reviewCame(review('review', 't1'), review('review', 't2'))).toBe(true)
  expect(reviewCame(review('review', 't1'), review('active', 't1'))).toBe(true)
})

test('a failed balance is not told as one', () => {
  expect(balanceResult(at('failed', 't2'))).toContain('no balance')
  expect(balanceResult(at('completed', 't2'))).toContain('updated')
  expect(balanceResult(at(undefined, 't2'))).toContain('no balance')
})
