import { findEntry } from '@/lib/domain/service-words'

export const fundingNouns = {
  resource: 'funding_events',
  one: 'funding event',
  many: 'funding events',
} as const

/**
 * Labels of the directions of a funding event, as seen from the linked bank account (provider facts
 * 2.12).
 */
const directionLabels: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
}

/** Labels and meanings of funding event types. */
const fundingTypes: Readonly<Record<string, { label: string; meaning: string }>> = {
  charge_deposit: {
    label: 'Charges deposited',
    meaning: 'Settled charges are credited to the linked bank account.',
  },
  charge_reversal: {
    label: 'Charges returned',
    meaning: 'More charges were returned than credited, so the linked bank account is debited.',
  },
  payout_withdrawal: {
    label: 'Payout funding',
    meaning: 'The linked bank account is debited before payouts are sent.',
  },
  payout_return: {
    label: 'Payouts returned',
    meaning: 'More payouts were returned than sent, so the linked bank account is credited.',
  },
}

const reasonLabels: Readonly<Record<string, string>> = {
  credit: 'Credit',
  debit: 'Debit',
  reversal: 'Reversal',
  failed: 'Failed',
  none: 'No reason given',
}

/** Returns the label of a direction. An unknown direction is returned unchanged. */
export const getDirectionLabel = (direction: string | undefined): string =>
  direction ? (findEntry(directionLabels, direction) ?? direction) : 'Unknown'

/** Returns the label of a funding event type. An unknown type is returned unchanged. */
export const getFundingTypeLabel = (type: string | undefined): string =>
  type ? (fundingTypes[type]?.label ?? type) : 'Unknown'

/** Returns a sentence about the meaning of a funding event type; undefined for an unknown type. */
export const getFundingTypeMeaning = (type: string | undefined): string | undefined =>
  type ? fundingTypes[type]?.meaning : undefined

/**
 * Returns the label for the reason of a payment in a funding event. An unknown reason is returned
 * unchanged.
 */
export const getFundingReasonLabel = (reason: string): string =>
  findEntry(reasonLabels, reason) ?? reason

export const fundingTypeLabels: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(fundingTypes).map(([type, { label }]) => [type, label]),
)
