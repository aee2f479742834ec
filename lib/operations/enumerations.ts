// Known values of the service's enumerations (provider facts 2.1, 2.2), in display order. Inputs
// accept only these values; reads accept any value.

/** In the order in which a payment passes through them. Funding events have these states too. */
export const paymentStatuses = [
  'created',
  'on_hold',
  'validating',
  'scheduled',
  'pending',
  'paid',
  'failed',
  'reversed',
  'cancelled',
] as const

export const paymentTypes = ['charge', 'payout'] as const

/** With `required`, the service refuses the charge if the balance cannot be read. */
export const balanceChecks = ['required', 'enabled', 'disabled'] as const

export const customerStatuses = ['pending', 'review', 'verified', 'rejected', 'inactive'] as const

export const customerTypes = ['individual', 'business'] as const

export const paykeyStatuses = [
  'pending',
  'review',
  'active',
  'blocked',
  'rejected',
  'inactive',
] as const

export const paykeySources = ['bank_account', 'plaid', 'quiltt', 'mx', 'tan', 'provider'] as const

export const bankAccountTypes = ['checking', 'savings'] as const

export const accountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive'] as const

/** `standard` lets an account's people use the provider's own dashboard, `managed` does not. */
export const dashboardAccessLevels = ['standard', 'managed'] as const

export const agreementTypes = ['embedded', 'direct'] as const

/** The service spells `canceled` here, unlike `cancelled` of payments: do not correct it. */
export const linkedBankAccountStatuses = [
  'created',
  'onboarding',
  'active',
  'rejected',
  'inactive',
  'canceled',
] as const

export const recordOwnerLevels = ['account', 'platform'] as const

export const capabilityTypes = [
  'charges',
  'payouts',
  'individuals',
  'businesses',
  'signed_agreement',
  'internet',
] as const

export const capabilityCategories = ['payment_type', 'customer_type', 'consent_type'] as const

export const capabilityRequestStatuses = [
  'in_review',
  'reviewing',
  'approved',
  'active',
  'inactive',
  'rejected',
] as const

/** Seen from the linked bank account. */
export const fundingDirections = ['deposit', 'withdrawal'] as const

export const fundingEventTypes = [
  'charge_deposit',
  'charge_reversal',
  'payout_withdrawal',
  'payout_return',
] as const

export const fundingJobTypes = ['charges', 'payouts'] as const

/**
 * The outcomes that a request can choose in the sandbox. `standard`: the verification runs as
 * usual.
 */
export const customerSandboxOutcomes = ['standard', 'verified', 'review', 'rejected'] as const

export const paykeySandboxOutcomes = ['standard', 'active', 'review', 'rejected'] as const

/** The outcomes for a charge, a payout or a simulated funding event. */
export const paymentSandboxOutcomes = [
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
