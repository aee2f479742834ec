import { makeNotFoundProblem, makeUnprocessableProblem } from '@/sandbox/http/problem'
import type { OperationCall } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { toPaymentDate } from '@/sandbox/store/clock'
import type { Payment } from './payment'
import type { PaymentType } from './payment-values'

export function findPayment(
  type: PaymentType,
  { sandbox, params, account }: OperationCall,
): Payment {
  const payment = sandbox.payments.get(type, params.id ?? '')
  if (!payment || (account !== null && payment.account !== account)) throw makeNotFoundProblem(type)
  return payment
}

export const makeFieldProblem = (reference: string, detail: string) =>
  makeUnprocessableProblem('One or more fields are not valid.', [{ reference, detail }])

/** Payment dates are in New York time. */
export function requireTodayOrLater(date: string, now: number): void {
  const today = toPaymentDate(now)
  if (date < today)
    throw makeFieldProblem('payment_date', `must be today in New York (${today}) or later`)
}

export function requireUnusedExternalId(
  { payments }: OperationCall['sandbox'],
  type: PaymentType,
  externalId: string,
): void {
  const isTaken = payments
    .slotsOfExternalId(externalId)
    .some((slot) => payments.at(slot).type === type)
  if (isTaken) throw makeFieldProblem('external_id', `is already used by another ${type}`)
}

type PaymentsSandbox = Pick<Sandbox, 'payments'>

function findOriginalPayment(
  { payments }: PaymentsSandbox,
  { doc }: Payment,
  type: PaymentType,
): Payment | undefined {
  const relatedPayment = doc.related_payments.find(
    ({ relationship, payment_type }) => relationship === 'original' && payment_type === type,
  )
  return relatedPayment && payments.get(relatedPayment.payment_type, relatedPayment.id)
}

export const findRefundedCharge = (
  sandbox: PaymentsSandbox,
  payment: Payment,
): Payment | undefined =>
  payment.is_refund ? findOriginalPayment(sandbox, payment, 'charge') : undefined

/**
 * Returns an error text for a second refund or resubmit: only the first may move money
 * (provider-facts 3.1), and the original links only to the first.
 */
export function findDuplicateError(sandbox: PaymentsSandbox, payment: Payment): string | undefined {
  const originalPayment = payment.is_resubmit
    ? findOriginalPayment(sandbox, payment, payment.type)
    : findRefundedCharge(sandbox, payment)
  if (!originalPayment || originalPayment.doc.related_payments.some(({ id }) => id === payment.id))
    return undefined
  return `The ${originalPayment.type} was already ${payment.is_resubmit ? 'resubmitted' : 'refunded'}`
}

/**
 * Throws a 422 if the payment is a second refund or a second resubmit: resubmitting it would move
 * the money twice.
 */
export function requireNoDuplicate(sandbox: PaymentsSandbox, payment: Payment): void {
  const duplicateError = findDuplicateError(sandbox, payment)
  if (duplicateError !== undefined)
    throw makeUnprocessableProblem(
      `${duplicateError}, so this ${payment.type} cannot be resubmitted.`,
    )
}
