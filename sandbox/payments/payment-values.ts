/** Every state of a charge or payout, in the order the sandbox's stored codes use. */
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

/** Every reason a status change can carry. */
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

export const statusSources = ['watchtower', 'bank_decline', 'customer_dispute', 'user_action', 'system'] as const

/** Charges take money in, payouts send it out; both live in one table and are searched together. */
export const paymentTypes = ['charge', 'payout'] as const

/** Whether the balance behind a charge must be known and enough, is looked at when it is known, or not at all. */
export const balanceChecks = ['required', 'enabled', 'disabled'] as const

export const consentTypes = ['internet', 'signed_agreement'] as const

/** One of the states. */
export type PaymentStatus = (typeof paymentStatuses)[number]
/** One of the reasons. */
export type StatusReason = (typeof statusReasons)[number]
/** One of the causes; the same reason means different things from different ones. */
export type StatusSource = (typeof statusSources)[number]
export type PaymentType = (typeof paymentTypes)[number]
