import { type Payment, stateOf } from '@/sandbox/payments/payment'
import type { PaymentStatus, PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import type { FundingReason } from './funding-event'
import { awaitFunding } from './make-funding-event'

/** Effect of a payment state: the line's reason, its share of the amount, and whether the payment's money must already be counted. */
type Part = { reason: FundingReason; share: 1 | 0 | -1; moved: boolean }

/**
 * A charge counts when it settles, a payout when it is sent, because its money must be there first (interface document, "Funding events").
 * A charge that failed before settling moved no money; its line is 0, as at the provider.
 */
const lineRules: Readonly<Record<PaymentType, Partial<Record<PaymentStatus, Part>>>> = {
  charge: {
    paid: { reason: 'credit', share: 1, moved: false },
    failed: { reason: 'failed', share: 0, moved: false },
    reversed: { reason: 'reversal', share: -1, moved: true },
  },
  payout: {
    pending: { reason: 'debit', share: 1, moved: false },
    paid: { reason: 'debit', share: 1, moved: false },
    failed: { reason: 'failed', share: -1, moved: true },
    reversed: { reason: 'reversal', share: -1, moved: true },
  },
}

/** Adds the funding line of a payment's current state. Returns false if the state adds none. Must run in a transaction. */
export function noteForFunding({ fundingEvents: { lines } }: Sandbox, payment: Payment): boolean {
  const { n, account, type, amount } = payment
  const lineRule = lineRules[type][stateOf(payment).status]
  if (lineRule?.moved !== (payment.funding !== null || lines.mainWaits(n))) return false
  lines.add({ payment: n, reason: lineRule.reason, account, type, amount: amount * lineRule.share })
  return true
}

/**
 * Adds the funding line of a payment's new state and schedules the next funding event of its account and type. Call it in the transaction
 * of the move that sent, settled, returned or reversed the payment.
 */
export function fundPayment(sandbox: Sandbox, payment: Payment, at: number): void {
  if (noteForFunding(sandbox, payment)) awaitFunding(sandbox, payment.account, payment.type, at)
}
