import { type Payment, stateOf } from '@/sandbox/payments/payment'
import type { FundingEventTable } from './funding-event-store'

/** Returns the ids of a payment's funding events: first the one that moved its money, then those that took it back. */
export function fundingIdsOf({ fundingEvents }: { fundingEvents: Pick<FundingEventTable, 'idOf' | 'lines'> }, payment: Payment): string[] {
  const { status } = stateOf(payment)
  // Other states have no money taken back, so skip the query.
  const back = status === 'failed' || status === 'reversed' ? fundingEvents.lines.eventsTakingBack(payment.n) : []
  return [...(payment.funding === null ? [] : [payment.funding]), ...back].map((n) => fundingEvents.idOf(n))
}
