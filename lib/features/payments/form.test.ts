import { describe, expect, test } from 'vitest'
import { toWarningName } from '@/lib/domain/warnings'
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
import {
  findAmountFault,
  findRefundAmountFault,
  isAnyCheckLoading,
  listReleaseWarnings,
  toPaymentReasonFacts,
} from './form'

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
  expect(findAmountFault(typed)).toEqual({ amount: fault })
})

test.each(['0.01', '1,250', '1250.5', '21,474,836.47'])('“%s” is accepted', (typed) => {
  expect(findAmountFault(typed)).toEqual({})
})

test('a refund is limited to the charge to the cent', () => {
  expect(findRefundAmountFault('100.00', 10_000)).toEqual({})
  expect(findRefundAmountFault('0.01', 10_000)).toEqual({})
  expect(findRefundAmountFault('100.01', 10_000)).toEqual({
    amount: 'Must be at most $100.00, the amount of the charge.',
  })
  expect(findRefundAmountFault('', 10_000)).toEqual({ amount: 'type an amount' })
})

const paymentWithProof = {
  ...samplePaymentFields,
  documents: [{ document_id: createUuidEndingWith(9) }],
}
const createPaykeyFacts = (overrides: object) => ({
  paykey: {
    data: paykey.parse({ id: createUuidEndingWith(2), status: 'active', ...overrides }),
    at: factsReadAt,
  },
})

const listWarningNames = (changed: Partial<PaymentCheckFacts>) =>
  listReleaseWarnings(createPaymentChecks({ ...heldPayoutFacts, ...changed })).map(toWarningName)

test('a release without problems requires no tick', () => {
  expect(listWarningNames({})).toEqual([])
})

test.each<[string, Partial<PaymentCheckFacts>, string[]]>([
  ['without proof', buildPayoutFacts({}), ['documents_warn']],
  [
    'over each limit, by how much',
    {
      payment: payout.parse({
        ...samplePaymentFields,
        amount: '28700',
        documents: [{ document_id: createUuidEndingWith(9) }],
      }),
    },
    ['limit_single_warn:8700', 'limit_day_warn:18700', 'limit_month_warn:8700'],
  ],
  [
    'over the daily limit alone',
    {
      payment: payout.parse({
        ...samplePaymentFields,
        amount: '10001',
        documents: [{ document_id: createUuidEndingWith(9) }],
      }),
    },
    ['limit_day_warn:1'],
  ],
  [
    'with an account nobody could read',
    { account: { error: 'not known' } },
    ['limit_single_unknown', 'limit_day_unknown', 'limit_month_unknown'],
  ],
  [
    'with payments of the month nobody could add up',
    { spent: { data: null, at: factsReadAt } },
    ['limit_day_unknown', 'limit_month_unknown'],
  ],
  [
    'with an expired bank account',
    createPaykeyFacts({ expires_at: '2026-03-30T00:00:00Z' }),
    ['paykey_fail'],
  ],
  ['with a bank account nobody could read', { paykey: { error: 'not known' } }, ['paykey_unknown']],
  [
    'for a customer in review',
    {
      customer: {
        data: customer.parse({ id: createUuidEndingWith(3), name: 'Ron', status: 'review' }),
        at: factsReadAt,
      },
    },
    ['customer_warn:review'],
  ],
  [
    'for a customer in a state nobody knows',
    {
      customer: {
        data: customer.parse({ id: createUuidEndingWith(3), name: 'Ron', status: 'odd' }),
        at: factsReadAt,
      },
    },
    ['customer_unknown'],
  ],
  [
    'beside another of the amount',
    { recent: { data: [buildPayment(7)], at: factsReadAt } },
    ['duplicates_warn:1'],
  ],
  [
    'of which nobody says what it is to others',
    { payment: payout.parse({ ...paymentWithProof, is_refund: undefined }) },
    ['relation_unknown'],
  ],
  [
    'without a payment date',
    { payment: payout.parse({ ...paymentWithProof, payment_date: undefined }) },
    ['payment_date_unknown'],
  ],
  [
    'where duplicates could not be read',
    { recent: { error: 'not known' } },
    ['duplicates_unknown'],
  ],
])('a release %s requires its own tick', (_, changed, names) => {
  expect(listWarningNames(changed)).toEqual(names)
})

test('no limit, a masked device, an unneeded balance and a soon expiring account require no tick', () => {
  const unlimitedAccount = {
    data: account.parse({
      id: createUuidEndingWith(4),
      status: 'active',
      settings: { payouts: {} },
    }),
    at: factsReadAt,
  }
  expect(
    listWarningNames({
      account: unlimitedAccount,
      ...createPaykeyFacts({ expires_at: '2026-04-02T00:00:00Z' }),
    }),
  ).toEqual([])
})

test.each<[string, Partial<PaymentCheckFacts>]>([
  [
    'a payout',
    {
      payment: payout.parse({ ...paymentWithProof, payment_date: undefined, is_refund: undefined }),
    },
  ],
  [
    'a payout whose device is masked',
    { payment: payout.parse({ ...paymentWithProof, device: { ip_address: '**.**.**.**' } }) },
  ],
  [
    'a charge',
    {
      kind: 'charge',
      payment: charge.parse({
        ...samplePaymentFields,
        has_refund: undefined,
        payment_date: undefined,
      }),
    },
  ],
  [
    'a charge whose balance the service looks at',
    {
      kind: 'charge',
      payment: charge.parse({
        ...samplePaymentFields,
        has_refund: false,
        config: { balance_check: 'required' },
      }),
    },
  ],
])('each unknown check of %s requires its own tick', (_, changed) => {
  const unreadResult = { error: 'not known' }
  const unreadPaymentReads = {
    paykey: { data: paykey.parse({ id: createUuidEndingWith(2), status: 'odd' }), at: factsReadAt },
    customer: unreadResult,
    spent: unreadResult,
    recent: unreadResult,
  }
  for (const read of [{}, { ...unreadPaymentReads, account: unreadResult }]) {
    const checks = createPaymentChecks({ ...heldPayoutFacts, ...changed, ...read })
    const unknownCheckIds = checks
      .filter(({ result, ordinary }) => result === 'unknown' && !ordinary)
      .map(({ id }) => id)
    expect(listReleaseWarnings(checks).map(({ code }) => code)).toEqual(
      expect.arrayContaining(unknownCheckIds.map((id) => `${id}_unknown`)),
    )
  }
})

test('a payout has no balance check, and no device check if the device is masked', () => {
  const listCheckIds = (changed: Partial<PaymentCheckFacts>) =>
    createPaymentChecks({ ...heldPayoutFacts, ...changed }).map(({ id }) => id)
  expect(listCheckIds({})).not.toContain('balance')
  expect(listCheckIds(buildPayoutFacts({}))).not.toContain('device')
  expect(listCheckIds(buildPayoutFacts({ device: { ip_address: '**.**.**.**' } }))).not.toContain(
    'device',
  )
  expect(listCheckIds({ kind: 'charge' })).toContain('balance')
})

test('a loading check is not a warning yet and delays the release', () => {
  const checks = createPaymentChecks({ ...heldPayoutFacts, recent: {} })
  expect([isAnyCheckLoading(checks), listReleaseWarnings(checks)]).toEqual([true, []])
  expect(isAnyCheckLoading(createPaymentChecks(heldPayoutFacts))).toBe(false)
})

describe('the facts of the reasons', () => {
  const heldPayment = { status: 'on_hold' }
  const toFacts = (changed: Partial<PaymentCheckFacts>, holdId: string | null = null) =>
    toPaymentReasonFacts(
      heldPayment,
      createPaymentChecks({ ...heldPayoutFacts, ...changed }),
      holdId,
    )

  test('come from the checks', () => {
    expect(toFacts({})).toMatchObject({
      proof_on_file: true,
      over_limit: false,
      bank_account_usable: true,
      canceled: false,
    })
    expect(toFacts(buildPayoutFacts({})).proof_on_file).toBe(false)
    expect(toFacts(createPaykeyFacts({ status: 'blocked' })).bank_account_usable).toBe(false)
    expect(
      toFacts({ payment: payout.parse({ ...paymentWithProof, amount: '28700' }) }).over_limit,
    ).toBe(true)
  })

  test('are unknown without a check', () => {
    expect(toFacts({ paykey: {}, account: {}, spent: {} })).toMatchObject({
      over_limit: undefined,
      bank_account_usable: undefined,
      balance_covers: undefined,
    })
    expect(toPaymentReasonFacts({ status: 'cancelled' }, [], null)).toMatchObject({
      proof_on_file: undefined,
      over_limit: undefined,
      canceled: true,
    })
  })

  test.each([
    ['held_by_person', true],
    ['auto_hold', true],
    ['risk', false],
    ['unknown', undefined],
    [null, undefined],
  ])('with the hold %s, own_hold is %s', (holdId, isOwn) => {
    expect(toFacts({}, holdId).own_hold).toBe(isOwn)
  })
})
