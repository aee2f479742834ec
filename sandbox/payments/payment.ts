import type { z } from 'zod'
import type { chargeConfig, paymentDocument, payoutConfig, relatedPayment, statusChange } from './payment-schema'
import type { consentTypes, PaymentType } from './payment-values'

/** One status change. The last entry of a history is the current state. */
export type StatusChange = z.infer<typeof statusChange>

/** One uploaded proof: its metadata only, the bytes are not stored. `document_size` is in bytes. */
export type PaymentDocument = z.infer<typeof paymentDocument>

/** A link between a payment and its refund or resubmit, in either direction. */
export type RelatedPayment = z.infer<typeof relatedPayment>

/** Requested configuration of a payment; payouts have no balance check. */
export type PaymentConfig = z.infer<typeof payoutConfig> & Partial<z.infer<typeof chargeConfig>>

export type PaymentMarks = { is_refund: boolean; has_refund: boolean; is_resubmit: boolean; has_resubmit: boolean }

/** The parts of a payment that the search does not use; stored as JSON. */
export type PaymentDoc = {
  /** The real address; every read except unmask returns a mask. */
  device: { ip_address: string }
  config: PaymentConfig
  status_history: [StatusChange, ...StatusChange[]]
  trace_ids: Record<string, string>
  related_payments: RelatedPayment[]
  documents: PaymentDocument[]
  metadata: Record<string, string>
  /** Cents that a person released when a limit held the payment; larger amounts are checked again. */
  released_amount?: number
  /** The customer's form of consent to a charge; not set on payouts. */
  consent_type?: (typeof consentTypes)[number]
}

/**
 * A charge or payout in the store. `account`, `customer`, `paykey` and `funding` are row numbers; times are milliseconds; `amount` is
 * cents.
 */
export type Payment = PaymentMarks & {
  n: number
  id: string
  type: PaymentType
  account: number
  customer: number
  paykey: number
  amount: number
  payment_date: string
  created_at: number
  updated_at: number
  processed_at: number | null
  effective_at: number | null
  external_id: string
  description: string
  funding: number | null
  doc: PaymentDoc
}

/** Returns the current state: the last entry of the history. */
export const stateOf = (payment: { doc: PaymentDoc }): StatusChange => payment.doc.status_history.at(-1) ?? payment.doc.status_history[0]
