import type { Metadata } from 'next'
import Link from 'next/link'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { accountList } from '@/components/accounts/account-list'
import { rowOf } from '@/components/accounts/account-row'
import { AccountSplit, AccountTable } from '@/components/accounts/account-table'
import { buttonVariants } from '@/components/ui/button-variants'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { listPath, newPath } from '@/lib/routes'
import { openDesk } from '@/lib/server/desk'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Accounts' }

/** The names of the organizations, by id; empty where they cannot be read, which takes nothing from the list. */
async function organizationNames(props: ListPageProps): Promise<ReadonlyMap<string, string>> {
  const [{ environment }, search] = await Promise.all([props.params, props.searchParams])
  const desk = await openDesk(environment, search, listPath(environment, 'accounts', search))
  const read = await load(desk, 'organizations.list', { page_size: 1000 })
  return new Map(read.ok ? read.data.map((organization) => [organization.id, organization.name]) : [])
}

async function page(props: ListPageProps) {
  const organizations = await organizationNames(props)
  return listPage(props, {
    spec: accountList,
    rowOf: (account) => rowOf(account, organizations),
    Table: AccountTable,
    Split: AccountSplit,
    actions: (desk) =>
      whyNotAllowed(desk.person.roles, 'accounts.create') === null && (
        <Link href={newPath(desk.environment, 'accounts')} className={buttonVariants({ variant: 'primary', size: 'small' })}>
          New account…
        </Link>
      ),
  })
}

export default page
