import type { z } from 'zod'
import type { chargeConfig, paymentDocument, payoutConfig, relatedPayment, statusChange } from './payment-schema'
import type { consentTypes, PaymentType } from './payment-values'

/** One change of status. The last entry of a history is the payment's present state. */
export type StatusChange = z.infer<typeof statusChange>

/** One uploaded proof; the bytes are not kept, only what is said about them. `document_size` is in bytes. */
export type PaymentDocument = z.infer<typeof paymentDocument>

/** A link to the payment this one refunds or repeats, or was refunded or repeated by. */
export type RelatedPayment = z.infer<typeof relatedPayment>

/** What a request asks of a payment besides its money; payouts have no balance check. */
export type PaymentConfig = z.infer<typeof payoutConfig> & Partial<z.infer<typeof chargeConfig>>

/** The yes-no marks of a payment. */
export type PaymentMarks = { is_refund: boolean; has_refund: boolean; is_resubmit: boolean; has_resubmit: boolean }

/** The parts of a payment that no search looks at; stored as JSON. */
export type PaymentDoc = {
  /** The real address; every read but unmask shows a mask instead. */
  device: { ip_address: string }
  config: PaymentConfig
  status_history: [StatusChange, ...StatusChange[]]
  trace_ids: Record<string, string>
  related_payments: RelatedPayment[]
  documents: PaymentDocument[]
  metadata: Record<string, string>
  /** The cents a person let pass when a limit held the payment; it is checked again above them. */
  released_amount?: number
  /** How the customer agreed to a charge; payouts have none. */
  consent_type?: (typeof consentTypes)[number]
}

/** A charge or payout in the store. `account`, `customer`, `paykey` and `funding` are short numbers; times are milliseconds; `amount` is cents. */
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

/** The present state: the newest entry of the history. */
export const stateOf = (payment: { doc: PaymentDoc }): StatusChange => payment.doc.status_history.at(-1) ?? payment.doc.status_history[0]
