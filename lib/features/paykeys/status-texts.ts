const statusReasonTexts: Readonly<Record<string, string>> = {
  ok: 'no finding',
  validating: 'the verification is running',
  require_review: 'flagged for manual review',
  watchtower_review: 'flagged for manual risk review',
  failed_verification: 'the verification failed',
  cancel_request: 'canceled on request',
  user_request: 'requested by a user',
  disputed: 'a payment was disputed',
  closed_bank_account: 'the bank account is closed',
  invalid_bank_account: 'no such account at the bank',
  frozen_bank_account: 'the bank account is frozen',
  blocked_by_system: 'the service blocked it after a return',
}

export function getPaykeyReasonText(reason: string | undefined): string | null {
  if (!reason) return null
  const normalizedReason = reason.toLowerCase()
  return Object.hasOwn(statusReasonTexts, normalizedReason)
    ? (statusReasonTexts[normalizedReason] ?? null)
    : reason
}

export const paykeySourceLabels: Readonly<Record<string, string>> = {
  bank_account: 'Manual bank details',
  plaid: 'Plaid',
  quiltt: 'Quiltt',
  mx: 'MX',
  tan: 'Tokenized account number',
  provider: 'The provider',
}

export const getPaykeySourceText = (source: string | undefined): string | undefined =>
  source !== undefined && Object.hasOwn(paykeySourceLabels, source)
    ? paykeySourceLabels[source]
    : source
