import { expect, test } from 'vitest'
import { account } from '@/lib/operations/accounts.schema'
import { customer } from '@/lib/operations/customers.schema'
import { paykey } from '@/lib/operations/paykeys.schema'
import { paymentSummary } from '@/lib/operations/payments.schema'
import { listPlanWarnings } from './form'
import {
  createPlanChecks,
  formatPaymentPlan,
  type PaymentPlan,
  type PaymentPlanFacts,
} from './plan'

const createUuid = (last: number) => `018f4c1e-7a3b-7c2d-9e10-${String(last).padStart(12, '0')}`
const readAt = '2026-03-31T15:00:00Z'
const now = Date.parse(readAt)
const plan: PaymentPlan = {
  kind: 'charge',
  cents: 10_000,
  payment_date: '2026-03-31',
  auto_hold: false,
  balance_check: 'enabled',
}
const createRecentPayment = (amount: string) =>
  paymentSummary.parse({
    id: createUuid(7),
    payment_type: 'charge',
    amount,
    currency: 'USD',
    status: 'paid',
    created_at: readAt,
  })

const planFacts: PaymentPlanFacts = {
  now,
  unit: 'minor',
  paykey: {
    data: paykey.parse({
      id: createUuid(2),
      status: 'active',
      balance: { status: 'completed', account_balance: 20_000, updated_at: readAt },
    }),
    at: readAt,
  },
  customer: {
    data: customer.parse({ id: createUuid(3), name: 'Ron', status: 'verified' }),
    at: readAt,
  },
  account: {
    data: account.parse({
      id: createUuid(4),
      status: 'active',
      settings: { charges: { max_amount: 20_000, daily_amount: 30_000, monthly_amount: 50_000 } },
    }),
    at: readAt,
  },
  spent: { data: { day: 20_000, month: 30_000 }, at: readAt },
  recent: { data: [createRecentPayment('9999')], at: readAt },
}

test('a plan without problems requires no tick', () => {
  expect(listPlanWarnings(createPlanChecks(plan, planFacts))).toEqual([])
})

test('each warning requires a tick', () => {
  const warnings = listPlanWarnings(createPlanChecks({ ...plan, cents: 20_001 }, planFacts))
  expect(warnings.map(({ code }) => code)).toEqual([
    'balance_warn',
    'limit_single_warn',
    'limit_day_warn',
    'limit_month_warn',
  ])
  expect(
    listPlanWarnings(
      createPlanChecks(plan, {
        ...planFacts,
        customer: {
          data: customer.parse({ id: createUuid(3), name: 'R', status: 'review' }),
          at: readAt,
        },
      }),
    ),
  ).toHaveLength(1)
})

test.each([
  ['minor', '10000'],
  ['major', '100.00'],
] as const)('an equal amount in %s units counts as a duplicate', (unit, amount) => {
  const checks = createPlanChecks(plan, {
    ...planFacts,
    unit,
    recent: { data: [createRecentPayment(amount)], at: readAt },
  })
  expect(checks.find(({ id }) => id === 'duplicates')?.result).toBe('warn')
})

test('unread data is unknown and requires no tick', () => {
  const checks = createPlanChecks(plan, {
    ...planFacts,
    paykey: { error: 'The service did not answer.' },
    account: { error: 'Not known.' },
  })
  expect(checks.filter(({ result }) => result === 'unknown').map(({ id }) => id)).toEqual([
    'paykey',
    'balance',
    'limit_single',
    'limit_day',
    'limit_month',
  ])
  expect(listPlanWarnings(checks)).toEqual([])
})

test('a payout has no balance check', () => {
  expect(
    createPlanChecks({ ...plan, kind: 'payout' }, planFacts).map(({ id }) => id),
  ).not.toContain('balance')
})

test('states when the money moves', () => {
  expect(formatPaymentPlan(plan, now)).toContain('within seconds and the money is taken today.')
  expect(formatPaymentPlan({ ...plan, kind: 'payout', payment_date: '2026-04-02' }, now)).toContain(
    'the money leaves Thursday, Apr 2.',
  )
  const sunday = Date.parse('2026-11-22T17:00:00Z')
  expect(
    formatPaymentPlan({ ...plan, kind: 'payout', payment_date: '2026-11-22' }, sunday),
  ).toContain('Sunday, Nov 22 is not a banking day: the money leaves Monday, Nov 23.')
  expect(formatPaymentPlan({ ...plan, auto_hold: true }, now)).toBe(
    'The payment is on hold from its creation until someone releases it.',
  )
})
