import { findOwnValue } from '@/lib/domain/service-words'

export const fundingNouns = {
  resource: 'funding_events',
  one: 'funding event',
  many: 'funding events',
} as const

/** As seen from the linked bank account (provider facts 2.12). */
const directionLabels: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
}

const fundingTypeTexts: Readonly<Record<string, { label: string; meaning: string }>> = {
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

export const getDirectionLabel = (direction: string | undefined): string =>
  direction ? (findOwnValue(directionLabels, direction) ?? direction) : 'Unknown'

export const getFundingTypeLabel = (type: string | undefined): string =>
  type ? (fundingTypeTexts[type]?.label ?? type) : 'Unknown'

export const getFundingTypeMeaning = (type: string | undefined): string | undefined =>
  type ? fundingTypeTexts[type]?.meaning : undefined

export const getFundingReasonLabel = (reason: string): string =>
  findOwnValue(reasonLabels, reason) ?? reason

export const fundingTypeLabels: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(fundingTypeTexts).map(([type, { label }]) => [type, label]),
)
