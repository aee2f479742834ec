import type { Payout } from '@/lib/operations/payments.schema'

/** What a payment is: a charge takes money from a customer's bank account, a payout sends money to it. */
export type PaymentKind = 'charge' | 'payout'

/**
 * A charge or a payout as screens and rules look at it: what both have, and what only one of them says as optional parts (provider facts 2.3,
 * 2.4). A part that is absent is not known, never false.
 */
export type Payment = Omit<Payout, 'config' | 'is_refund'> & {
  consent_type?: string
  config?: { sandbox_outcome?: string; auto_hold?: boolean; auto_hold_message?: string; balance_check?: string }
  /** Payouts only: it pays a charge back. */
  is_refund?: boolean
  /** Charges only: it was paid back, in whole or in part. */
  has_refund?: boolean
}

/** The resource of a kind, as the first part of its operations and of its pages. */
export const resourceOfKind = { charge: 'charges', payout: 'payouts' } as const

/** The kind a `payment_type` of the service names; null for a word that is not known. */
export const kindOf = (paymentType: string): PaymentKind | null =>
  paymentType === 'charge' || paymentType === 'payout' ? paymentType : null
