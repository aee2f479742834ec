import { expect, test } from 'vitest'
import { redactValues } from './request-log'

test.each([
  ['The payout is paid and cannot be held.', 'The payout is paid and cannot be held.'],
  ['external_id "INV-7 of Ada" is taken', 'external_id … is taken'],
  ["The paykey '8b1f.aa' is not known", 'The paykey … is not known'],
  ['ada@example.test has a customer already', '… has a customer already'],
  ['Customer 018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f is rejected', 'Customer … is rejected'],
  ['Over the limit of 500000 by 12,500', 'Over the limit of … by …'],
  ['Call +1 555 017 2615 first', 'Call … first'],
  ['8b1f0c2d.02.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa is blocked', '… is blocked'],
])('%s', (given, plain) => expect(redactValues(given)).toBe(plain))

test('refusals of different objects have the same text', () => {
  const buildRedactedRefusal = (id: string, amount: number) =>
    redactValues(`Payout ${id} of ${amount} is over the daily limit`)
  expect(buildRedactedRefusal('018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f', 12)).toBe(
    buildRedactedRefusal('018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60', 99_000),
  )
})
