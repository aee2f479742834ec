import { capabilityLine, standingOf } from '@/lib/domain/account-words'
import type { Tone } from '@/lib/domain/status'
import type { Account } from '@/lib/operations/accounts.schema'

/** A row of the list, in words. Made on the server, so that the tables of words are not shipped with the list. */
export type AccountRow = {
  id: string
  name: string
  /** Only where it says more than the name. */
  legal: string | undefined
  status: string
  tone: Tone
  why: string
  capabilities: string
  /** The most one charge and one payout may move, in minor units. */
  maxCharge: number | undefined
  maxPayout: number | undefined
  /** The organization's name, or its id where its name is not known. */
  organization: string | undefined
  created_at: string | undefined
  /** `acct_…` of the account itself. */
  account: string
}

/** The legal name where it is more than the name with the legal form behind it. */
const saysMore = (name: string | undefined, legal: string | undefined) => (name && legal?.startsWith(name) ? undefined : legal)

/** An account as a row; `organizations` are names by id, as far as they could be read. */
export function rowOf(item: Account, organizations: ReadonlyMap<string, string>): AccountRow {
  const { business_profile: profile, organization_id: organization } = item
  const { label, tone, why } = standingOf(item)
  return {
    id: item.id,
    name: profile?.name ?? item.id,
    legal: saysMore(profile?.name, profile?.legal_name),
    status: label,
    tone,
    why,
    capabilities: capabilityLine(item),
    maxCharge: item.settings?.charges?.max_amount,
    maxPayout: item.settings?.payouts?.max_amount,
    organization: organization && (organizations.get(organization) ?? organization),
    created_at: item.created_at,
    account: `acct_${item.id}`,
  }
}
