import { parseTime } from '@/lib/dates'
import type { Payment } from '@/lib/domain/payment-kind'
import { describeStatusSource } from '@/lib/domain/source-text'
import { getStateStartTime } from '@/lib/domain/status'
import type { ActionView } from '@/lib/operations/answer'

/**
 * A hold in Paydesk and a hold at the service are the same if their times differ by at most this.
 */
const sameHoldWindowMs = 60_000

/**
 * Returns the person who held the payment in Paydesk, otherwise the source that the service names.
 */
export function formatHeldBy(payment: Payment, actions: readonly ActionView[]): string {
  const heldAt = parseTime(getStateStartTime(payment))
  const holdAction = actions.find(
    ({ operation, state, settled_at }) =>
      (operation === 'charges.hold' || operation === 'payouts.hold') &&
      state === 'applied' &&
      heldAt !== null &&
      Math.abs((parseTime(settled_at) ?? 0) - heldAt) <= sameHoldWindowMs,
  )
  if (holdAction) return holdAction.own ? 'you' : holdAction.actor
  return describeStatusSource(payment.status_details?.source, payment.status_details?.reason)
}
