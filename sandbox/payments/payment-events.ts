import type { Sandbox } from '@/sandbox/sandbox'
import type { Payment } from './payment'
import { chargeView, payoutView } from './payment-reads'

/**
 * Returns the payment as webhooks contain it: as a read returns it, documents included, but with only a charge's balance check as
 * configuration (provider-facts 4.2).
 */
function eventData(sandbox: Sandbox, payment: Payment) {
  if (payment.type === 'payout') return { ...payoutView(sandbox, payment), config: {} }
  const view = chargeView(sandbox, payment)
  return { ...view, config: { balance_check: view.config.balance_check } }
}

/** Writes the event of a new or changed charge or payout. Must run inside the change's transaction, after the save. */
export function announcePayment(sandbox: Sandbox, payment: Payment, now: number, kind: 'created' | 'changed' = 'changed'): void {
  const accountId = sandbox.accounts.idOf(payment.account)
  sandbox.events[kind]({ resource: payment.type, accountId, data: eventData(sandbox, payment) }, now)
}
