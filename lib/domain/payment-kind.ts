import type { Payout } from '@/lib/operations/payments.schema'

/** A charge takes money from a customer's bank account; a payout sends money to it. */
export type PaymentKind = 'charge' | 'payout'

/**
 * A charge or a payout: the shared fields, and the fields of one kind as optional (provider facts 2.3, 2.4). A missing field means unknown,
 * never false.
 */
export type Payment = Omit<Payout, 'config' | 'is_refund'> & {
  consent_type?: string
  config?: { sandbox_outcome?: string; auto_hold?: boolean; auto_hold_message?: string; balance_check?: string }
  /** Payouts only: it refunds a charge. */
  is_refund?: boolean
  /** Charges only: it was refunded, fully or partly. */
  has_refund?: boolean
}

/** The resource of a kind: the prefix of its operations and pages. */
export const resourceOfKind = { charge: 'charges', payout: 'payouts' } as const

/** The kind of a service `payment_type`; null if unknown. */
export const kindOf = (paymentType: string): PaymentKind | null =>
  paymentType === 'charge' || paymentType === 'payout' ? paymentType : null
