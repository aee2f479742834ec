import { expect, test } from 'vitest'
import { isStained, reputationGroups } from './customer-reputation'

test('only what was reported is drawn, grouped and in order', () => {
  const groups = reputationGroups({
    user_email_count: 2,
    ach_returned_transactions_count: 3,
    ach_returned_transactions_total_amount: 12_345,
    ach_returned_transactions_dates: ['2026-03-01'],
    accounts_count: 2,
  })
  expect(groups.map(({ label }) => label)).toEqual(['ACH returned', 'Accounts', 'What is known of the person'])
  expect(groups[0]?.counters).toEqual([
    { name: 'ach_returned_transactions_count', label: 'Count', kind: 'count', value: 3 },
    { name: 'ach_returned_transactions_total_amount', label: 'Total', kind: 'money', value: 12_345 },
    { name: 'ach_returned_transactions_dates', label: 'Dates', kind: 'dates', value: ['2026-03-01'] },
  ])
})

test('counters of the person are told in full', () => {
  expect(reputationGroups({ user_dob_count: 2 })[0]?.counters[0]).toMatchObject({ label: 'Dates of birth', value: 2 })
})

test('a counter nobody knows stands under other, and empty lists do not stand at all', () => {
  const [group, ...more] = reputationGroups({ loans_count: 1, accounts_closed_dates: [] })
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
] as [Record<string, number>, boolean][])('%o is grave: %s', (insights, grave) => {
  expect(reputationGroups(insights).some(isStained)).toBe(grave)
})
