import type { z } from 'zod'
import { startOfPaymentDate } from '@/sandbox/store/clock'
import { findForcedMove } from './payment-outcomes'
import type { chargeConfig, paymentDocument, payoutConfig, relatedPayment, statusChange } from './payment-schema'
import type { consentTypes, PaymentType } from './payment-values'

/** One status change. The last entry of the history is the current state. */
export type StatusChange = z.infer<typeof statusChange>

/** Metadata of one uploaded file; its content is not stored. `document_size` is in bytes. */
export type PaymentDocument = z.infer<typeof paymentDocument>

export type RelatedPayment = z.infer<typeof relatedPayment>

type PaymentConfig = z.infer<typeof payoutConfig> & Partial<z.infer<typeof chargeConfig>>

type PaymentMarks = { is_refund: boolean; has_refund: boolean; is_resubmit: boolean; has_resubmit: boolean }

/** The part of a payment that the search does not use, stored as JSON. */
export type PaymentDoc = {
  /** The unmasked IP address. Only the unmask operation returns it. */
  device: { ip_address: string }
  config: PaymentConfig
  status_history: [StatusChange, ...StatusChange[]]
  trace_ids: Record<string, string>
  related_payments: RelatedPayment[]
  documents: PaymentDocument[]
  metadata: Record<string, string>
  /** Amount in cents that a person released after a limit held the payment. Larger amounts are checked again. */
  released_amount?: number
  consent_type?: (typeof consentTypes)[number]
}

/**
 * A stored charge or payout. `account`, `customer`, `paykey` and `funding` are row numbers. Times are in milliseconds, `amount` in cents.
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

export const getCurrentState = (payment: { doc: PaymentDoc }): StatusChange =>
  payment.doc.status_history.at(-1) ?? payment.doc.status_history[0]

const second = 1_000

/** Milliseconds until each next step, similar to the provider's (provider-facts 3.7). */
export const stepDelays = {
  /** Until the instant checks: duplicates and blocked paykeys. */
  firstLook: second,
  /** Until all other checks, counted from the same status change. */
  check: 5 * second,
  originate: 60 * second,
  /** Between the three `pending` entries, and from the last one to `paid`. This makes one minute in total. */
  pending: 20 * second,
  reverse: 240 * second,
  /** From the return of a payment to the block of the bank account. */
  block: 2 * second,
} as const

export const getStateChangedAt = (payment: Payment): number => Date.parse(getCurrentState(payment).changed_at)

/**
 * Returns the time of the payment's next automatic move, counted from the last status change. Returns undefined if the status is final or a
 * person must act. A payment is never sent before its payment date begins in New York.
 */
export function getNextMoveAt(payment: Payment): number | undefined {
  const from = getStateChangedAt(payment)
  switch (getCurrentState(payment).status) {
    case 'created':
      return from + stepDelays.firstLook
    case 'scheduled':
      return Math.max(from + stepDelays.originate, startOfPaymentDate(payment.payment_date))
    case 'pending':
      return from + stepDelays.pending
    case 'paid':
      return findForcedMove(payment.doc.config.sandbox_outcome)?.move === 'reverse' ? from + stepDelays.reverse : undefined
    default:
      return undefined
  }
}
