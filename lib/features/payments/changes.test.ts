import { expect, test } from 'vitest'
import { changesOf, draftOfPayment } from './changes'

const payment = { amount: '10000', description: 'Rent', payment_date: '2026-03-31', metadata: { order: '1', shop: 'x' } }
const draft = draftOfPayment(payment, 'minor')

test('what is there is in the form, and saving it as it is would change nothing', () => {
  expect(draft).toEqual({ amount: '100.00', description: 'Rent', payment_date: '2026-03-31', metadata: { order: '1', shop: 'x' } })
  expect(changesOf(payment, draft, 'minor')).toEqual([])
})

test('an amount that cannot be read is not made one', () => {
  expect(draftOfPayment({ ...payment, amount: '100.00' }, 'minor').amount).toBe('')
})

test('the same amount written otherwise is no change', () => {
  expect(changesOf(payment, { ...draft, amount: '100' }, 'minor')).toEqual([])
})

test('each change says before and after', () => {
  const changed = { amount: '1,200.5', description: 'Rent, April', payment_date: '2026-04-01', metadata: { order: '2', place: 'y' } }
  expect(changesOf(payment, changed, 'minor')).toEqual([
    { name: 'amount', label: 'Amount', before: '100.00', after: '1,200.50' },
    { name: 'description', label: 'Description', before: 'Rent', after: 'Rent, April' },
    { name: 'payment_date', label: 'Payment date', before: 'Mar 31, 2026', after: 'Apr 1, 2026' },
    { name: 'metadata', label: 'Metadata', before: '2 keys', after: 'without shop; other value of order; new place' },
  ])
})
