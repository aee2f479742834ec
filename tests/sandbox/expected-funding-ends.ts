import type { SandboxOutcome } from '@/sandbox/payments/payment-outcomes'

/**
 * The end of a simulated funding event, by its outcome: its statuses in their order, and the detail
 * of the last one. Only tests use this table.
 */
export const expectedStatusesByOutcome: Record<
  SandboxOutcome,
  [path: string, reason: string, source: string, code: string | null]
> = {
  standard: ['created pending paid', 'ok', 'system', null],
  paid: ['created pending paid', 'ok', 'system', null],
  on_hold_daily_limit: ['created on_hold', 'amount_too_large', 'watchtower', null],
  cancelled_for_fraud_risk: ['created cancelled', 'payment_blocked', 'watchtower', null],
  cancelled_for_balance_check: ['created cancelled', 'insufficient_funds', 'watchtower', null],
  failed_insufficient_funds: [
    'created pending failed',
    'insufficient_funds',
    'bank_decline',
    'R01',
  ],
  reversed_insufficient_funds: [
    'created pending paid reversed',
    'insufficient_funds',
    'bank_decline',
    'R01',
  ],
  failed_customer_dispute: ['created pending failed', 'disputed', 'customer_dispute', 'R05'],
  reversed_customer_dispute: [
    'created pending paid reversed',
    'disputed',
    'customer_dispute',
    'R05',
  ],
  failed_closed_bank_account: [
    'created pending failed',
    'closed_bank_account',
    'bank_decline',
    'R02',
  ],
  reversed_closed_bank_account: [
    'created pending paid reversed',
    'closed_bank_account',
    'bank_decline',
    'R02',
  ],
  failed_not_authorized: ['created pending failed', 'disputed', 'customer_dispute', 'R29'],
  reversed_not_authorized: ['created pending paid reversed', 'disputed', 'customer_dispute', 'R29'],
}
