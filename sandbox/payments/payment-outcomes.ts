import type { StatusReason, StatusSource } from './payment-values'

/**
 * Outcomes that a client can force for charges, payouts and simulated funding events
 * (provider-facts 2.2).
 */
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

export type StatusCause = {
  reason: StatusReason
  source: StatusSource
  message: string
  code?: string | null
}

export type ForcedMove = {
  move: 'check_hold' | 'check_cancel' | 'fail' | 'reverse'
  cause: StatusCause
}

const insufficientFundsCause = {
  reason: 'insufficient_funds',
  source: 'bank_decline',
  code: 'R01',
  message: 'The bank account has not enough funds',
} as const satisfies StatusCause
const accountClosedCause = {
  reason: 'closed_bank_account',
  source: 'bank_decline',
  code: 'R02',
  message: 'The bank account is closed',
} as const satisfies StatusCause
const customerDisputeCause = {
  reason: 'disputed',
  source: 'customer_dispute',
  code: 'R05',
  message: 'The customer says the entry was not authorized',
} as const satisfies StatusCause
const notAuthorizedCause = {
  reason: 'disputed',
  source: 'customer_dispute',
  code: 'R29',
  message: 'The business says the entry was not authorized',
} as const satisfies StatusCause

const watchtowerSource = { source: 'watchtower' } as const

/**
 * The move that each outcome forces; null if it forces none. The provider's own sandbox never makes
 * some of these moves.
 */
const forcedMoveByOutcome: Readonly<Record<SandboxOutcome, ForcedMove | null>> = {
  standard: null,
  paid: null,
  on_hold_daily_limit: {
    move: 'check_hold',
    cause: {
      ...watchtowerSource,
      reason: 'amount_too_large',
      message: 'Held: the daily_amount limit counts as reached',
    },
  },
  cancelled_for_fraud_risk: {
    move: 'check_cancel',
    cause: {
      ...watchtowerSource,
      reason: 'payment_blocked',
      message: 'Cancelled: the payment looks like fraud',
    },
  },
  cancelled_for_balance_check: {
    move: 'check_cancel',
    cause: {
      ...watchtowerSource,
      reason: 'insufficient_funds',
      message: 'Cancelled: the balance check did not pass',
    },
  },
  failed_insufficient_funds: { move: 'fail', cause: insufficientFundsCause },
  reversed_insufficient_funds: { move: 'reverse', cause: insufficientFundsCause },
  failed_customer_dispute: { move: 'fail', cause: customerDisputeCause },
  reversed_customer_dispute: { move: 'reverse', cause: customerDisputeCause },
  failed_closed_bank_account: { move: 'fail', cause: accountClosedCause },
  reversed_closed_bank_account: { move: 'reverse', cause: accountClosedCause },
  failed_not_authorized: { move: 'fail', cause: notAuthorizedCause },
  reversed_not_authorized: { move: 'reverse', cause: notAuthorizedCause },
}

export const findForcedMove = (outcome: string): ForcedMove | null =>
  (forcedMoveByOutcome as Readonly<Record<string, ForcedMove | null>>)[outcome] ?? null
