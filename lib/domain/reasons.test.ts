import { describe, expect, test } from 'vitest'
import {
  accountReasons,
  linkedBankReasons,
  representativeReasons,
} from '@/lib/features/accounts/labels/reasons'
import { customerChangeReasons } from '@/lib/features/customers/decisions'
import { newPaymentReasons, paymentChangeReasons } from '@/lib/features/payments/form'
import { decisionReasonInput } from '@/lib/operations/reason.schema'
import { decisionReasons, type PaymentDecision } from './payment-reasons'
import { composeReason, type DecisionReason, findReasonWarnings, parseReason } from './reasons'

const reasonLists: Record<string, readonly DecisionReason[]> = {
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

describe.each(Object.entries(reasonLists))('%s', (_, reasons) => {
  test.each(reasons)(
    '$code with its template is a complete reason without warnings',
    ({ code, template }) => {
      expect(decisionReasonInput.safeParse(composeReason(code, template)).success).toBe(true)
      expect(findReasonWarnings(template)).toEqual([])
    },
  )

  test('has unique codes', () => {
    expect(new Set(reasons.map(({ code }) => code)).size).toBe(reasons.length)
  })
})

const paymentReasons: Record<PaymentDecision, readonly DecisionReason[]> = decisionReasons

describe.each(Object.keys(decisionReasons) as PaymentDecision[])('%s', (decision) => {
  test.each(paymentReasons[decision])(
    '$code with its template is a valid reason',
    ({ code, template }) => {
      expect(decisionReasonInput.safeParse(composeReason(code, template)).success).toBe(true)
    },
  )
  test('has unique codes', () => {
    const reasonCodes = paymentReasons[decision].map(({ code }) => code)
    expect(new Set(reasonCodes).size).toBe(reasonCodes.length)
  })
})

test('a reason is composed as one line and can be parsed again', () => {
  const sentReason = composeReason('FALSE_POSITIVE', '  looked into\n and cleared ')
  expect(sentReason).toBe('FALSE_POSITIVE: looked into and cleared')
  expect(parseReason(sentReason)).toEqual({
    code: 'FALSE_POSITIVE',
    text: 'looked into and cleared',
  })
  expect(parseReason('Simulated daily limit')).toBeNull()
})

test.each([
  ['write to ron@example.com first', 'email'],
  ['called +1 555-010-2030 today', 'phone'],
  ['account 000123456789 is right', 'digits'],
  ['talked to ron about it', 'name'],
])('a reason with "%s" has a warning', (text, id) => {
  expect(findReasonWarnings(text, ['Ron Swanson']).map((warning) => warning.id)).toContain(id)
})

test('a reason with plain words, short numbers or words of a business name has no warning', () => {
  expect(
    findReasonWarnings('The proof for 2 of 3 services is good.', ['The Pawnee Services Group LLC']),
  ).toEqual([])
})

test('matches whole names only, in any script', () => {
  expect(findReasonWarnings('Ronald agreed', ['Ron Swanson'])).toEqual([])
  expect(findReasonWarnings('mit Jürgen gesprochen', ['Jürgen Groß']).map(({ id }) => id)).toEqual([
    'name',
  ])
  expect(findReasonWarnings('cost (plus) tax', ['A+B (plus) c++'])).toHaveLength(1)
})
