import { expect, test } from 'vitest'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { isHeldForLimit, wouldPass } from './limit-passing'
import { limitUsage } from './limit-usage'

const today = '2026-03-31'
const held = (id: string, amount: string, date = today, reason = 'amount_too_large') =>
  ({
    id,
    amount,
    payment_date: date,
    created_at: `2026-03-30T00:00:0${id}Z`,
    status: 'on_hold',
    status_details: { reason },
  }) as PaymentSummary
const usage = limitUsage([{ payment_date: today, amount: '4000', status: 'paid', currency: 'USD' }], 1, today, 'minor')
const limits = { max_amount: 5_000, daily_amount: 10_000, monthly_amount: 20_000, monthly_count: 10 }
const verdicts = (rows: readonly PaymentSummary[], more = limits, used = usage) =>
  wouldPass(rows, more, used, 'minor').map(({ id, verdict }) => `${id} ${verdict}`)

test('only what is held for a limit is judged', () => {
  expect(isHeldForLimit(held('1', '1', today, 'user_request'))).toBe(false)
  expect(verdicts([held('1', '1', today, 'user_request')])).toEqual([])
})

test('each comes on top of those before it, oldest first', () => {
  // 4,000 are used; 5,000 fit into the day, the next 5,000 do not, 1,000 do.
  expect(verdicts([held('3', '1000'), held('2', '5000'), held('1', '5000')])).toEqual(['1 passes', '2 held', '3 passes'])
})

test.each([
  ['one payment', { max_amount: 4_999 }, 'in one payment'],
  ['the day', { daily_amount: 8_999 }, 'in a day'],
  ['the month', { monthly_amount: 8_999 }, 'in the month'],
  ['the count', { monthly_count: 1 }, 'payments in the month'],
])('what is over the limit of %s says so', (_, change, words) => {
  const [line] = wouldPass([held('1', '5000')], { ...limits, ...change }, usage, 'minor')
  expect(line).toMatchObject({ verdict: 'held' })
  expect(line?.why).toContain(words)
})

test('what our sums do not cover is unknown, never a pass', () => {
  expect(verdicts([held('1', '100', '2026-04-01')])).toEqual(['1 unknown'])
  expect(verdicts([held('1', '100.00')])).toEqual(['1 unknown'])
  expect(verdicts([held('1', '100')], limits, { ...usage, atLeast: true })).toEqual(['1 unknown'])
  expect(verdicts([held('1', '9000')], limits, { ...usage, atLeast: true })).toEqual(['1 held'])
})
