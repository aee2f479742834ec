import { startOfPaymentDate } from '@/sandbox/store/clock'
import { type Payment, stateOf } from './payment'
import { forcedBy } from './payment-outcomes'

const second = 1_000

/** Milliseconds until each next step; close to the provider's (provider-facts 3.7). */
export const waits = {
  /** Instant checks: duplicates and blocked paykeys. */
  firstLook: second,
  /** All other checks, counted from the same time. */
  check: 5 * second,
  originate: 60 * second,
  /** Between the three passes of `pending`, and from the last one to `paid`: one minute in total. */
  pending: 20 * second,
  reverse: 240 * second,
  /** From a return to the block of the bank account. */
  block: 2 * second,
} as const

/** Time at which the payment entered its current state, in milliseconds. */
export const since = (payment: Payment): number => Date.parse(stateOf(payment).changed_at)

/**
 * Returns the time of the next clock step, counted from the last change; undefined if a person must act or the state is final. A payment is
 * never sent before its payment date in New York.
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
