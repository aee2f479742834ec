import { describe, expect, test } from 'vitest'
import type { CheckResult } from '@/lib/domain/check'
import { composeReason, findReasonWarnings } from '@/lib/domain/reasons'
import { toWarningName } from '@/lib/domain/warnings'
import { decisionReasonInput } from '@/lib/operations/reason.schema'
import {
  isApprovalCheckLoading,
  listPaykeyReasons,
  listPaykeyWarnings,
  type PaykeyDecision,
  paykeyReasons,
} from './decision'

describe.each(Object.keys(paykeyReasons) as PaykeyDecision[])('%s', (decision) => {
  test.each(paykeyReasons[decision])(
    '$code is a complete reason without warnings',
    ({ code, template }) => {
      expect(decisionReasonInput.safeParse(composeReason(code, template)).success).toBe(true)
      expect(findReasonWarnings(template)).toEqual([])
    },
  )
  test('has unique codes', () => {
    const reasonCodes = paykeyReasons[decision].map(({ code }) => code)
    expect(new Set(reasonCodes).size).toBe(reasonCodes.length)
  })
})

const createCheck = (id: string, result: CheckResult['result']): CheckResult => ({
  id,
  label: id,
  result,
  sentence: '',
  at: null,
})
const listWarningNames = (...args: Parameters<typeof listPaykeyWarnings>) =>
  listPaykeyWarnings(...args).map(toWarningName)

test('an approval requires a tick for each failed, warned or unknown check', () => {
  const checks = [
    createCheck('names', 'fail'),
    createCheck('customer', 'warn'),
    createCheck('expiry', 'pass'),
    createCheck('alike', 'unknown'),
  ]
  expect(listWarningNames('approve', checks)).toEqual([
    'approve_names:fail',
    'approve_customer:warn',
    'approve_alike:unknown',
  ])
})

test('balance and verification require no tick, and loading checks delay the approval', () => {
  const checks = [
    createCheck('balance', 'unknown'),
    createCheck('verification', 'warn'),
    createCheck('unblocked', 'warn'),
    createCheck('names', 'loading'),
  ]
  expect([listWarningNames('approve', checks), isApprovalCheckLoading(checks)]).toEqual([[], true])
  expect(isApprovalCheckLoading([createCheck('balance', 'loading')])).toBe(false)
})

test.each([
  ['reject', ['reject_paykey']],
  ['unblock', ['unblock_cause', 'unblock_bank']],
  ['cancel', ['cancel_paykey']],
] as const)('a decision to %s requires the same ticks whatever the checks', (decision, names) => {
  expect(listWarningNames(decision, [])).toEqual(names)
})

test.each([
  ['approve', { source: 'bank_account', status: 'review' }, 'MANUAL_ENTRY_VERIFIED', true],
  ['approve', { source: 'plaid', status: 'review' }, 'MANUAL_ENTRY_VERIFIED', false],
  ['cancel', { source: 'plaid', status: 'blocked' }, 'BLOCKED_AFTER_RETURN', true],
  ['cancel', { source: 'plaid', status: 'active' }, 'BLOCKED_AFTER_RETURN', false],
] as const)('to %s %o, %s is offered: %s', (decision, paykey, code, isOffered) => {
  const codes = listPaykeyReasons(decision, paykey).map((reason) => reason.code)
  expect(codes.includes(code)).toBe(isOffered)
})
