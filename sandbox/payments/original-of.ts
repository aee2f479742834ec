import { unprocessable } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Payment } from './payment'
import type { PaymentType } from './payment-values'

type Payments = Pick<Sandbox, 'payments'>

function linked({ payments }: Payments, { doc }: Payment, type: PaymentType): Payment | undefined {
  const link = doc.related_payments.find(({ relationship, payment_type }) => relationship === 'original' && payment_type === type)
  return link && payments.get(link.payment_type, link.id)
}

/** The charge that a refund pays back, be it the first attempt or a later one; undefined for any other payment. */
export const refundedCharge = (sandbox: Payments, payment: Payment): Payment | undefined =>
  payment.is_refund ? linked(sandbox, payment, 'charge') : undefined

/**
 * Why a payment is one too many, as a sentence; undefined when it is not. Every payment has one refund and one repetition that may move
 * money: the first, which is the only one it lists (provider-facts 3.1).
 */
export function oneTooMany(sandbox: Payments, payment: Payment): string | undefined {
  const original = payment.is_resubmit ? linked(sandbox, payment, payment.type) : refundedCharge(sandbox, payment)
  if (!original || original.doc.related_payments.some(({ id }) => id === payment.id)) return undefined
  return `The ${original.type} was already ${payment.is_resubmit ? 'resubmitted' : 'refunded'}`
}

/** Throws the 422 for a repetition of a payment that was one too many: it would move the money a second time after all. */
export function requireNotOneTooMany(sandbox: Payments, payment: Payment): void {
  const reason = oneTooMany(sandbox, payment)
  if (reason !== undefined) throw unprocessable(`${reason}, so this ${payment.type} cannot be resubmitted.`)
}
