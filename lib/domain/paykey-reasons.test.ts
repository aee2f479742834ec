import { describe, expect, test } from 'vitest'
import { reason } from '@/lib/operations/reason.schema'
import { composeReason, reasonWarnings } from './decision-reasons'
import { type PaykeyDecision, paykeyReasons } from './paykey-reasons'

describe.each(Object.keys(paykeyReasons) as PaykeyDecision[])('%s', (decision) => {
  test.each(paykeyReasons[decision])('$code is a whole reason by itself and names nobody', ({ code, template }) => {
    expect(reason.safeParse(composeReason(code, template)).success).toBe(true)
    expect(reasonWarnings(template)).toEqual([])
  })
  test('its codes differ', () => {
    const codes = paykeyReasons[decision].map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
  })
})
