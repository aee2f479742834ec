import type { Metadata } from 'next'
import Link from 'next/link'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { organizationList } from '@/components/organizations/organization-list'
import { type AccountCount, countAccounts, rowOf } from '@/components/organizations/organization-row'
import { OrganizationSplit, OrganizationTable } from '@/components/organizations/organization-table'
import { buttonVariants } from '@/components/ui/button-variants'
import { newPath } from '@/lib/routes'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Organizations' }

/** The accounts are counted in one reading of them all; a platform with more than one reading gives is not counted wrong but not at all. */
function page(props: ListPageProps) {
  let counts: ReadonlyMap<string, AccountCount> | null = null
  return listPage(props, {
    spec: organizationList,
    rowOf: (organization) => rowOf(organization, counts),
    sweep: async (desk) => {
      const accounts = await load({ ...desk, account: null }, 'accounts.list', { page_size: 1000 })
      if (accounts.ok && (accounts.meta.total_items ?? 0) <= accounts.data.length) counts = countAccounts(accounts.data)
    },
    Table: OrganizationTable,
    Split: OrganizationSplit,
    actions: (desk) => (
      <Link href={newPath(desk.environment, 'organizations', { account: desk.account })} className={buttonVariants({ size: 'small' })}>
        New organization
      </Link>
    ),
  })
}

export default page
