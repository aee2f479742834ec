import { expect, test } from 'vitest'
import type { Paykey, PaykeyReview } from '@/lib/operations/paykeys.schema'
import { balanceCame, balanceResult, reviewCame } from './paykey-refresh'

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
  expect(balanceResult(at('completed', 't2'))).toContain('new')
  expect(balanceResult(at(undefined, 't2'))).toContain('not with a balance')
})
