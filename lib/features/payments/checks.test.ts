import { describe, expect, test } from 'vitest'
import { sumSpentAmounts, toMonthFilter } from '@/lib/domain/holds/limit-checks'
import { account } from '@/lib/operations/accounts.schema'
import { customer } from '@/lib/operations/customers.schema'
import { paykey } from '@/lib/operations/paykeys.schema'
import { charge, payout } from '@/lib/operations/payments.schema'
import {
  buildPayment,
  buildPayoutFacts,
  createUuidEndingWith,
  factsReadAt,
  heldPayoutFacts,
  samplePaymentFields,
} from '@/tests/payments/check-facts'
import { createPaymentChecks, type PaymentCheckFacts } from './checks'

const getCheckResult = (id: string, overrides: Partial<PaymentCheckFacts>) =>
  createPaymentChecks({ ...heldPayoutFacts, ...overrides }).find((check) => check.id === id)?.result
const createPaykeyFacts = (more: object) => ({
  paykey: {
    data: paykey.parse({ id: createUuidEndingWith(2), status: 'active', ...more }),
    at: factsReadAt,
  },
})

test('a payout without problems passes every check', () => {
  expect(createPaymentChecks(heldPayoutFacts).filter((check) => check.result !== 'pass')).toEqual(
    [],
  )
})

test.each(['pending', 'paid', 'failed', 'reversed', 'cancelled'])(
  'a payout that is %s has no checks',
  (status) => {
    expect(createPaymentChecks({ ...heldPayoutFacts, ...buildPayoutFacts({ status }) })).toEqual([])
  },
)

test.each(['created', 'validating', 'scheduled'])(
  'a payout that is %s has checks except the one for its hold',
  (status) => {
    const checkIds = createPaymentChecks({
      ...heldPayoutFacts,
      ...buildPayoutFacts({ status }),
    }).map(({ id }) => id)
    expect(checkIds[0]).toBe('paykey')
    expect(checkIds).not.toContain('held')
  },
)

describe.each<[string, Partial<PaymentCheckFacts>, string]>([
  ['held', buildPayoutFacts({ status: 'quarantined' }), 'unknown'],
  ['paykey', createPaykeyFacts({ status: 'review' }), 'fail'],
  ['paykey', createPaykeyFacts({ status: 'brand_new' }), 'unknown'],
  ['paykey', createPaykeyFacts({ expires_at: '2026-03-30T00:00:00Z' }), 'fail'],
  ['paykey', createPaykeyFacts({ expires_at: '2026-04-02T00:00:00Z' }), 'warn'],
  [
    'customer',
    {
      customer: {
        data: customer.parse({ id: createUuidEndingWith(3), name: 'Ron', status: 'rejected' }),
        at: factsReadAt,
      },
    },
    'fail',
  ],
  ['documents', buildPayoutFacts({}), 'warn'],
  ['limit_single', buildPayoutFacts({ amount: '20001' }), 'warn'],
  ['limit_single', buildPayoutFacts({ amount: '100.00' }), 'unknown'],
  ['limit_day', buildPayoutFacts({ amount: '10001' }), 'warn'],
  ['limit_day', { spent: { data: null, at: factsReadAt } }, 'unknown'],
  ['limit_month', { account: { error: 'not known' } }, 'unknown'],
  ['duplicates', { recent: { data: [buildPayment(7)], at: factsReadAt } }, 'warn'],
  [
    'duplicates',
    { recent: { data: [buildPayment(1), buildPayment(8, { amount: '1' })], at: factsReadAt } },
    'pass',
  ],
  ['relation', buildPayoutFacts({ has_resubmit: true }), 'warn'],
  ['relation', buildPayoutFacts({ is_refund: undefined }), 'unknown'],
  ['payment_date', buildPayoutFacts({ payment_date: '2026-03-30' }), 'warn'],
  ['payment_date', buildPayoutFacts({ payment_date: undefined }), 'unknown'],
  ['device', buildPayoutFacts({ device: { ip_address: '0.0.0.0' } }), 'warn'],
])('%s', (id, changed, result) => {
  test(`is ${result} for ${JSON.stringify(changed).slice(0, 90)}`, () => {
    expect(getCheckResult(id, changed)).toBe(result)
  })
})

const createChargeFacts = (more: object = {}): PaymentCheckFacts => ({
  ...heldPayoutFacts,
  kind: 'charge',
  payment: charge.parse({
    ...samplePaymentFields,
    is_refund: undefined,
    device: { ip_address: '192.0.2.1' },
    consent_type: 'internet',
    has_refund: false,
    ...more,
  }),
  account: {
    data: account.parse({
      id: createUuidEndingWith(4),
      status: 'active',
      settings: { charges: { max_amount: 5_000 }, payouts: { max_amount: 1 } },
    }),
    at: factsReadAt,
  },
  paykey: {
    data: paykey.parse({
      id: createUuidEndingWith(2),
      status: 'active',
      balance: { status: 'completed', account_balance: 9_999, updated_at: factsReadAt },
    }),
    at: factsReadAt,
  },
})
const signedConsent = { consent_type: 'signed_agreement' }
const proofDocuments = {
  documents: [{ document_id: createUuidEndingWith(9), document_type: 'payment_authorization' }],
}

describe.each<[string, object, string, string]>([
  ['balance', {}, 'warn', '$99.99: $0.01 too low.'],
  [
    'balance',
    { amount: '9999', config: { balance_check: 'required' } },
    'pass',
    'rejects the charge if the balance is unavailable',
  ],
  ['consent', {}, 'pass', 'authorized this online'],
  ['consent', signedConsent, 'warn', 'not on file'],
  ['consent', { ...signedConsent, ...proofDocuments }, 'pass', 'signed an agreement'],
  ['consent', { consent_type: 'signed' }, 'warn', 'not on file'],
  ['consent', { consent_type: 'signed', ...proofDocuments }, 'pass', 'signed an agreement'],
  ['consent', { consent_type: 'spoken' }, 'unknown', 'spoken'],
  ['consent', { consent_type: undefined }, 'unknown', 'does not say'],
  ['limit_single', {}, 'warn', 'Over by $50.00'],
  ['relation', { has_refund: true }, 'warn', 'Refunded, fully or partly'],
  ['relation', { has_refund: undefined }, 'unknown', 'does not say'],
  ['relation', {}, 'pass', 'Not refunded'],
  ['duplicates', {}, 'pass', 'No charge of this amount from this bank account'],
])('a charge: %s', (id, more, result, words) => {
  test(`is ${result} for ${JSON.stringify(more)}`, () => {
    const foundCheck = createPaymentChecks(createChargeFacts(more)).find((check) => check.id === id)
    expect(foundCheck).toMatchObject({ result, sentence: expect.stringContaining(words) })
  })
})

test('only charges have consent and balance checks', () => {
  expect(getCheckResult('consent', {})).toBeUndefined()
  expect(getCheckResult('balance', {})).toBeUndefined()
})

test.each<[string, object]>([
  [
    'on its way',
    { balance: { status: 'pending', account_balance: 9_999, updated_at: factsReadAt } },
  ],
  [
    'not refreshed',
    { balance: { status: 'failed', account_balance: 9_999, updated_at: factsReadAt } },
  ],
  [
    'old',
    {
      balance: { status: 'completed', account_balance: 9_999, updated_at: '2026-03-01T00:00:00Z' },
    },
  ],
  ['not there', {}],
])('a balance that is %s is unknown', (_, more) => {
  const checks = createPaymentChecks({ ...createChargeFacts(), ...createPaykeyFacts(more) })
  expect(checks.find(({ id }) => id === 'balance')?.result).toBe('unknown')
})

test('a failed refresh of the balance is not called a refresh in progress', () => {
  const failedBalance = { status: 'failed', account_balance: 9_999, updated_at: factsReadAt }
  const checks = createPaymentChecks({
    ...createChargeFacts(),
    ...createPaykeyFacts({ balance: failedBalance }),
  })
  expect(checks.find(({ id }) => id === 'balance')?.sentence).toContain('the last refresh failed')
})

test('a masked device has no check, and a missing device is unknown for a charge only', () => {
  expect(
    getCheckResult('device', buildPayoutFacts({ device: { ip_address: '**.**.**.**' } })),
  ).toBeUndefined()
  expect(getCheckResult('device', buildPayoutFacts({}))).toBeUndefined()
  const checks = createPaymentChecks(createChargeFacts({ device: undefined }))
  expect(checks.find(({ id }) => id === 'device')?.result).toBe('unknown')
})

test.each(['paykey', 'customer', 'account', 'recent'] as const)(
  'an unread %s turns its checks to unknown',
  (name) => {
    const checksBefore = createPaymentChecks(heldPayoutFacts)
    const checksAfter = createPaymentChecks({
      ...heldPayoutFacts,
      [name]: { error: 'The service did not answer.' },
    })
    const changedChecks = checksAfter.filter(
      (check, at) => check.result !== checksBefore[at]?.result,
    )
    expect(changedChecks.length).toBeGreaterThan(0)
    expect(changedChecks.every((check) => check.result === 'unknown')).toBe(true)
  },
)

describe('unreadable data never passes', () => {
  const createUnreadFacts = (field: string, more: object = {}) => ({
    payment: {
      ...payout.parse({ ...samplePaymentFields, ...more }),
      unreadable: [{ field, raw: '?' }],
    },
  })

  test.each([
    ['documents', 'documents', 'The documents could not be read.'],
    ['payment_date', 'payment_date', 'The payment date could not be read.'],
    ['device', 'device.ip_address', 'The device could not be read.'],
    ['relation', 'related_payments', 'The related payments could not be read.'],
  ])('%s', (id, field, sentence) => {
    const unreadCheck = createPaymentChecks({
      ...heldPayoutFacts,
      ...createUnreadFacts(field),
    }).find((check) => check.id === id)
    expect(unreadCheck).toMatchObject({ result: 'unknown', sentence })
  })

  test.each<[string, Partial<PaymentCheckFacts>]>([
    [
      'a row of the others',
      { recent: { data: [], at: factsReadAt, unread: [{ id: 'pay_7', raw: '?' }] } },
    ],
    [
      'the amount of another',
      { recent: { data: [buildPayment(7, { amount: null })], at: factsReadAt } },
    ],
    [
      'the amount itself',
      {
        ...buildPayoutFacts({ amount: null }),
        recent: { data: [buildPayment(7, { amount: null })], at: factsReadAt },
      },
    ],
  ])('duplicates are unknown without %s', (_, changed) => {
    expect(getCheckResult('duplicates', changed)).toBe('unknown')
  })
})

describe('spentOf', () => {
  test.each([
    ['a state', { status: null }],
    ['a date', { payment_date: null }],
  ])('is null if %s is unreadable', (_, more) => {
    expect(
      sumSpentAmounts(
        [buildPayment(7, more)],
        1,
        { id: null, payment_date: '2026-03-31' },
        'minor',
      ),
    ).toBeNull()
  })

  const monthPayments = [
    buildPayment(1),
    buildPayment(2, { amount: '500' }),
    buildPayment(3, { amount: '70', payment_date: '2026-03-02' }),
    buildPayment(4, { status: 'failed' }),
  ]
  test('sums the other payments of the day and the month, without stopped ones', () => {
    expect(sumSpentAmounts(monthPayments, 4, heldPayoutFacts.payment, 'minor')).toEqual({
      day: 500,
      month: 570,
    })
  })
  test('is null for a partial list or an unreadable amount', () => {
    expect(sumSpentAmounts(monthPayments, 5, heldPayoutFacts.payment, 'minor')).toBeNull()
    expect(
      sumSpentAmounts([buildPayment(2, { amount: '1.5' })], 1, heldPayoutFacts.payment, 'minor'),
    ).toBeNull()
  })
})

test('the month filter spans the calendar month', () => {
  expect(toMonthFilter('charge', '2028-02-10')).toMatchObject({
    payment_type: 'charge',
    min_payment_date: '2028-02-01',
    max_payment_date: '2028-02-29',
  })
})
