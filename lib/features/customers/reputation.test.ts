import { expect, test } from 'vitest'
import {
  formatCustomerStatusLine,
  hasNegativeCounter,
  toReputationGroups,
  toRiskWords,
} from './reputation'

test('lists only reported counters, grouped and in order', () => {
  const reputationGroups = toReputationGroups({
    user_email_count: 2,
    ach_returned_transactions_count: 3,
    ach_returned_transactions_total_amount: 12_345,
    ach_returned_transactions_dates: ['2026-03-01'],
    accounts_count: 2,
  })
  expect(reputationGroups.map(({ label }) => label)).toEqual([
    'ACH returned',
    'Accounts',
    'Known data of this person',
  ])
  expect(reputationGroups[0]?.counters).toEqual([
    { name: 'ach_returned_transactions_count', label: 'Count', kind: 'count', value: 3 },
    {
      name: 'ach_returned_transactions_total_amount',
      label: 'Total',
      kind: 'money',
      value: 12_345,
    },
    {
      name: 'ach_returned_transactions_dates',
      label: 'Dates',
      kind: 'dates',
      value: ['2026-03-01'],
    },
  ])
})

test('counters of the person have full labels', () => {
  expect(toReputationGroups({ user_dob_count: 2 })[0]?.counters[0]).toMatchObject({
    label: 'Dates of birth',
    value: 2,
  })
})

test('an unknown counter is listed under “Other”, and empty lists are omitted', () => {
  const [group, ...more] = toReputationGroups({ loans_count: 1, accounts_closed_dates: [] })
  expect(group).toMatchObject({ label: 'Other', counters: [{ label: 'Loans', value: 1 }] })
  expect(more).toEqual([])
})

test.each([
  [{ ach_fraud_transactions_count: 1 }, true],
  [{ ach_fraud_transactions_count: 0 }, false],
  [{ accounts_count: 4 }, false],
  [{ accounts_fraud_count: 1 }, true],
  [{ applications_fraud_count: 0 }, false],
  [{ card_disputed_transactions_total_amount: 500 }, false],
] as [Record<string, number>, boolean][])('%o counts as severe: %s', (insights, grave) => {
  expect(toReputationGroups(insights).some(hasNegativeCounter)).toBe(grave)
})

test.each([
  [0, 'Low risk', '0.00'],
  [0.001, 'Low risk', '0.01'],
  [0.399, 'Low risk', '0.40'],
  [0.4, 'Medium risk', '0.40'],
  [0.8, 'High risk', '0.80'],
  [1, 'High risk', '1.00'],
])('%s is a %s', (score, label, text) => {
  expect(toRiskWords(score)).toMatchObject({ label, text, position: score })
})

test.each([undefined, Number.NaN, -0.1, 1.01, 87])('%s is not a score', (score) => {
  expect(toRiskWords(score)).toBeNull()
})

const createVerificationResult = (decision: string, watchList = 'accept') => ({
  decision,
  breakdown: {},
  watch_list: { decision: watchList },
})

test.each([
  ['verified', createVerificationResult('accept'), 'Verified: Identity checks passed.'],
  [
    'verified',
    createVerificationResult('review', 'review'),
    'Verified although not all checks passed: watch lists (needs review).',
  ],
  [
    'verified',
    createVerificationResult('reject'),
    'Verified although the identity checks did not pass.',
  ],
  ['verified', undefined, 'Verified by identity checks or a reviewer.'],
  ['rejected', createVerificationResult('accept'), 'Rejected although the identity checks passed.'],
  [
    'rejected',
    createVerificationResult('reject', 'reject'),
    'Rejected by the identity checks or a reviewer.',
  ],
  [
    'review',
    createVerificationResult('review', 'review'),
    'In review: watch lists (needs review).',
  ],
  [
    'review',
    createVerificationResult('review'),
    'In review: all checks passed; a reviewer must still decide.',
  ],
  ['inactive', createVerificationResult('accept'), 'Inactive: Deactivated.'],
])('a customer that is %s has a text with its evidence', (status, details, text) => {
  expect(formatCustomerStatusLine(status, details)).toBe(text)
})
