import { describe, expect, test } from 'vitest'
import { explainHold, type HeldPaymentFacts } from './holds/explain-hold'
import {
  listPaymentReasons,
  type PaymentDecision,
  type PaymentReasonFacts,
} from './payment-reasons'

const createHold = (reason: string, overrides: Partial<HeldPaymentFacts> = {}) =>
  explainHold({
    details: { reason, source: 'watchtower', message: undefined, code: undefined, changed_at: '' },
    ...overrides,
  })
const listCodes = (
  decision: PaymentDecision,
  facts: PaymentReasonFacts,
  hold: ReturnType<typeof explainHold> | null = null,
) => listPaymentReasons(decision, facts, hold?.reasons ?? null).map(({ code }) => code)

const blockedPaykey = { status: 'blocked', code: 'R02', unblockEligible: false }

test.each<[string, HeldPaymentFacts['paykey'], PaymentReasonFacts, string]>([
  ['permanently blocked', blockedPaykey, { bank_account_usable: false }, 'BANK_ACCOUNT_UNUSABLE'],
  [
    'blocked after a return',
    { ...blockedPaykey, unblockEligible: true },
    { bank_account_usable: false },
    'BANK_ACCOUNT_UNUSABLE',
  ],
  ['rejected', { status: 'rejected' }, { bank_account_usable: false }, 'BANK_ACCOUNT_UNUSABLE'],
])(
  'a payment whose bank account is %s has a fitting reason to cancel',
  (_, paykey, facts, code) => {
    const hold = createHold('invalid_paykey', { paykey })
    expect(listCodes('cancel', facts, hold)[0]).toBe(code)
  },
)

test.each<[string, Partial<HeldPaymentFacts>, PaymentReasonFacts, string, string]>([
  ['auto_hold', {}, { own_hold: true }, 'INTERNAL_HOLD_LIFTED', 'CUSTOMER_REQUEST'],
  ['amount_too_large', {}, { over_limit: true }, 'LIMIT_ACCEPTED_ONCE', 'LIMIT_EXCEEDED'],
  ['risk_review', {}, { own_hold: false }, 'REVIEW_CLEARED', 'RISK_SIGNAL'],
  [
    'invalid_paykey',
    { paykey: { status: 'active' } },
    { bank_account_usable: true },
    'BANK_ACCOUNT_USABLE',
    'BANK_ACCOUNT_UNUSABLE',
  ],
  ['insufficient_funds', {}, { balance_covers: true }, 'FUNDS_AVAILABLE', 'CUSTOMER_REQUEST'],
  ['insufficient_funds', {}, { balance_covers: false }, 'CUSTOMER_CONFIRMED', 'BALANCE_TOO_LOW'],
  ['duplicate_entry', {}, {}, 'NOT_DUPLICATE', 'DUPLICATE_SUSPECTED'],
  ['new', { documents: 0 }, { proof_on_file: false }, 'CUSTOMER_CONFIRMED', 'PROOF_MISSING'],
])('a hold for %s with %o and %o has fitting reasons first', (reason, held, facts, ...codes) => {
  const hold = createHold(reason, held)
  expect([listCodes('release', facts, hold)[0], listCodes('cancel', facts, hold)[0]]).toEqual(codes)
})

describe('a reason is offered only if the facts do not contradict it', () => {
  test.each<[PaymentDecision, keyof PaymentReasonFacts, string, string | null]>([
    ['cancel', 'proof_on_file', 'PROOF_UNCLEAR', 'PROOF_MISSING'],
    ['release', 'proof_on_file', 'AUTH_PROOF_OK', null],
    ['release', 'over_limit', 'LIMIT_ACCEPTED_ONCE', 'LIMIT_MET'],
    ['cancel', 'over_limit', 'LIMIT_EXCEEDED', null],
    ['release', 'own_hold', 'INTERNAL_HOLD_LIFTED', null],
    ['release', 'bank_account_usable', 'BANK_ACCOUNT_USABLE', null],
    ['release', 'balance_covers', 'FUNDS_AVAILABLE', null],
    ['resubmit', 'canceled', 'CANCELLED_IN_ERROR', 'CAUSE_MENDED'],
  ])('%s, %s', (decision, fact, ifTrue, ifFalse) => {
    expect(listCodes(decision, { [fact]: true })).toContain(ifTrue)
    expect(listCodes(decision, { [fact]: false })).not.toContain(ifTrue)
    expect(listCodes(decision, {})).toContain(ifTrue)
    if (ifFalse === null) return
    expect(listCodes(decision, { [fact]: true })).not.toContain(ifFalse)
    expect(listCodes(decision, { [fact]: false })).toContain(ifFalse)
  })
})

test('a cancellation without a hold keeps the order of the list', () => {
  expect(listCodes('cancel', { proof_on_file: true })[0]).toBe('PROOF_UNCLEAR')
})
