import type { Metadata } from 'next'
import { ListPage, prepareListPage, startListReads, toListRowsResult } from '@/app/_pages/list'
import { type PageProps, requirePlatform } from '@/app/_pages/open-page'
import {
  type AccountCount,
  countAccountsByOrganization,
  organizationList,
  toOrganizationRow,
} from '@/components/accounts/organizations/list/list'
import {
  OrganizationSplitView,
  OrganizationTable,
} from '@/components/accounts/organizations/list/table'
import { CreateLink } from '@/components/kits/list/create-link'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { isWholeListRead } from '@/lib/operations/list-count'
import type { PageContext } from '@/lib/operations/page-context'
import { newRecordPath } from '@/lib/routes'
import { loadReadForPage } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Organizations' }

const accountsPageSize = 1000

/** Null if some accounts could not be read: the numbers would be too low. */
async function loadAccountCounts(
  context: PageContext,
): Promise<ReadonlyMap<string, AccountCount> | null> {
  const accountsRead = await loadReadForPage({ ...context, account: null }, 'accounts.list', {
    page_size: accountsPageSize,
  })
  return accountsRead.ok && isWholeListRead(accountsRead, accountsPageSize)
    ? countAccountsByOrganization(accountsRead.data)
    : null
}

export default async function OrganizationsPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, organizationList)
  requirePlatform(context)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/organizations" many="organizations" />
  const { reading, counts } = startListReads(context, organizationList, view)
  const listResult = await reading
  const accountCounts = listResult.ok ? await loadAccountCounts(context) : null
  const organizationRows = listResult.ok
    ? listResult.data.map((organization) => toOrganizationRow(organization, accountCounts))
    : []
  const organizationsRead = listResult.ok
    ? toListRowsResult(listResult, organizationRows)
    : listResult
  return (
    <ListPage
      context={context}
      open={open}
      spec={organizationList}
      view={view}
      read={organizationsRead}
      counts={counts}
      Table={OrganizationTable}
      Split={OrganizationSplitView}
    >
      <CreateLink href={newRecordPath(context, 'organizations', { account: context.account })}>
        New organization
      </CreateLink>
    </ListPage>
  )
}
