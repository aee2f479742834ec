// The words of the payments service that are known today, as plain data for selects and filters (provider facts 2.1, 2.2). They are closed
// where we send them; where we read, any other word passes too. Each list is in the order people should see.

/** States of charges, payouts and funding events, in the order a payment passes them. */
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

/** Whether a charge looks at the balance first; `required` refuses where none can be read. */
export const balanceChecks = ['required', 'enabled', 'disabled'] as const

export const customerStatuses = ['pending', 'review', 'verified', 'rejected', 'inactive'] as const

export const customerTypes = ['individual', 'business'] as const

export const paykeyStatuses = ['pending', 'review', 'active', 'blocked', 'rejected', 'inactive'] as const

export const paykeySources = ['bank_account', 'plaid', 'quiltt', 'mx', 'tan', 'provider'] as const

export const bankAccountTypes = ['checking', 'savings'] as const

export const accountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive'] as const

/** How much of the provider's own dashboard an account's people get. */
export const accessLevels = ['standard', 'managed'] as const

export const agreementTypes = ['embedded', 'direct'] as const

/** States of a linked bank account; `canceled` with one l. */
export const linkedBankAccountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive', 'canceled'] as const

export const levels = ['account', 'platform'] as const

export const capabilityTypes = ['charges', 'payouts', 'individuals', 'businesses', 'signed_agreement', 'internet'] as const

export const capabilityCategories = ['payment_type', 'customer_type', 'consent_type'] as const

export const capabilityRequestStatuses = ['in_review', 'reviewing', 'approved', 'active', 'inactive', 'rejected'] as const

/** Which way money of a funding event goes, seen from the linked bank account. */
export const fundingDirections = ['deposit', 'withdrawal'] as const

export const fundingEventTypes = ['charge_deposit', 'charge_reversal', 'payout_withdrawal', 'payout_return'] as const

export const fundingJobTypes = ['charges', 'payouts'] as const

/** What a test may ask a customer's verification to end with; `standard` is the usual course. */
export const customerOutcomes = ['standard', 'verified', 'review', 'rejected'] as const

/** What a test may ask a paykey's verification to end with. */
export const paykeyOutcomes = ['standard', 'active', 'review', 'rejected'] as const

/** What a test may ask a charge, a payout or a simulated funding event to end with. */
export const paymentOutcomes = [
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
