// The known values of the payments service's enumerations, as plain data for selects and filters (provider facts 2.1, 2.2). Inputs accept
// only these values; reads accept any value. Each list is in display order.

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

/** The balance check before a charge; `required` refuses the charge if no balance can be read. */
export const balanceChecks = ['required', 'enabled', 'disabled'] as const

export const customerStatuses = ['pending', 'review', 'verified', 'rejected', 'inactive'] as const

export const customerTypes = ['individual', 'business'] as const

export const paykeyStatuses = ['pending', 'review', 'active', 'blocked', 'rejected', 'inactive'] as const

export const paykeySources = ['bank_account', 'plaid', 'quiltt', 'mx', 'tan', 'provider'] as const

export const bankAccountTypes = ['checking', 'savings'] as const

export const accountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive'] as const

/** The access of an account's people to the provider's own dashboard. */
export const accessLevels = ['standard', 'managed'] as const

export const agreementTypes = ['embedded', 'direct'] as const

/** States of a linked bank account; `canceled` with one l. */
export const linkedBankAccountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive', 'canceled'] as const

export const levels = ['account', 'platform'] as const

export const capabilityTypes = ['charges', 'payouts', 'individuals', 'businesses', 'signed_agreement', 'internet'] as const

export const capabilityCategories = ['payment_type', 'customer_type', 'consent_type'] as const

export const capabilityRequestStatuses = ['in_review', 'reviewing', 'approved', 'active', 'inactive', 'rejected'] as const

/** The direction of a funding event's money, seen from the linked bank account. */
export const fundingDirections = ['deposit', 'withdrawal'] as const

export const fundingEventTypes = ['charge_deposit', 'charge_reversal', 'payout_withdrawal', 'payout_return'] as const

export const fundingJobTypes = ['charges', 'payouts'] as const

/** The sandbox outcomes of a customer's verification; `standard` is the usual course. */
export const customerOutcomes = ['standard', 'verified', 'review', 'rejected'] as const

/** The sandbox outcomes of a paykey's verification. */
export const paykeyOutcomes = ['standard', 'active', 'review', 'rejected'] as const

/** The sandbox outcomes of a charge, a payout or a simulated funding event. */
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
