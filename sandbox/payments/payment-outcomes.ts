import type { StatusReason, StatusSource } from './payment-values'

/** Every `sandbox_outcome` of a charge, a payout and a simulated funding event (provider-facts 2.2). */
export const sandboxOutcomes = [
  'standard',
  'paid',
  'on_hold_daily_limit',
  'cancelled_for_fraud_risk',
  'cancelled_for_balance_check',
  'failed_insufficient_funds',
  'reversed_insufficient_funds',
  'failed_customer_dispute',
  'reversed_customer_dispute',
  'failed_closed_bank_account',
  'reversed_closed_bank_account',
  'failed_not_authorized',
  'reversed_not_authorized',
] as const

export type SandboxOutcome = (typeof sandboxOutcomes)[number]

export type Cause = { reason: StatusReason; source: StatusSource; message: string; code?: string | null }

export type ForcedMove = { move: 'check_hold' | 'check_cancel' | 'fail' | 'reverse'; cause: Cause }

const fundsMissing = {
  reason: 'insufficient_funds',
  source: 'bank_decline',
  code: 'R01',
  message: 'The bank account has not enough funds',
} as const satisfies Cause
const accountClosed = {
  reason: 'closed_bank_account',
  source: 'bank_decline',
  code: 'R02',
  message: 'The bank account is closed',
} as const satisfies Cause
const customerDisputed = {
  reason: 'disputed',
  source: 'customer_dispute',
  code: 'R05',
  message: 'The customer says the entry was not authorized',
} as const satisfies Cause
const notAuthorized = {
  reason: 'disputed',
  source: 'customer_dispute',
  code: 'R29',
  message: 'The business says the entry was not authorized',
} as const satisfies Cause

const watchtower = { source: 'watchtower' } as const

/** Forced move of each outcome as documented; null for the usual moves. The provider's own sandbox does not complete some of them. */
const forcedMoveByOutcome: Readonly<Record<SandboxOutcome, ForcedMove | null>> = {
  standard: null,
  paid: null,
  on_hold_daily_limit: {
    move: 'check_hold',
    cause: { ...watchtower, reason: 'amount_too_large', message: 'Held: the daily_amount limit counts as reached' },
  },
  cancelled_for_fraud_risk: {
    move: 'check_cancel',
    cause: { ...watchtower, reason: 'payment_blocked', message: 'Cancelled: the payment looks like fraud' },
  },
  cancelled_for_balance_check: {
    move: 'check_cancel',
    cause: { ...watchtower, reason: 'insufficient_funds', message: 'Cancelled: the balance check did not pass' },
  },
  failed_insufficient_funds: { move: 'fail', cause: fundsMissing },
  reversed_insufficient_funds: { move: 'reverse', cause: fundsMissing },
  failed_customer_dispute: { move: 'fail', cause: customerDisputed },
  reversed_customer_dispute: { move: 'reverse', cause: customerDisputed },
  failed_closed_bank_account: { move: 'fail', cause: accountClosed },
  reversed_closed_bank_account: { move: 'reverse', cause: accountClosed },
  failed_not_authorized: { move: 'fail', cause: notAuthorized },
  reversed_not_authorized: { move: 'reverse', cause: notAuthorized },
}

export const findForcedMove = (outcome: string): ForcedMove | null =>
  (forcedMoveByOutcome as Readonly<Record<string, ForcedMove | null>>)[outcome] ?? null
