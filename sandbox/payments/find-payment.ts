import { notFound, unprocessable } from '@/sandbox/http/problem'
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
  if (!payment || (account !== null && payment.account !== account)) throw notFound(type)
  return payment
}

export const makeFieldProblem = (reference: string, detail: string) =>
  unprocessable('One or more fields are not valid.', [{ reference, detail }])

/** Throws a 422 if a payment date is before today. Payment dates are in New York time. */
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
  const link = doc.related_payments.find(
    ({ relationship, payment_type }) => relationship === 'original' && payment_type === type,
  )
  return link && payments.get(link.payment_type, link.id)
}

export const findRefundedCharge = (
  sandbox: PaymentsSandbox,
  payment: Payment,
): Payment | undefined =>
  payment.is_refund ? findOriginalPayment(sandbox, payment, 'charge') : undefined

/**
 * Returns an error text if the payment is a second refund or a second resubmit of its original
 * payment; otherwise undefined. Only the first refund and the first resubmit may move money
 * (provider-facts 3.1), and the original links only to these.
 */
export function findDuplicateError(sandbox: PaymentsSandbox, payment: Payment): string | undefined {
  const original = payment.is_resubmit
    ? findOriginalPayment(sandbox, payment, payment.type)
    : findRefundedCharge(sandbox, payment)
  if (!original || original.doc.related_payments.some(({ id }) => id === payment.id))
    return undefined
  return `The ${original.type} was already ${payment.is_resubmit ? 'resubmitted' : 'refunded'}`
}

/**
 * Throws a 422 if the payment is a second refund or a second resubmit, because resubmitting it
 * would move the money twice.
 */
export function requireNoDuplicate(sandbox: PaymentsSandbox, payment: Payment): void {
  const reason = findDuplicateError(sandbox, payment)
  if (reason !== undefined)
    throw unprocessable(`${reason}, so this ${payment.type} cannot be resubmitted.`)
}
