import type { Account } from '@/lib/operations/accounts.schema'
import { findOwnValue } from './service-words'
import { getStatusWords, type Tone } from './status'

/**
 * Texts for the status reasons of accounts, representatives and linked bank accounts (provider
 * facts 2.1).
 */
const accountReasonTexts: Readonly<Record<string, string>> = {
  unverified: 'not submitted for verification yet',
  new: 'new',
  pending: 'awaiting verification',
  in_review: 'being reviewed by the service',
  stuck: 'the service needs more information',
  verified: 'verified',
  failed_verification: 'verification failed',
  disabled: 'deactivated',
  terminated: 'permanently closed',
}

/** An unknown reason is returned unchanged. */
export const getAccountReasonText = (reason: string | undefined): string =>
  reason ? (findOwnValue(accountReasonTexts, reason) ?? reason) : ''

/** `why` is the reason as a text. */
type AccountStatusDescription = {
  label: string
  tone: Tone
  meaning: string
  why: string
}

/** An account stuck in onboarding needs a person, so it has the tone `held`. */
export function describeAccountStatus({
  status,
  status_detail: detail,
}: Pick<Account, 'status' | 'status_detail'>): AccountStatusDescription {
  const accountStatusWords = getStatusWords('account', status)
  // Every active account is verified.
  const reason = status === 'active' && detail?.reason === 'verified' ? undefined : detail?.reason
  const reasonSentence = getAccountReasonText(reason)
  const statusTone =
    status === 'onboarding' && detail?.reason === 'stuck' ? 'held' : accountStatusWords.tone
  return {
    ...accountStatusWords,
    tone: statusTone,
    why:
      reasonSentence.toLowerCase() === accountStatusWords.label.toLowerCase() ? '' : reasonSentence,
  }
}

/** `state` is undefined if the service sent none. */
type Capability = { id: string; name: string; state: string | undefined }

/** A group of capabilities, ordered as in the interface document, "Account". */
type CapabilityGroup = { id: string; name: string; leaves: readonly Capability[] }

/** All six capabilities are returned, even if the service sent none. */
export function toCapabilityGroups({
  capabilities: all,
}: Pick<Account, 'capabilities'>): readonly CapabilityGroup[] {
  const { payment_types: payments, customer_types: customers, consent_types: consents } = all ?? {}
  const toCapability = (
    id: string,
    name: string,
    capability: { capability_status?: string } | undefined,
  ) => ({
    id,
    name,
    state: capability?.capability_status,
  })
  return [
    {
      id: 'payment_types',
      name: 'Payment types',
      leaves: [
        toCapability('charges', 'Charges', payments?.charges),
        toCapability('payouts', 'Payouts', payments?.payouts),
      ],
    },
    {
      id: 'customer_types',
      name: 'Customer types',
      leaves: [
        toCapability('individuals', 'Individuals', customers?.individuals),
        toCapability('businesses', 'Businesses', customers?.businesses),
      ],
    },
    {
      id: 'consent_types',
      name: 'Consent types',
      leaves: [
        toCapability('signed_agreement', 'Signed agreement', consents?.signed_agreement),
        toCapability('internet', 'Internet', consents?.internet),
      ],
    },
  ]
}

export function summarizeCapabilities(account: Pick<Account, 'capabilities'>): string {
  const capabilities = toCapabilityGroups(account).flatMap((group) => group.leaves)
  const listCapabilityNames = (keep: (leaf: Capability) => boolean) =>
    capabilities.filter(keep).map((leaf) => leaf.name.toLowerCase())
  const activeNames = listCapabilityNames((leaf) => leaf.state === 'active')
  const inactiveNames = listCapabilityNames((leaf) => leaf.state === 'inactive')
  if (activeNames.length === capabilities.length) return 'All enabled'
  if (inactiveNames.length === capabilities.length) return 'None enabled'
  const unknownCount = capabilities.length - activeNames.length - inactiveNames.length
  if (unknownCount === capabilities.length) return 'Not known'
  return [
    inactiveNames.length > 0 ? `Not enabled: ${inactiveNames.join(', ')}` : '',
    unknownCount > 0 ? `${unknownCount} not known` : '',
  ]
    .filter((part) => part !== '')
    .join('; ')
}
