import type { ListSpec } from '@/components/kits/list/spec'
import { describeAccountStatus, summarizeCapabilities } from '@/lib/domain/account-labels'
import { getNameOrDefault } from '@/lib/domain/service-words'
import type { Tone } from '@/lib/domain/status'
import type { Account } from '@/lib/operations/accounts.schema'

export const accountList: ListSpec<'accounts.list'> = {
  resource: 'accounts',
  operation: 'accounts.list',
  title: 'Accounts',
  one: 'account',
  many: 'accounts',
  tabs: [
    {
      id: 'active',
      label: 'Active',
      query: { status: 'active' },
      empty: 'No account is active yet. An account is active once verified.',
    },
    {
      id: 'onboarding',
      label: 'Onboarding',
      query: { status: 'onboarding' },
      empty: 'No account is being verified now.',
    },
    {
      id: 'created',
      label: 'Created',
      query: { status: 'created' },
      empty: 'No account is waiting to be submitted.',
    },
    {
      id: 'rejected',
      label: 'Rejected',
      query: { status: 'rejected' },
      empty: 'No account was rejected.',
    },
    {
      id: 'inactive',
      label: 'Inactive',
      query: { status: 'inactive' },
      empty: 'No account is inactive.',
    },
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No accounts yet. Create an account for each business.',
    },
  ],
  search: { name: 'search_text', placeholder: 'Name, legal name, website' },
  filters: { external_id: { label: 'External ID', kind: 'text' } },
  sorts: ['name', 'created_at'],
  order: 'asc',
  columns: {
    state: { label: 'Status' },
    capabilities: { label: 'Capabilities' },
    limits: { label: 'Limit per charge / payout' },
    organization: { label: 'Organization' },
  },
}

/** Sent to the browser, so it contains only what the table shows and no other personal data. */
export type AccountRow = {
  id: string
  name: string
  /** The legal name. Undefined if it begins with `name` and only adds a legal form, such as LLC. */
  legal: string | undefined
  status: string
  tone: Tone
  why: string
  capabilities: string
  /** Maximum amount of one charge and of one payout, in cents. */
  maxCharge: number | undefined
  maxPayout: number | undefined
  /** The organization's name, or its id if the name is unknown. */
  organization: string | undefined
  created_at: string | undefined
  account: string
}

const legalFormPattern =
  /^[\s,]*(?:(?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|l\.l\.c|llp|lp|plc|pllc|pc|gmbh)\.?)?$/i

/** "Acme LLC" says no more than "Acme", but "Acme Foods LLC" does. */
export const omitRepeatedLegalName = (name: string | undefined, legalName: string | undefined) =>
  name && legalName?.startsWith(name) && legalFormPattern.test(legalName.slice(name.length))
    ? undefined
    : legalName

/** `organizationNames` is keyed by id. An organization that could not be read is missing. */
export function toAccountRow(
  item: Account,
  organizationNames: ReadonlyMap<string, string>,
): AccountRow {
  const { business_profile: profile, organization_id: organization } = item
  const { label, tone, why } = describeAccountStatus(item)
  return {
    id: item.id,
    name: getNameOrDefault(profile?.name, item.id),
    legal: omitRepeatedLegalName(profile?.name, profile?.legal_name),
    status: label,
    tone,
    why,
    capabilities: summarizeCapabilities(item),
    maxCharge: item.settings?.charges?.max_amount,
    maxPayout: item.settings?.payouts?.max_amount,
    organization: organization && (organizationNames.get(organization) ?? organization),
    created_at: item.created_at,
    account: `acct_${item.id}`,
  }
}
