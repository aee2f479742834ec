import { describe, expect, test } from 'vitest'
import { effectOn, effectsOf, lostToR29, sumOf, type Waiting } from './paykey-payments'

const details = { message: undefined, source: undefined, code: undefined, changed_at: undefined }
const payment = (status: string, reason: string, amount = '1000', payment_type = 'charge'): Waiting => ({
  payment_type,
  status,
  amount,
  status_details: { ...details, reason },
})

test('charges and payouts are summed apart, and what cannot be read is in neither', () => {
  const payments = [payment('created', 'ok', '1050'), payment('on_hold', 'ok', '200', 'payout'), payment('created', 'ok', '10.50')]
  expect(sumOf(payments, 'minor')).toEqual({ count: 3, charges: 1050, payouts: 200, unreadable: 1 })
  expect(sumOf([], 'minor')).toEqual({ count: 0, charges: 0, payouts: 0, unreadable: 0 })
})

describe('what becomes of a payment that waits', () => {
  test.each([
    ['on_hold', 'watchtower_review', 'approve', 'goes_on'],
    ['on_hold', 'Watchtower_Review', 'approve', 'goes_on'],
    ['on_hold', 'require_review', 'reject', 'fails'],
    ['on_hold', 'user_request', 'approve', 'stays'],
    ['on_hold', 'amount_too_large', 'reject', 'stays'],
    ['created', 'ok', 'approve', 'goes_on'],
    ['created', 'ok', 'reject', 'fails'],
    ['created', 'ok', 'cancel', 'fails'],
    ['created', 'ok', 'unblock', 'goes_on'],
  ] as const)('%s for %s on %s %s', (status, reason, turn, moves) => {
    expect(effectOn(payment(status, reason), turn).moves).toBe(moves)
  })
  test('one that is held without a reason stays: nothing is guessed', () => {
    expect(effectOn({ ...payment('on_hold', ''), status_details: undefined }, 'approve').moves).toBe('stays')
  })
  test('they are told in groups, the empty ones left out', () => {
    const groups = effectsOf([payment('on_hold', 'user_request'), payment('created', 'ok'), payment('created', 'ok')], 'approve')
    expect(groups.map(({ moves, payments }) => [moves, payments.length])).toEqual([
      ['goes_on', 2],
      ['stays', 1],
    ])
  })
})

test.each([
  ['failed', 'R29', true],
  ['reversed', 'R29', true],
  ['failed', 'R01', false],
  ['paid', 'R29', false],
])('%s with %s was lost to R29: %s', (status, code, lost) => {
  expect(lostToR29({ status, status_details: { ...details, reason: 'disputed', code } })).toBe(lost)
})
