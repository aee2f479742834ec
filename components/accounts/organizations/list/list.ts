import type { ListSpec } from '@/components/kits/list/spec'
import { getNameOrDefault } from '@/lib/domain/service-words'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Organization } from '@/lib/operations/organizations.schema'

/** Organizations have no status, so there is only one tab. */
export const organizationList: ListSpec<'organizations.list'> = {
  resource: 'organizations',
  operation: 'organizations.list',
  title: 'Organizations',
  one: 'organization',
  many: 'organizations',
  tabs: [
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No organizations yet. Create an organization before its first account.',
    },
  ],
  search: { name: 'name', placeholder: 'Name contains' },
  filters: { external_id: { label: 'External ID', kind: 'text' } },
  sorts: ['name', 'created_at'],
  order: 'asc',
  columns: {
    accounts: { label: 'Accounts' },
    external: { label: 'External ID' },
    metadata: { label: 'Metadata' },
  },
}

export type AccountCount = { all: number; active: number }

/** `accounts` is null if some accounts could not be read: the count would be too low. */
export type OrganizationRow = {
  id: string
  name: string
  external_id: string | undefined
  metadata: number
  accounts: AccountCount | null
  created_at: string | undefined
  /** Always null: an organization belongs to no account. */
  account: null
}

export function countAccountsByOrganization(
  accounts: readonly Pick<Account, 'organization_id' | 'status'>[],
): ReadonlyMap<string, AccountCount> {
  const accountCounts = new Map<string, AccountCount>()
  for (const { organization_id: id, status } of accounts) {
    if (!id) continue
    const previousCount = accountCounts.get(id) ?? { all: 0, active: 0 }
    accountCounts.set(id, {
      all: previousCount.all + 1,
      active: previousCount.active + (status === 'active' ? 1 : 0),
    })
  }
  return accountCounts
}

export const toOrganizationRow = (
  item: Organization,
  counts: ReadonlyMap<string, AccountCount> | null,
): OrganizationRow => ({
  id: item.id,
  name: getNameOrDefault(item.name, item.id),
  external_id: item.external_id,
  metadata: Object.keys(item.metadata).length,
  accounts: counts && (counts.get(item.id) ?? { all: 0, active: 0 }),
  created_at: item.created_at,
  account: null,
})
