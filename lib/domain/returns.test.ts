import { describe, expect, test } from 'vitest'
import { isReturned, type ReturnPayment, returnLimits, returnRates, returnWindow } from './returns'

const failed = (code: string | undefined, source = 'bank_decline', status = 'failed'): ReturnPayment => ({
  status,
  status_details: { message: undefined, reason: undefined, changed_at: undefined, source, code },
})
const times = (count: number, payment: ReturnPayment) => Array.from({ length: count }, () => payment)
const rateOf = (id: string, standing: number, ended: readonly ReturnPayment[]) =>
  returnRates(standing, ended).rates.find((rate) => rate.id === id)

describe('what came back', () => {
  test.each([
    ['a bank’s refusal', failed('R01'), true],
    ['a dispute', failed('R10', 'customer_dispute'), true],
    ['a dispute in capitals', failed('R29', 'Customer_Dispute'), true],
    ['a bank’s refusal without a code', failed(undefined), true],
    ['a code from a source nobody knows', failed('R03', 'network'), true],
    ['a reversal without a code', failed(undefined, 'bank_decline', 'reversed'), true],
    ['the service’s own check', failed(undefined, 'watchtower'), false],
    ['a blocked bank account, which names the old return', failed('R29', 'watchtower'), false],
    ['no details at all', { status: 'failed', status_details: undefined }, false],
    ['a cancelled one', failed('R01', 'user_action', 'cancelled'), false],
  ])('%s: %s', (_, payment, expected) => expect(isReturned(payment)).toBe(expected))
})

test('a rate is what came back, divided by all that was sent, and what came back was sent too', () => {
  expect(returnRates(97, [failed('R01'), failed('R10', 'customer_dispute'), failed('R02', 'bank_decline', 'reversed')])).toMatchObject({
    debits: 100,
    returned: 3,
    rates: [
      { id: 'unauthorised', returned: 1, rate: 0.01, state: 'over' },
      { id: 'administrative', returned: 1, rate: 0.01, state: 'fine' },
      { id: 'overall', returned: 3, rate: 0.03, state: 'fine' },
    ],
  })
})

test('what never left counts on neither side', () => {
  expect(returnRates(10, times(5, failed('R29', 'watchtower')))).toMatchObject({ debits: 10, returned: 0, codes: [] })
})

test('every code stands where Nacha has it', () => {
  const groups = Object.fromEntries(returnLimits.map(({ id, codes }) => [id, codes]))
  expect(groups).toEqual({ unauthorised: ['R05', 'R07', 'R10', 'R29', 'R51'], administrative: ['R02', 'R03', 'R04'], overall: null })
})

describe('the state of a rate', () => {
  test.each([
    ['unauthorised', 'R10', 24, 9976, 'fine'],
    ['unauthorised', 'R10', 25, 9975, 'warn'],
    ['unauthorised', 'R10', 49, 9951, 'warn'],
    ['unauthorised', 'R10', 50, 9950, 'over'],
    ['administrative', 'R03', 149, 9851, 'fine'],
    ['administrative', 'R03', 150, 9850, 'warn'],
    ['administrative', 'R03', 300, 9700, 'over'],
    ['overall', 'R01', 749, 9251, 'fine'],
    ['overall', 'R01', 750, 9250, 'warn'],
    ['overall', 'R01', 1500, 8500, 'over'],
  ])('%s with %s %d times beside %d others is %s', (id, code, count, standing, state) => {
    expect(rateOf(id, standing, times(count, failed(code)))?.state).toBe(state)
  })
  test('is none where nothing was sent, never zero per cent', () => {
    expect(returnRates(0, []).rates.map(({ rate, state }) => [rate, state])).toEqual([
      [null, 'none'],
      [null, 'none'],
      [null, 'none'],
    ])
  })
})

test('codes are counted, most first, and returns without one are told', () => {
  const ended = [...times(2, failed('R03')), failed('R01'), ...times(2, failed('R02')), failed(undefined)]
  expect(returnRates(0, ended)).toMatchObject({
    codes: [
      { code: 'R02', count: 2 },
      { code: 'R03', count: 2 },
      { code: 'R01', count: 1 },
    ],
    uncoded: 1,
  })
})

test('the window is sixty dates with today among them', () => {
  expect(returnWindow('2026-11-21')).toEqual({ from: '2026-09-23', to: '2026-11-21' })
})
