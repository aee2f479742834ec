import type { Account } from '@/lib/operations/accounts.schema'
import { findEntry } from './service-words'
import { statusWords, type Tone } from './status'

/** Reasons for the state of an account, representative or linked bank account (provider facts 2.1, `status_detail.reason`). */
const reasonTexts: Readonly<Record<string, string>> = {
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

/** Returns a reason in words: the raw text of an unknown reason, and an empty text if it is missing. */
export const reasonText = (reason: string | undefined): string => (reason ? (findEntry(reasonTexts, reason) ?? reason) : '')

/** The state of an account in words, and the reason. `said` is the service's own message. */
type AccountStatusWords = { label: string; tone: Tone; meaning: string; why: string; said: string | undefined }

/** Returns the words and the tone of an account's status. A stuck account needs a person, so it has the tone of a held one. */
export function accountStatusWords({ status, status_detail: detail }: Pick<Account, 'status' | 'status_detail'>): AccountStatusWords {
  const words = statusWords('account', status)
  const why = reasonText(detail?.reason)
  const tone = status === 'onboarding' && detail?.reason === 'stuck' ? 'held' : words.tone
  return { ...words, tone, why: why.toLowerCase() === words.label.toLowerCase() ? '' : why, said: detail?.message }
}

/** One capability of an account. `state` is the service's value; undefined if missing. */
type Capability = { id: string; name: string; state: string | undefined }

/** A group of capabilities, ordered as in the interface document, "Account". */
type CapabilityGroup = { id: string; name: string; leaves: readonly Capability[] }

/** Returns the capabilities of an account in three groups. The state of a capability is undefined if the response does not contain it. */
export function toCapabilityGroups({ capabilities: all }: Pick<Account, 'capabilities'>): readonly CapabilityGroup[] {
  const { payment_types: payments, customer_types: customers, consent_types: consents } = all ?? {}
  const toCapability = (id: string, name: string, found: { capability_status?: string } | undefined) => ({
    id,
    name,
    state: found?.capability_status,
  })
  return [
    {
      id: 'payment_types',
      name: 'Payment types',
      leaves: [toCapability('charges', 'Charges', payments?.charges), toCapability('payouts', 'Payouts', payments?.payouts)],
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

/** Returns the capabilities of an account in one line: "All on", or those that are off or unknown. */
export function summarizeCapabilities(account: Pick<Account, 'capabilities'>): string {
  const capabilities = toCapabilityGroups(account).flatMap((group) => group.leaves)
  const named = (keep: (leaf: Capability) => boolean) => capabilities.filter(keep).map((leaf) => leaf.name.toLowerCase())
  const activeNames = named((leaf) => leaf.state === 'active')
  const inactiveNames = named((leaf) => leaf.state === 'inactive')
  if (activeNames.length === capabilities.length) return 'All on'
  if (inactiveNames.length === capabilities.length) return 'All off'
  const otherCount = capabilities.length - activeNames.length - inactiveNames.length
  if (otherCount === capabilities.length) return 'Not known'
  return [inactiveNames.length > 0 ? `Off: ${inactiveNames.join(', ')}` : '', otherCount > 0 ? `${otherCount} not known` : '']
    .filter((part) => part !== '')
    .join('; ')
}
