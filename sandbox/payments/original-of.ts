import { unprocessable } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Payment } from './payment'
import type { PaymentType } from './payment-values'

type Payments = Pick<Sandbox, 'payments'>

function linked({ payments }: Payments, { doc }: Payment, type: PaymentType): Payment | undefined {
  const link = doc.related_payments.find(({ relationship, payment_type }) => relationship === 'original' && payment_type === type)
  return link && payments.get(link.payment_type, link.id)
}

/** Returns the charge that a refund (first or resubmitted) pays back; undefined for any other payment. */
export const refundedCharge = (sandbox: Payments, payment: Payment): Payment | undefined =>
  payment.is_refund ? linked(sandbox, payment, 'charge') : undefined

/**
 * Returns an error text if a payment is a second refund or resubmit, otherwise undefined. Only the first of each may move money: the only
 * one the original lists (provider-facts 3.1).
 */
export function oneTooMany(sandbox: Payments, payment: Payment): string | undefined {
  const original = payment.is_resubmit ? linked(sandbox, payment, payment.type) : refundedCharge(sandbox, payment)
  if (!original || original.doc.related_payments.some(({ id }) => id === payment.id)) return undefined
  return `The ${original.type} was already ${payment.is_resubmit ? 'resubmitted' : 'refunded'}`
}

/** Throws a 422 for a resubmit of a second refund or resubmit: it would move the money twice. */
export function requireNotOneTooMany(sandbox: Payments, payment: Payment): void {
  const reason = oneTooMany(sandbox, payment)
  if (reason !== undefined) throw unprocessable(`${reason}, so this ${payment.type} cannot be resubmitted.`)
}
