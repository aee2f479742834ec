import { type Payment, stateOf } from '@/sandbox/payments/payment'
import type { FundingEventTable } from './funding-event-store'

/** The ids of all funding events a payment is in: the one that moved its money first, then the one that took it back. */
export function fundingIdsOf({ fundingEvents }: { fundingEvents: Pick<FundingEventTable, 'idOf' | 'lines'> }, payment: Payment): string[] {
  const { status } = stateOf(payment)
  // Only these two have anything taken back; the rest need no look at the lines.
  const back = status === 'failed' || status === 'reversed' ? fundingEvents.lines.eventsTakingBack(payment.n) : []
  return [...(payment.funding === null ? [] : [payment.funding]), ...back].map((n) => fundingEvents.idOf(n))
}
