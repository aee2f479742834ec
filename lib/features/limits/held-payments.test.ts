import { expect, test } from 'vitest'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { assessHeldPayments, isHeldForLimit } from './held-payments'
import { computeLimitUsage } from './usage'

const today = '2026-03-31'
const createHeldPayment = (id: string, amount: string, date = today, reason = 'amount_too_large') =>
  ({
    id,
    amount,
    payment_date: date,
    created_at: `2026-03-30T00:00:0${id}Z`,
    status: 'on_hold',
    status_details: { reason },
  }) as PaymentSummary
const usage = computeLimitUsage(
  [{ date: today, status: 'paid', currency: 'USD', count: 1, minor: 4000, unreadable: 0 }],
  today,
)
const limits = {
  max_amount: 5_000,
  daily_amount: 10_000,
  monthly_amount: 20_000,
  monthly_count: 10,
}
const listVerdicts = (rows: readonly PaymentSummary[], raisedLimits = limits, used = usage) =>
  assessHeldPayments(rows, raisedLimits, used, 'minor').map(({ id, verdict }) => `${id} ${verdict}`)

test('only payments held for a limit are judged', () => {
  expect(isHeldForLimit(createHeldPayment('1', '1', today, 'user_request'))).toBe(false)
  expect(listVerdicts([createHeldPayment('1', '1', today, 'user_request')])).toEqual([])
})

test('each payment is added to those before it, oldest first', () => {
  // The daily limit is 10,000, and 4,000 of it are used. The first 5,000 fit (9,000 used), the next
  // 5,000 do not, and the last 1,000 fit (10,000 used).
  expect(
    listVerdicts([
      createHeldPayment('3', '1000'),
      createHeldPayment('2', '5000'),
      createHeldPayment('1', '5000'),
    ]),
  ).toEqual(['1 passes', '2 held', '3 passes'])
})

test.each([
  ['one payment', { max_amount: 4_999 }, 'in one payment'],
  ['the day', { daily_amount: 8_999 }, 'in a day'],
  ['the month', { monthly_amount: 8_999 }, 'in the month'],
  ['the count', { monthly_count: 1 }, 'payments in the month'],
])('a payment over the limit of %s names the limit', (_, change, words) => {
  const [line] = assessHeldPayments(
    [createHeldPayment('1', '5000')],
    { ...limits, ...change },
    usage,
    'minor',
  )
  expect(line).toMatchObject({ verdict: 'held' })
  expect(line?.why).toContain(words)
})

test('a payment that the sums do not cover is unknown and never passes', () => {
  expect(listVerdicts([createHeldPayment('1', '100', '2026-04-01')])).toEqual(['1 unknown'])
  expect(listVerdicts([createHeldPayment('1', '100.00')])).toEqual(['1 unknown'])
  expect(
    listVerdicts([createHeldPayment('1', '100')], limits, { ...usage, atLeast: true }),
  ).toEqual(['1 unknown'])
  expect(
    listVerdicts([createHeldPayment('1', '9000')], limits, { ...usage, atLeast: true }),
  ).toEqual(['1 held'])
})
