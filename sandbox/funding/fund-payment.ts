import { type Payment, stateOf } from '@/sandbox/payments/payment'
import type { PaymentStatus, PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import type { FundingReason } from './funding-event'
import { awaitFunding } from './make-funding-event'

/** What a state adds: why, how much of the payment's amount, and whether its money must have been counted before or must not. */
type Part = { reason: FundingReason; share: 1 | 0 | -1; moved: boolean }

/**
 * A charge counts when it settles, a payout when it is sent, since its money has to be there first (interface document, "Funding events"). A
 * charge that never settled moved nothing; it is listed with nothing all the same, as the provider does.
 */
const parts: Readonly<Record<PaymentType, Partial<Record<PaymentStatus, Part>>>> = {
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

/** Notes what a payment's state means for its account's bank account, and says whether it means anything. Must run in a transaction. */
export function noteForFunding({ fundingEvents: { lines } }: Sandbox, payment: Payment): boolean {
  const { n, account, type, amount } = payment
  const part = parts[type][stateOf(payment).status]
  if (part?.moved !== (payment.funding !== null || lines.mainWaits(n))) return false
  lines.add({ payment: n, reason: part.reason, account, type, amount: amount * part.share })
  return true
}

/**
 * The same for a payment's new state, and sees to it that the next funding event of its account and type collects it. Called when a payment was
 * sent, settled, returned before that, or reversed, in the transaction of that move.
 */
export function fundPayment(sandbox: Sandbox, payment: Payment, at: number): void {
  if (noteForFunding(sandbox, payment)) awaitFunding(sandbox, payment.account, payment.type, at)
}
