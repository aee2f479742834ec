import type { Metadata } from 'next'
import { ListPage, openListPage, startListReads, toListRead } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import {
  type AccountCount,
  countAccountsByOrganization,
  organizationList,
  toOrganizationRow,
} from '@/components/accounts/organizations/list/list'
import {
  OrganizationSplit,
  OrganizationTable,
} from '@/components/accounts/organizations/list/table'
import { Link } from '@/components/kits/layout/link'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { buttonVariants } from '@/components/ui/button-variants'
import { isFullyRead } from '@/lib/operations/list-count'
import type { PageContext } from '@/lib/operations/page-context'
import { newRecordPath } from '@/lib/routes'
import { loadForPage } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Organizations' }

const maxAccounts = 1000

/**
 * Returns the number of accounts of each organization, by organization id. Null if not all accounts
 * could be read: the numbers would be too low.
 */
async function loadAccountCounts(
  context: PageContext,
): Promise<ReadonlyMap<string, AccountCount> | null> {
  const accountsRead = await loadForPage({ ...context, account: null }, 'accounts.list', {
    page_size: maxAccounts,
  })
  return accountsRead.ok && isFullyRead(accountsRead, maxAccounts)
    ? countAccountsByOrganization(accountsRead.data)
    : null
}

export default async function OrganizationsPage(props: PageProps) {
  const { context, view, open } = await openListPage(props, organizationList)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/organizations" many="organizations" />
  const { reading, counts } = startListReads(context, organizationList, view)
  const result = await reading
  const accountCounts = result.ok ? await loadAccountCounts(context) : null
  const rows = result.ok
    ? result.data.map((organization) => toOrganizationRow(organization, accountCounts))
    : []
  const organizationsRead = result.ok ? toListRead(result, rows) : result
  return (
    <ListPage
      context={context}
      open={open}
      spec={organizationList}
      view={view}
      read={organizationsRead}
      counts={counts}
      Table={OrganizationTable}
      Split={OrganizationSplit}
    >
      <Link
        href={newRecordPath(context, 'organizations', { account: context.account })}
        className={buttonVariants({ size: 'small' })}
      >
        New organization
      </Link>
    </ListPage>
  )
}
