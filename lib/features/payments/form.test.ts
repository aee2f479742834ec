import { expect, test } from 'vitest'
import { toWarningName } from '@/lib/domain/warnings'
import { account } from '@/lib/operations/accounts.schema'
import { customer } from '@/lib/operations/customers.schema'
import { paykey } from '@/lib/operations/paykeys.schema'
import { charge, payout } from '@/lib/operations/payments.schema'
import { facts, payment, readAt, sample, uuid, withPayout } from '@/tests/payments/check-facts'
import { type CheckFacts, paymentChecks } from './checks'
import { amountFault, isReading, refundAmountFault, releaseWarnings } from './form'

test.each([
  ['', 'type an amount'],
  ['  ', 'type an amount'],
  ['ten', 'Must be an amount like 1,250.00.'],
  ['1.234', 'Must be an amount like 1,250.00.'],
  ['12,50', 'Use a point for cents: 12.50'],
  ['0.00', 'Must be more than zero.'],
  ['-5', 'Must be more than zero.'],
  ['21,474,836.48', 'Must be at most $21,474,836.47.'],
])('“%s” is refused', (typed, fault) => {
  expect(amountFault(typed)).toEqual({ amount: fault })
})

test.each(['0.01', '1,250', '1250.5', '21,474,836.47'])('“%s” is accepted', (typed) => {
  expect(amountFault(typed)).toEqual({})
})

test('a refund is limited to the charge to the cent', () => {
  expect(refundAmountFault('100.00', 10_000)).toEqual({})
  expect(refundAmountFault('0.01', 10_000)).toEqual({})
  expect(refundAmountFault('100.01', 10_000)).toEqual({ amount: 'Must be at most $100.00, the amount of the charge.' })
  expect(refundAmountFault('', 10_000)).toEqual({ amount: 'type an amount' })
})

const withProof = { ...sample, documents: [{ document_id: uuid(9) }] }
const withPaykey = (more: object) => ({ paykey: { data: paykey.parse({ id: uuid(2), status: 'active', ...more }), at: readAt } })

const warningNames = (changed: Partial<CheckFacts>) => releaseWarnings(paymentChecks({ ...facts, ...changed })).map(toWarningName)

test('a release without problems requires no tick', () => {
  expect(warningNames({})).toEqual([])
})

test.each<[string, Partial<CheckFacts>, string[]]>([
  ['without proof', withPayout({}), ['documents_warn']],
  [
    'over each limit, by how much',
    { payment: payout.parse({ ...sample, amount: '28700', documents: [{ document_id: uuid(9) }] }) },
    ['limit_single_warn:8700', 'limit_day_warn:18700', 'limit_month_warn:8700'],
  ],
  [
    'over the daily limit alone',
    { payment: payout.parse({ ...sample, amount: '10001', documents: [{ document_id: uuid(9) }] }) },
    ['limit_day_warn:1'],
  ],
  [
    'with an account nobody could read',
    { account: { error: 'not known' } },
    ['limit_single_unknown', 'limit_day_unknown', 'limit_month_unknown'],
  ],
  ['with payments of the month nobody could add up', { spent: { data: null, at: readAt } }, ['limit_day_unknown', 'limit_month_unknown']],
  ['with an expired bank account', withPaykey({ expires_at: '2026-03-30T00:00:00Z' }), ['paykey_fail']],
  ['with a bank account nobody could read', { paykey: { error: 'not known' } }, ['paykey_unknown']],
  [
    'for a customer in review',
    { customer: { data: customer.parse({ id: uuid(3), name: 'Ron', status: 'review' }), at: readAt } },
    ['customer_warn:review'],
  ],
  [
    'for a customer in a state nobody knows',
    { customer: { data: customer.parse({ id: uuid(3), name: 'Ron', status: 'odd' }), at: readAt } },
    ['customer_unknown'],
  ],
  ['beside another of the amount', { recent: { data: [payment(7)], at: readAt } }, ['duplicates_warn:1']],
  ['of which nobody says what it is to others', { payment: payout.parse({ ...withProof, is_refund: undefined }) }, ['relation_unknown']],
  ['without a payment date', { payment: payout.parse({ ...withProof, payment_date: undefined }) }, ['payment_date_unknown']],
  ['where duplicates could not be read', { recent: { error: 'not known' } }, ['duplicates_unknown']],
])('a release %s requires its own tick', (_, changed, names) => {
  expect(warningNames(changed)).toEqual(names)
})

test('no limit, a masked device, an unneeded balance and a soon expiring account require no tick', () => {
  const unlimited = { data: account.parse({ id: uuid(4), status: 'active', settings: { payouts: {} } }), at: readAt }
  expect(warningNames({ account: unlimited, ...withPaykey({ expires_at: '2026-04-02T00:00:00Z' }) })).toEqual([])
})

test.each<[string, Partial<CheckFacts>]>([
  ['a payout', { payment: payout.parse({ ...withProof, payment_date: undefined, is_refund: undefined }) }],
  ['a payout whose device is masked', { payment: payout.parse({ ...withProof, device: { ip_address: '**.**.**.**' } }) }],
  ['a charge', { kind: 'charge', payment: charge.parse({ ...sample, has_refund: undefined, payment_date: undefined }) }],
  [
    'a charge whose balance the service looks at',
    { kind: 'charge', payment: charge.parse({ ...sample, has_refund: false, config: { balance_check: 'required' } }) },
  ],
])('each unknown check of %s requires its own tick', (_, changed) => {
  const unread = { error: 'not known' }
  const all = {
    paykey: { data: paykey.parse({ id: uuid(2), status: 'odd' }), at: readAt },
    customer: unread,
    spent: unread,
    recent: unread,
  }
  for (const read of [{}, { ...all, account: unread }]) {
    const checks = paymentChecks({ ...facts, ...changed, ...read })
    const unknown = checks.filter(({ result, ordinary }) => result === 'unknown' && !ordinary).map(({ id }) => id)
    expect(releaseWarnings(checks).map(({ code }) => code)).toEqual(expect.arrayContaining(unknown.map((id) => `${id}_unknown`)))
  }
})

test('a payout has no balance check, and no device check if the device is masked', () => {
  const ids = (changed: Partial<CheckFacts>) => paymentChecks({ ...facts, ...changed }).map(({ id }) => id)
  expect(ids({})).not.toContain('balance')
  expect(ids(withPayout({}))).not.toContain('device')
  expect(ids(withPayout({ device: { ip_address: '**.**.**.**' } }))).not.toContain('device')
  expect(ids({ kind: 'charge' })).toContain('balance')
})

test('a loading check is not a warning yet and delays the release', () => {
  const checks = paymentChecks({ ...facts, recent: {} })
  expect([isReading(checks), releaseWarnings(checks)]).toEqual([true, []])
  expect(isReading(paymentChecks(facts))).toBe(false)
})
