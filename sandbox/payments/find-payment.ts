import { notFound, unprocessable } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { toPaymentDate } from '@/sandbox/store/clock'
import type { Payment } from './payment'
import type { PaymentType } from './payment-values'

export function findPayment(type: PaymentType, { sandbox, params, account }: Call): Payment {
  const payment = sandbox.payments.get(type, params.id ?? '')
  if (!payment || (account !== null && payment.account !== account)) throw notFound(type)
  return payment
}

export const fieldProblem = (reference: string, detail: string) =>
  unprocessable('One or more fields are not valid.', [{ reference, detail }])

/** Throws a 422 for a payment date before today in New York, where payment dates begin. */
export function requireTodayOrLater(date: string, now: number): void {
  const today = toPaymentDate(now)
  if (date < today) throw fieldProblem('payment_date', `must be today in New York (${today}) or later`)
}

export function requireFreeReference({ payments }: Call['sandbox'], type: PaymentType, externalId: string): void {
  const isTaken = payments.slotsOfExternalId(externalId).some((slot) => payments.at(slot).type === type)
  if (isTaken) throw fieldProblem('external_id', `is already used by another ${type}`)
}

type Payments = Pick<Sandbox, 'payments'>

function findOriginal({ payments }: Payments, { doc }: Payment, type: PaymentType): Payment | undefined {
  const link = doc.related_payments.find(({ relationship, payment_type }) => relationship === 'original' && payment_type === type)
  return link && payments.get(link.payment_type, link.id)
}

export const findRefundedCharge = (sandbox: Payments, payment: Payment): Payment | undefined =>
  payment.is_refund ? findOriginal(sandbox, payment, 'charge') : undefined

/**
 * Returns an error text if the payment is a second refund or resubmit of its original; otherwise undefined. Only the first of each may move
 * money (provider-facts 3.1). The original links only to that one.
 */
export function findDuplicateError(sandbox: Payments, payment: Payment): string | undefined {
  const original = payment.is_resubmit ? findOriginal(sandbox, payment, payment.type) : findRefundedCharge(sandbox, payment)
  if (!original || original.doc.related_payments.some(({ id }) => id === payment.id)) return undefined
  return `The ${original.type} was already ${payment.is_resubmit ? 'resubmitted' : 'refunded'}`
}

/** Throws a 422 for a second refund or resubmit. Resubmitting it would move the money twice. */
export function requireNoDuplicate(sandbox: Payments, payment: Payment): void {
  const reason = findDuplicateError(sandbox, payment)
  if (reason !== undefined) throw unprocessable(`${reason}, so this ${payment.type} cannot be resubmitted.`)
}
