import { expect, test } from 'vitest'
import { type NextFacts, nextStep } from './payment-next'

const facts = (status: string, code?: string, more: Partial<NextFacts> = {}): NextFacts => ({
  kind: 'charge',
  payment: {
    status,
    has_resubmit: false,
    status_details: { code, message: undefined, reason: undefined, source: undefined, changed_at: undefined },
  },
  ...more,
})

test.each<[string, NextFacts, string | null]>([
  ['is on its way', facts('pending'), null],
  ['was paid', facts('paid'), null],
  ['was cancelled by a person', facts('cancelled'), null],
  ['came back for want of money', facts('reversed', 'R01'), 'resubmit'],
  ['failed without a code', facts('failed'), 'resubmit'],
  ['failed for a code nobody knows', facts('failed', 'R77'), 'resubmit'],
  ['was not authorised', facts('failed', 'R10'), 'resubmit'],
  ['met a closed account', facts('failed', 'R02'), 'other_account'],
  ['met an owner who died', facts('failed', 'R14'), 'stop'],
  ['met an account the bank froze', facts('failed', 'R16'), 'stop'],
  ['left its bank account blocked, once', facts('failed', 'R29', { paykeyStatus: 'blocked', unblockEligible: true }), 'unblock'],
  ['left its bank account blocked for good', facts('failed', 'R29', { paykeyStatus: 'blocked', unblockEligible: false }), 'other_account'],
  ['left it blocked, and nothing says for how long', facts('failed', 'R29', { paykeyStatus: 'blocked' }), 'other_account'],
  ['was on an account that was unblocked since', facts('failed', 'R29', { paykeyStatus: 'active' }), 'resubmit'],
  ['was on an account that was refused', facts('failed', undefined, { paykeyStatus: 'rejected' }), 'other_account'],
])('a charge that %s', (_what, given, expected) => {
  expect(nextStep(given)?.id ?? null).toBe(expected)
})

test.each(['failed', 'reversed', 'cancelled'])('what is %s and was sent again is followed, whatever else is known', (status) => {
  const given = facts(status, 'R29', { paykeyStatus: 'blocked', unblockEligible: true })
  expect(nextStep({ ...given, payment: { ...given.payment, has_resubmit: true } })?.id).toBe('follow')
})
