import { expect, test } from 'vitest'
import { amountFault, refundAmountFault } from './payment-amounts'

test.each([
  ['', 'type an amount'],
  ['  ', 'type an amount'],
  ['ten', 'must be an amount like 1,250.00'],
  ['1.234', 'must be an amount like 1,250.00'],
  ['0.00', 'must be more than zero'],
  ['-5', 'must be more than zero'],
  ['21,474,836.48', 'must be at most 21,474,836.47'],
])('“%s” is refused', (typed, fault) => {
  expect(amountFault(typed)).toEqual({ amount: fault })
})

test.each(['0.01', '1,250', '1250.5', '21,474,836.47'])('“%s” is taken', (typed) => {
  expect(amountFault(typed)).toEqual({})
})

test('a refund is bounded by the charge, to the cent', () => {
  expect(refundAmountFault('100.00', 10_000)).toEqual({})
  expect(refundAmountFault('0.01', 10_000)).toEqual({})
  expect(refundAmountFault('100.01', 10_000)).toEqual({ amount: 'must be at most 100.00, the amount of the charge' })
  expect(refundAmountFault('', 10_000)).toEqual({ amount: 'type an amount' })
})
