import { describe, expect, test } from 'vitest'
import { reason } from '@/lib/operations/reason.schema'
import { accountReasons } from './account-reasons'
import { customerChangeReasons } from './customer-reasons'
import { composeReason, type DecisionReason, reasonWarnings } from './decision-reasons'
import { linkedBankReasons } from './linked-bank-reasons'
import { newPaymentReasons, paymentChangeReasons } from './payment-reasons'
import { representativeReasons } from './representative-reasons'

const lists: Record<string, readonly DecisionReason[]> = {
  'a new payout': newPaymentReasons.payout,
  'a new charge': newPaymentReasons.charge,
  'a change of a payment': paymentChangeReasons,
  'a change of a customer': customerChangeReasons.edit,
  'a deactivation': customerChangeReasons.deactivate,
  'a reactivation': customerChangeReasons.reactivate,
  'a change of an account': accountReasons,
  'a change of a representative': representativeReasons,
  'a new linked bank account': linkedBankReasons.create,
  'a change of a linked bank account': linkedBankReasons.update,
  'a cancellation of a linked bank account': linkedBankReasons.cancel,
}

describe.each(Object.entries(lists))('%s', (_, reasons) => {
  test.each(reasons)('$code with its template is a whole reason and names nobody', ({ code, template }) => {
    expect(reason.safeParse(composeReason(code, template)).success).toBe(true)
    expect(reasonWarnings(template)).toEqual([])
  })

  test('has no code twice', () => {
    expect(new Set(reasons.map(({ code }) => code)).size).toBe(reasons.length)
  })
})
