import { describe, expect, test } from 'vitest'
import { account } from '@/lib/operations/accounts.schema'
import { charge } from '@/lib/operations/charges.schema'
import { customer } from '@/lib/operations/customers.schema'
import { paykey } from '@/lib/operations/paykeys.schema'
import { paymentSummary } from '@/lib/operations/payments.schema'
import { payout } from '@/lib/operations/payouts.schema'
import { known, missing } from './fact'
import { monthFilter, spentOf } from './limit-checks'
import { type CheckFacts, paymentChecks } from './payment-checks'

const uuid = (last: number) => `018f4c1e-7a3b-7c2d-9e10-${String(last).padStart(12, '0')}`
const readAt = '2026-03-31T15:00:00Z'
const sample = { id: uuid(1), amount: '10000', currency: 'USD', status: 'on_hold', payment_date: '2026-03-31', is_refund: false }
const payment = (id: number, more: object = {}) =>
  paymentSummary.parse({ ...sample, id: uuid(id), payment_type: 'payout', status: 'paid', created_at: readAt, ...more })

const facts: CheckFacts = {
  kind: 'payout',
  payment: payout.parse({
    ...sample,
    device: { ip_address: '192.0.2.1' },
    documents: [{ document_id: uuid(9), document_type: 'payment_authorization' }],
  }),
  readAt,
  now: Date.parse(readAt),
  unit: 'minor',
  paykey: known(
    paykey.parse({ id: uuid(2), status: 'active', balance: { status: 'completed', account_balance: 5000, updated_at: readAt } }),
    readAt,
  ),
  customer: known(customer.parse({ id: uuid(3), name: 'Ron', status: 'verified' }), readAt),
  account: known(
    account.parse({
      id: uuid(4),
      status: 'active',
      settings: { payouts: { max_amount: 20_000, daily_amount: 30_000, monthly_amount: 50_000 } },
    }),
    readAt,
  ),
  spent: known({ day: 20_000, month: 30_000 }, readAt),
  recent: known([], readAt),
}

const resultOf = (id: string, changed: Partial<CheckFacts>) =>
  paymentChecks({ ...facts, ...changed }).find((check) => check.id === id)?.result
const withPayout = (more: object) => ({ payment: payout.parse({ ...sample, ...more }) })
const withPaykey = (more: object) => ({ paykey: known(paykey.parse({ id: uuid(2), status: 'active', ...more }), readAt) })

test('a payout with everything in order passes every check', () => {
  expect(paymentChecks(facts).filter((check) => check.result !== 'pass')).toEqual([])
})

describe.each<[string, Partial<CheckFacts>, string]>([
  ['held', withPayout({ status: 'paid' }), 'warn'],
  ['held', withPayout({ status: 'quarantined' }), 'unknown'],
  ['paykey', withPaykey({ status: 'review' }), 'fail'],
  ['paykey', withPaykey({ status: 'brand_new' }), 'unknown'],
  ['paykey', withPaykey({ expires_at: '2026-03-30T00:00:00Z' }), 'fail'],
  ['paykey', withPaykey({ expires_at: '2026-04-02T00:00:00Z' }), 'warn'],
  ['balance', withPaykey({ balance: { status: 'pending', account_balance: 5000, updated_at: readAt } }), 'unknown'],
  ['balance', withPaykey({ balance: { status: 'completed', account_balance: 5000, updated_at: '2026-03-01T00:00:00Z' } }), 'unknown'],
  ['balance', withPaykey({}), 'unknown'],
  ['customer', { customer: known(customer.parse({ id: uuid(3), name: 'Ron', status: 'rejected' }), readAt) }, 'fail'],
  ['documents', withPayout({}), 'warn'],
  ['limit_single', withPayout({ amount: '20001' }), 'warn'],
  ['limit_single', withPayout({ amount: '100.00' }), 'unknown'],
  ['limit_day', withPayout({ amount: '10001' }), 'warn'],
  ['limit_day', { spent: known(null, readAt) }, 'unknown'],
  ['limit_month', { account: missing('not known') }, 'unknown'],
  ['duplicates', { recent: known([payment(7)], readAt) }, 'warn'],
  ['duplicates', { recent: known([payment(1), payment(8, { amount: '1' })], readAt) }, 'pass'],
  ['relation', withPayout({ has_resubmit: true }), 'warn'],
  ['relation', withPayout({ is_refund: undefined }), 'unknown'],
  ['payment_date', withPayout({ payment_date: '2026-03-30' }), 'warn'],
  ['payment_date', withPayout({ payment_date: undefined }), 'unknown'],
  ['device', withPayout({ device: { ip_address: '0.0.0.0' } }), 'warn'],
  ['device', withPayout({ device: { ip_address: '**.**.**.**' } }), 'unknown'],
  ['device', withPayout({}), 'unknown'],
])('%s', (id, changed, result) => {
  test(`is ${result} for ${JSON.stringify(changed).slice(0, 90)}`, () => {
    expect(resultOf(id, changed)).toBe(result)
  })
})

const chargeOf = (more: object = {}): CheckFacts => ({
  ...facts,
  kind: 'charge',
  payment: charge.parse({
    ...sample,
    is_refund: undefined,
    device: { ip_address: '192.0.2.1' },
    consent_type: 'internet',
    has_refund: false,
    ...more,
  }),
  account: known(
    account.parse({ id: uuid(4), status: 'active', settings: { charges: { max_amount: 5_000 }, payouts: { max_amount: 1 } } }),
    readAt,
  ),
  paykey: known(
    paykey.parse({ id: uuid(2), status: 'active', balance: { status: 'completed', account_balance: 9_999, updated_at: readAt } }),
    readAt,
  ),
})
const signed = { consent_type: 'signed_agreement' }
const proof = { documents: [{ document_id: uuid(9), document_type: 'payment_authorization' }] }

describe.each<[string, object, string, string]>([
  ['balance', {}, 'warn', '99.99, which is 0.01 too little.'],
  ['balance', { amount: '9999', config: { balance_check: 'required' } }, 'pass', 'refuses the charge where it can read none'],
  ['consent', {}, 'pass', 'agreed on the internet'],
  ['consent', signed, 'warn', 'not on file'],
  ['consent', { ...signed, ...proof }, 'pass', 'signed an agreement'],
  ['consent', { consent_type: undefined }, 'unknown', 'does not say'],
  ['limit_single', {}, 'warn', 'Over by 50.00'],
  ['relation', { has_refund: true }, 'warn', 'paid back'],
  ['relation', { has_refund: undefined }, 'unknown', 'does not say'],
  ['relation', {}, 'pass', 'Neither refunded'],
  ['duplicates', {}, 'pass', 'No charge of this amount from this bank account'],
])('a charge: %s', (id, more, result, words) => {
  test(`is ${result} for ${JSON.stringify(more)}`, () => {
    const found = paymentChecks(chargeOf(more)).find((check) => check.id === id)
    expect(found).toMatchObject({ result, sentence: expect.stringContaining(words) })
  })
})

test('only charges are asked for consent, and a payout does not need a balance', () => {
  expect(resultOf('consent', {})).toBeUndefined()
  expect(resultOf('balance', {})).toBe('pass')
})

test.each(['paykey', 'customer', 'account', 'recent'] as const)('what was not read is never a pass: %s', (name) => {
  const before = paymentChecks(facts)
  const after = paymentChecks({ ...facts, [name]: missing('The service did not answer.') })
  const turned = after.filter((check, at) => check.result !== before[at]?.result)
  expect(turned.length).toBeGreaterThan(0)
  expect(turned.every((check) => check.result === 'unknown')).toBe(true)
})

describe('spentOf', () => {
  const rows = [
    payment(1),
    payment(2, { amount: '500' }),
    payment(3, { amount: '70', payment_date: '2026-03-02' }),
    payment(4, { status: 'failed' }),
  ]
  test('adds the others of the day and the month, without what was stopped', () => {
    expect(spentOf(rows, 4, facts.payment, 'minor')).toEqual({ day: 500, month: 570 })
  })
  test('gives no sum of a part or of what cannot be read', () => {
    expect(spentOf(rows, 5, facts.payment, 'minor')).toBeNull()
    expect(spentOf([payment(2, { amount: '1.5' })], 1, facts.payment, 'minor')).toBeNull()
  })
})

test('the month filter spans the calendar month', () => {
  expect(monthFilter('charge', '2028-02-10')).toMatchObject({
    payment_type: 'charge',
    min_payment_date: '2028-02-01',
    max_payment_date: '2028-02-29',
  })
})
