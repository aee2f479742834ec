import type { Account } from '@/lib/operations/accounts.schema'
import type { Organization } from '@/lib/operations/organizations.schema'

/** How many accounts an organization has, and how many of them may move money. */
export type AccountCount = { all: number; active: number }

/** A row of the list. `accounts` is null where they could not be counted. */
export type OrganizationRow = {
  id: string
  name: string
  external_id: string | undefined
  metadata: number
  accounts: AccountCount | null
  created_at: string | undefined
  /** An organization stands above accounts and belongs to none. */
  account: null
}

/** Counts the accounts of each organization. */
export function countAccounts(accounts: readonly Pick<Account, 'organization_id' | 'status'>[]): ReadonlyMap<string, AccountCount> {
  const counts = new Map<string, AccountCount>()
  for (const { organization_id: id, status } of accounts) {
    if (!id) continue
    const before = counts.get(id) ?? { all: 0, active: 0 }
    counts.set(id, { all: before.all + 1, active: before.active + (status === 'active' ? 1 : 0) })
  }
  return counts
}

/** An organization as a row; `counts` is null where the accounts could not all be read. */
export const rowOf = (item: Organization, counts: ReadonlyMap<string, AccountCount> | null): OrganizationRow => ({
  id: item.id,
  name: item.name,
  external_id: item.external_id,
  metadata: Object.keys(item.metadata).length,
  accounts: counts && (counts.get(item.id) ?? { all: 0, active: 0 }),
  created_at: item.created_at,
  account: null,
})
