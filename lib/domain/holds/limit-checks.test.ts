import { expect, test } from 'vitest'
import { charge } from '@/lib/operations/payments.schema'
import type { HeldPaymentFacts } from './explain-hold'
import { findMissingFacts, toHeldPaymentFacts } from './limit-checks'

const createStatusDetails = (reason: string, message?: string) => ({
  reason,
  message,
  source: 'watchtower',
  code: undefined,
  changed_at: undefined,
})
const listMissingFacts = (facts: HeldPaymentFacts) =>
  Object.entries(findMissingFacts(facts)).flatMap(([name, needed]) => (needed ? [name] : []))
const paykey = { status: 'active' }

test.each<[string, HeldPaymentFacts, string[]]>([
  ['a wish at creation says it all', { details: createStatusDetails('auto_hold', 'Ask Ann') }, []],
  ['also without its text', { details: createStatusDetails('auto_hold') }, []],
  [
    'any other hangs on the bank account first',
    { details: createStatusDetails('user_request') },
    ['paykey'],
  ],
  [
    'a person’s hold needs no more than that',
    { details: createStatusDetails('user_request'), paykey },
    [],
  ],
  [
    'a limit needs the limits',
    { details: createStatusDetails('amount_too_large'), amount: 5, paykey },
    ['limits'],
  ],
  [
    'then the sums',
    {
      details: createStatusDetails('amount_too_large'),
      amount: 5,
      paykey,
      limits: { max_amount: 9 },
    },
    ['sums'],
  ],
  [
    'not where the single limit explains it',
    {
      details: createStatusDetails('amount_too_large'),
      amount: 5,
      paykey,
      limits: { max_amount: 4 },
    },
    [],
  ],
  [
    'nor once the sums were looked at',
    {
      details: createStatusDetails('amount_too_large'),
      amount: 5,
      paykey,
      limits: {},
      spent: null,
    },
    [],
  ],
  [
    'a reason about the bank account needs its very state',
    { details: createStatusDetails('invalid_paykey') },
    ['paykey'],
  ],
  [
    'a reason nobody knows needs everything',
    { details: createStatusDetails('brand_new'), paykey },
    ['limits'],
  ],
])('%s', (_, facts, needs) => {
  expect(listMissingFacts(facts)).toEqual(needs)
})

test('a payment with an empty document list has zero documents', () => {
  const samplePayment = {
    id: '018f4c1e-7a3b-7c2d-9e10-000000000001',
    amount: '1',
    currency: 'USD',
    status: 'on_hold',
  }
  expect(toHeldPaymentFacts(charge.parse({ ...samplePayment, documents: [] })).documents).toBe(0)
})
