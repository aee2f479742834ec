import type { PaymentCheckFacts } from '@/lib/features/payments/checks'
import { account } from '@/lib/operations/accounts.schema'
import { customer } from '@/lib/operations/customers.schema'
import { paykey } from '@/lib/operations/paykeys.schema'
import { paymentSummary, payout } from '@/lib/operations/payments.schema'

export const createUuidEndingWith = (last: number) =>
  `018f4c1e-7a3b-7c2d-9e10-${String(last).padStart(12, '0')}`
export const factsReadAt = '2026-03-31T15:00:00Z'
export const samplePaymentFields = {
  id: createUuidEndingWith(1),
  amount: '10000',
  currency: 'USD',
  status: 'on_hold',
  payment_date: '2026-03-31',
  is_refund: false,
}
/** Returns a paid payout in the form that payment lists contain. */
export const buildPayment = (id: number, overrides: object = {}) =>
  paymentSummary.parse({
    ...samplePaymentFields,
    id: createUuidEndingWith(id),
    payment_type: 'payout',
    status: 'paid',
    created_at: factsReadAt,
    ...overrides,
  })

/** The data about a held payout from which its checks are computed. Each test overrides a part. */
export const heldPayoutFacts: PaymentCheckFacts = {
  kind: 'payout',
  payment: payout.parse({
    ...samplePaymentFields,
    device: { ip_address: '192.0.2.1' },
    documents: [{ document_id: createUuidEndingWith(9), document_type: 'payment_authorization' }],
  }),
  readAt: factsReadAt,
  now: Date.parse(factsReadAt),
  unit: 'minor',
  paykey: {
    data: paykey.parse({
      id: createUuidEndingWith(2),
      status: 'active',
      balance: { status: 'completed', account_balance: 5000, updated_at: factsReadAt },
    }),
    at: factsReadAt,
  },
  customer: {
    data: customer.parse({ id: createUuidEndingWith(3), name: 'Ron', status: 'verified' }),
    at: factsReadAt,
  },
  account: {
    data: account.parse({
      id: createUuidEndingWith(4),
      status: 'active',
      settings: { payouts: { max_amount: 20_000, daily_amount: 30_000, monthly_amount: 50_000 } },
    }),
    at: factsReadAt,
  },
  spent: { data: { day: 20_000, month: 30_000 }, at: factsReadAt },
  recent: { data: [], at: factsReadAt },
}

/**
 * Returns the part of the facts that contains the payout, with other fields. Tests merge it into
 * the other facts.
 */
export const buildPayoutFacts = (paymentOverrides: object) => ({
  payment: payout.parse({ ...samplePaymentFields, ...paymentOverrides }),
})
