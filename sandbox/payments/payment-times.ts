import { startOfPaymentDate } from '@/sandbox/store/clock'
import { type Payment, stateOf } from './payment'
import { forcedBy } from './payment-outcomes'

const second = 1_000

/** Where the clock has to look at a payment; the provider takes about as long (provider-facts 3.7). */
export const waits = {
  /** Duplicates and blocked paykeys are found at once. */
  firstLook: second,
  /** All other checks, counted from the same moment. */
  check: 5 * second,
  originate: 60 * second,
  /** Between the three passes of `pending`, and from the last one to `paid`: a minute together. */
  pending: 20 * second,
  reverse: 240 * second,
  /** From a return to the block of the bank account. */
  block: 2 * second,
} as const

/** When the payment came into its present state, in milliseconds. */
export const since = (payment: Payment): number => Date.parse(stateOf(payment).changed_at)

/**
 * When the clock has to look at a payment next, counted from its last change; undefined where somebody has to act or all is over. A payment
 * is sent on its payment date in New York, never before.
 */
export function nextLookAt(payment: Payment): number | undefined {
  const from = since(payment)
  switch (stateOf(payment).status) {
    case 'created':
      return from + waits.firstLook
    case 'scheduled':
      return Math.max(from + waits.originate, startOfPaymentDate(payment.payment_date))
    case 'pending':
      return from + waits.pending
    case 'paid':
      return forcedBy(payment.doc.config.sandbox_outcome)?.move === 'reverse' ? from + waits.reverse : undefined
    default:
      return undefined
  }
}
