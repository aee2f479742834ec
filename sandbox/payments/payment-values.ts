/** The database stores a status as its index in this list, so the order must not change. */
export const paymentStatuses = [
  'created',
  'scheduled',
  'pending',
  'paid',
  'failed',
  'reversed',
  'cancelled',
  'on_hold',
  'validating',
] as const

export const statusReasons = [
  'ok',
  'validating',
  'auto_hold',
  'insufficient_funds',
  'closed_bank_account',
  'invalid_bank_account',
  'invalid_routing',
  'disputed',
  'payment_stopped',
  'owner_deceased',
  'frozen_bank_account',
  'risk_review',
  'fraudulent',
  'duplicate_entry',
  'invalid_paykey',
  'payment_blocked',
  'amount_too_large',
  'too_many_attempts',
  'internal_system_error',
  'user_request',
  'other_network_return',
  'payout_refused',
  'cancel_request',
  'failed_verification',
  'require_review',
  'blocked_by_system',
  'watchtower_review',
] as const

export const statusSources = [
  'watchtower',
  'bank_decline',
  'customer_dispute',
  'user_action',
  'system',
] as const

export const paymentTypes = ['charge', 'payout'] as const

/**
 * Balance check of a charge. `required`: the balance must be known and sufficient. `enabled`: it
 * must be sufficient if known. `disabled`: no check.
 */
export const balanceChecks = ['required', 'enabled', 'disabled'] as const

export const consentTypes = ['internet', 'signed_agreement'] as const

export type PaymentStatus = (typeof paymentStatuses)[number]
export type StatusReason = (typeof statusReasons)[number]
/** Origin of a status change. A reason can have another meaning if the origin is another. */
export type StatusSource = (typeof statusSources)[number]
export type PaymentType = (typeof paymentTypes)[number]
