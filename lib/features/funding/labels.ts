import { findEntry } from '@/lib/domain/service-words'

export const fundingNouns = { resource: 'funding_events', one: 'funding event', many: 'funding events' } as const

/** Labels of directions, from the view of the linked bank account (provider facts 2.12). */
const directionLabels: Readonly<Record<string, string>> = { deposit: 'Deposit', withdrawal: 'Withdrawal' }

/** Labels and meanings of funding event types. */
const fundingTypes: Readonly<Record<string, { label: string; meaning: string }>> = {
  charge_deposit: { label: 'Charges deposited', meaning: 'Settled charges are credited to the linked bank account.' },
  charge_reversal: {
    label: 'Charges returned',
    meaning: 'More charges were returned than credited, so the linked bank account is debited.',
  },
  payout_withdrawal: { label: 'Payout funding', meaning: 'The linked bank account is debited before payouts are sent.' },
  payout_return: { label: 'Payouts returned', meaning: 'More payouts were returned than sent, so the linked bank account is credited.' },
}

const reasonLabels: Readonly<Record<string, string>> = {
  credit: 'Credit',
  debit: 'Debit',
  reversal: 'Reversal',
  failed: 'Failed',
  none: 'No reason given',
}

/** Returns the label of a direction; an unknown one stays as the service wrote it. */
export const directionText = (direction: string | undefined): string =>
  direction ? (findEntry(directionLabels, direction) ?? direction) : 'Unknown'

/** Returns the label of a type; an unknown one stays as the service wrote it. */
export const fundingTypeText = (type: string | undefined): string => (type ? (fundingTypes[type]?.label ?? type) : 'Unknown')

/** Returns the meaning of a type as a sentence; undefined for an unknown type. */
export const fundingTypeMeaning = (type: string | undefined): string | undefined => (type ? fundingTypes[type]?.meaning : undefined)

/** Returns the label for the reason of a payment in a funding event; an unknown one stays as the service wrote it. */
export const fundingReasonText = (reason: string): string => findEntry(reasonLabels, reason) ?? reason

export const fundingTypeChoices: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(fundingTypes).map(([type, { label }]) => [type, label]),
)
