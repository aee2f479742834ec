import type { Sandbox } from '@/sandbox/sandbox'
import type { Payment } from './payment'
import { chargeView, payoutView } from './payment-view'

/**
 * The payment as webhooks carry it: what a read shows, documents included, but of the configuration only a charge's balance check
 * (provider-facts 4.2).
 */
function eventData(sandbox: Sandbox, payment: Payment) {
  if (payment.type === 'payout') return { ...payoutView(sandbox, payment), config: {} }
  const view = chargeView(sandbox, payment)
  return { ...view, config: { balance_check: view.config.balance_check } }
}

/** Tells that a charge or payout was made, or changed, as it is now. Must run inside the transaction of the change, after it is saved. */
export function announcePayment(sandbox: Sandbox, payment: Payment, now: number, kind: 'created' | 'changed' = 'changed'): void {
  const accountId = sandbox.accounts.idOf(payment.account)
  sandbox.events[kind]({ resource: payment.type, accountId, data: eventData(sandbox, payment) }, now)
}
