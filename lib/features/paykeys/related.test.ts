import { describe, expect, test } from 'vitest'
import {
  formatExpectedEffects,
  groupPaymentsByEffect,
  hasFailedWithR29,
  predictPaymentEffect,
  sumWaitingPayments,
  type WaitingPayment,
} from './related'

const statusDetails = {
  message: undefined,
  source: undefined,
  code: undefined,
  changed_at: undefined,
}
const createWaitingPayment = (
  status: string,
  reason: string,
  amount = '1000',
  payment_type = 'charge',
): WaitingPayment => ({
  payment_type,
  status,
  amount,
  status_details: { ...statusDetails, reason },
})

test('charges and payouts are summed separately, and unreadable amounts are counted', () => {
  const payments = [
    createWaitingPayment('created', 'ok', '1050'),
    createWaitingPayment('on_hold', 'ok', '200', 'payout'),
    createWaitingPayment('created', 'ok', '10.50'),
  ]
  expect(sumWaitingPayments(payments, 'minor')).toEqual({
    count: 3,
    charges: 1050,
    payouts: 200,
    unreadable: 1,
  })
  expect(
    sumWaitingPayments([createWaitingPayment('created', 'ok', '1050', 'transfer')], 'minor'),
  ).toEqual({
    count: 1,
    charges: 0,
    payouts: 0,
    unreadable: 1,
  })
  expect(sumWaitingPayments([], 'minor')).toEqual({
    count: 0,
    charges: 0,
    payouts: 0,
    unreadable: 0,
  })
})

describe('the effect on a waiting payment', () => {
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
    ['on_hold', 'invalid_paykey', 'unblock', 'stays'],
    ['on_hold', 'watchtower_review', 'unblock', 'stays'],
  ] as const)('%s for %s on %s %s', (status, reason, decision, moves) => {
    expect(predictPaymentEffect(createWaitingPayment(status, reason), decision).moves).toBe(moves)
  })
  test('a payment held without a reason stays on hold', () => {
    expect(
      predictPaymentEffect(
        { ...createWaitingPayment('on_hold', ''), status_details: undefined },
        'approve',
      ).moves,
    ).toBe('stays')
  })
  test('effects are grouped, without empty groups', () => {
    const effectGroups = groupPaymentsByEffect(
      [
        createWaitingPayment('on_hold', 'user_request'),
        createWaitingPayment('created', 'ok'),
        createWaitingPayment('created', 'ok'),
      ],
      'approve',
    )
    expect(effectGroups.map(({ moves, payments }) => [moves, payments.length])).toEqual([
      ['goes_on', 2],
      ['stays', 1],
    ])
  })
})

describe('the expected effect of a decision', () => {
  const heldPayment = createWaitingPayment('on_hold', 'invalid_paykey')
  test.each([
    [
      'one held because of the block',
      [heldPayment],
      'unblock',
      '1 stays on hold until it is released.',
    ],
    [
      'some of them',
      [heldPayment, heldPayment, createWaitingPayment('created', 'ok')],
      'unblock',
      '1 goes on, 2 stay on hold until they are released.',
    ],
    [
      'one a person holds',
      [createWaitingPayment('on_hold', 'user_request')],
      'approve',
      '1 stays on hold until it is released.',
    ],
    [
      'one that can come to nothing',
      [heldPayment],
      'cancel',
      '1 stays on hold and fails once it is released.',
    ],
    [
      'one for the review',
      [createWaitingPayment('on_hold', 'require_review')],
      'reject',
      '1 fails.',
    ],
  ] as const)('%s', (_, payments, decision, text) => {
    expect(formatExpectedEffects(payments, decision)).toBe(text)
  })
})

test.each([
  ['failed', 'R29', true],
  ['reversed', 'R29', true],
  ['failed', 'R01', false],
  ['paid', 'R29', false],
])('%s with %s counts as lost to R29: %s', (status, code, lost) => {
  expect(
    hasFailedWithR29({ status, status_details: { ...statusDetails, reason: 'disputed', code } }),
  ).toBe(lost)
})
