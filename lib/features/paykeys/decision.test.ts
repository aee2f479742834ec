import { describe, expect, test } from 'vitest'
import type { Check } from '@/lib/domain/check'
import { composeReason, reasonWarnings } from '@/lib/domain/reasons'
import { warningName } from '@/lib/domain/warnings'
import { reason } from '@/lib/operations/reason.schema'
import { isReadingForApproval, type PaykeyDecision, paykeyReasons, paykeyWarnings } from './decision'

describe.each(Object.keys(paykeyReasons) as PaykeyDecision[])('%s', (decision) => {
  test.each(paykeyReasons[decision])('$code is a complete reason and names nobody', ({ code, template }) => {
    expect(reason.safeParse(composeReason(code, template)).success).toBe(true)
    expect(reasonWarnings(template)).toEqual([])
  })
  test('its codes differ', () => {
    const codes = paykeyReasons[decision].map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
  })
})

const check = (id: string, result: Check['result']): Check => ({ id, label: id, result, sentence: '', at: null })
const namesOf = (...args: Parameters<typeof paykeyWarnings>) => paykeyWarnings(...args).map(warningName)

test('an approval is ticked for each check it goes against, or that could not be made', () => {
  const checks = [check('names', 'fail'), check('customer', 'warn'), check('expiry', 'pass'), check('alike', 'unknown')]
  expect(namesOf('approve', checks)).toEqual(['approve_names:fail', 'approve_customer:warn', 'approve_alike:unknown'])
})

test('what the balance or the verification says is no reason against it, and what is still being read is waited for', () => {
  const checks = [check('balance', 'unknown'), check('verification', 'warn'), check('unblocked', 'warn'), check('names', 'loading')]
  expect([namesOf('approve', checks), isReadingForApproval(checks)]).toEqual([[], true])
  expect(isReadingForApproval([check('balance', 'loading')])).toBe(false)
})

test.each([
  ['reject', ['reject_paykey']],
  ['unblock', ['unblock_cause', 'unblock_bank']],
  ['cancel', ['cancel_paykey']],
] as const)('a decision to %s is ticked whatever the checks say', (decision, names) => {
  expect(namesOf(decision, [])).toEqual(names)
})
