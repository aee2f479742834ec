import { kindOf, type Payment, type PaymentKind } from '@/lib/domain/payment-kind'

/** The refund or the second try of a payment; undefined where there is none or its kind is not known. */
export function laterOf(
  payment: Pick<Payment, 'related_payments'>,
  as: 'resubmit' | 'refund',
): { id: string; kind: PaymentKind } | undefined {
  const found = payment.related_payments.find(({ relationship }) => relationship === as)
  const kind = found && kindOf(found.payment_type)
  return found && kind ? { id: found.id, kind } : undefined
}
