import { expect, test } from 'vitest'
import { findPaymentChanges, toPaymentDraft } from './changes'

const payment = {
  amount: '10000',
  description: 'Rent',
  payment_date: '2026-03-31',
  metadata: { order: '1', shop: 'x' },
}
const draft = toPaymentDraft(payment, 'minor')

test('the form contains the current values, and unchanged values yield no changes', () => {
  expect(draft).toEqual({
    amount: '100.00',
    description: 'Rent',
    payment_date: '2026-03-31',
    metadata: { order: '1', shop: 'x' },
  })
  expect(findPaymentChanges(payment, draft, 'minor')).toEqual([])
})

test('an unreadable amount leaves the field empty', () => {
  expect(toPaymentDraft({ ...payment, amount: '100.00' }, 'minor').amount).toBe('')
})

test('the same amount in another notation is not a change', () => {
  expect(findPaymentChanges(payment, { ...draft, amount: '100' }, 'minor')).toEqual([])
})

test('each change has a value before and after', () => {
  const changedDraft = {
    amount: '1,200.5',
    description: 'Rent, April',
    payment_date: '2026-04-01',
    metadata: { order: '2', place: 'y' },
  }
  expect(findPaymentChanges(payment, changedDraft, 'minor')).toEqual([
    { name: 'amount', label: 'Amount', before: '100.00', after: '1,200.50' },
    { name: 'description', label: 'Description', before: 'Rent', after: 'Rent, April' },
    { name: 'payment_date', label: 'Payment date', before: 'Mar 31, 2026', after: 'Apr 1, 2026' },
    {
      name: 'metadata',
      label: 'Metadata',
      before: '2 keys',
      after: 'without shop; other value of order; new place',
    },
  ])
})
