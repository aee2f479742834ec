import type { Payout } from '@/lib/operations/payments.schema'

/** A charge takes money from a customer's bank account; a payout sends money to it. */
export type PaymentKind = 'charge' | 'payout'

/** Fields of only one kind are optional (provider facts 2.3, 2.4). Missing means unknown. */
export type Payment = Omit<Payout, 'config' | 'is_refund'> & {
  consent_type?: string
  config?: {
    sandbox_outcome?: string
    auto_hold?: boolean
    auto_hold_message?: string
    balance_check?: string
  }
  /** Only in payouts: true if it is the refund of a charge. */
  is_refund?: boolean
  /** Only in charges: true if it was refunded, fully or partly. */
  has_refund?: boolean
}

/** The resource of a kind: the prefix of its operations and pages. */
export const resourceByKind = { charge: 'charges', payout: 'payouts' } as const

export const parsePaymentKind = (paymentType: string): PaymentKind | null =>
  paymentType === 'charge' || paymentType === 'payout' ? paymentType : null
