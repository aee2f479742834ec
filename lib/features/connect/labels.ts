import { getStatusWords, isKnownStatus, whyUnknownState } from '@/lib/domain/status'

const closedCustomerTexts: Readonly<Record<string, string>> = {
  rejected: 'The customer was rejected: no bank account can be connected.',
  inactive: 'The customer is inactive: no bank account can be connected.',
}

/**
 * Returns why no bank account can be connected to a customer with this status, or null (provider
 * facts 1.2).
 */
export function whyNotConnectBankAccount(status: string): string | null {
  if (!isKnownStatus('customer', status)) return whyUnknownState(status)
  return Object.hasOwn(closedCustomerTexts, status) ? (closedCustomerTexts[status] ?? null) : null
}

/** Depends on the status of the new paykey: a connected paykey is not always usable yet. */
export type ConnectNextStep = {
  title: string
  text: string
  next: 'pay' | 'decide' | 'wait' | 'again' | 'look'
}

const nextStepsByStatus: Readonly<Record<string, ConnectNextStep>> = {
  active: {
    title: 'Connected and active',
    text: 'Charges and payouts can be created.',
    next: 'pay',
  },
  review: {
    title: 'Connected, in review',
    text: 'Payments can be created and stay on hold until a reviewer approves the paykey.',
    next: 'decide',
  },
  pending: {
    title: 'Connected, verification running',
    text: 'Payments wait until the verification ends. This page updates automatically.',
    next: 'wait',
  },
  rejected: {
    title: 'Not accepted',
    text: 'The bank account failed verification. Connect another bank account.',
    next: 'again',
  },
}

/** Interface document, "Bank connection". For an unknown status, the title has the raw text. */
export function getConnectNextStep(status: string): ConnectNextStep {
  const paykeyStatusWords = getStatusWords('paykey', status)
  const knownNextStep = Object.hasOwn(nextStepsByStatus, status)
    ? nextStepsByStatus[status]
    : undefined
  return (
    knownNextStep ?? {
      title: `Connected, and ${paykeyStatusWords.label.toLowerCase()}`,
      text: paykeyStatusWords.meaning,
      next: 'look',
    }
  )
}
