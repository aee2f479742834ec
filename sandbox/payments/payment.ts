import type { z } from 'zod'
import { getPaymentDateStart } from '@/sandbox/store/clock'
import { findForcedMove } from './payment-outcomes'
import type {
  chargeConfigSchema,
  paymentDocumentSchema,
  payoutConfigSchema,
  relatedPaymentSchema,
  statusChangeSchema,
} from './payment-schema'
import type { consentTypes, PaymentType } from './payment-values'

/** One status change. The last entry of a payment's history is its current state. */
export type StatusChange = z.infer<typeof statusChangeSchema>

/** Metadata of one uploaded file; its content is not stored. `document_size` is in bytes. */
export type PaymentDocument = z.infer<typeof paymentDocumentSchema>

export type RelatedPayment = z.infer<typeof relatedPaymentSchema>

type PaymentConfig = z.infer<typeof payoutConfigSchema> &
  Partial<z.infer<typeof chargeConfigSchema>>

type PaymentFlags = {
  is_refund: boolean
  has_refund: boolean
  is_resubmit: boolean
  has_resubmit: boolean
}

/** Fields of a payment that have no search column of their own. */
export type PaymentDoc = {
  /** The unmasked IP address. Only the unmask operation returns it. */
  device: { ip_address: string }
  config: PaymentConfig
  status_history: [StatusChange, ...StatusChange[]]
  trace_ids: Record<string, string>
  related_payments: RelatedPayment[]
  documents: PaymentDocument[]
  metadata: Record<string, string>
  /**
   * Amount in cents that a person released after a limit held the payment. Larger amounts are
   * checked again.
   */
  released_amount?: number
  consent_type?: (typeof consentTypes)[number]
}

/**
 * A stored charge or payout. `account`, `customer`, `paykey` and `funding` are row numbers. Times
 * are in milliseconds, `amount` in cents.
 */
export type Payment = PaymentFlags & {
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

const secondInMs = 1_000

/** Delays before the next step of a payment, similar to the provider's (provider-facts 3.7). */
export const stepDelaysMs = {
  /** From the change to `created` to the first checks, for duplicates and blocked paykeys. */
  firstLook: secondInMs,
  /** From the change to `created` to all other checks. */
  check: 5 * secondInMs,
  originate: 60 * secondInMs,
  /** Between the three `pending` entries of the history, and from the last of them to `paid`. */
  pending: 20 * secondInMs,
  reverse: 240 * secondInMs,
  /** From the return of a payment to the block of the bank account. */
  block: 2 * secondInMs,
} as const

export const getStateChangedAt = (payment: Payment): number =>
  Date.parse(getCurrentState(payment).changed_at)

/**
 * Returns the time in milliseconds of the next automatic move, or undefined if the status is final
 * or a person must act. A payment is never sent before its date begins in New York.
 */
export function getNextMoveAt(payment: Payment): number | undefined {
  const changedAt = getStateChangedAt(payment)
  switch (getCurrentState(payment).status) {
    case 'created':
      return changedAt + stepDelaysMs.firstLook
    case 'scheduled':
      return Math.max(changedAt + stepDelaysMs.originate, getPaymentDateStart(payment.payment_date))
    case 'pending':
      return changedAt + stepDelaysMs.pending
    case 'paid':
      return findForcedMove(payment.doc.config.sandbox_outcome)?.move === 'reverse'
        ? changedAt + stepDelaysMs.reverse
        : undefined
    default:
      return undefined
  }
}
