import type { Metadata } from 'next'
import { ListPage, prepareListPage, startListReads, toListRowsResult } from '@/app/_pages/list'
import { type PageProps, requirePlatform } from '@/app/_pages/open-page'
import { accountList, toAccountRow } from '@/components/accounts/list/list'
import { AccountSplitView, AccountTable } from '@/components/accounts/list/table'
import { CreateLink } from '@/components/kits/list/create-link'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { PageContext } from '@/lib/operations/page-context'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { newRecordPath } from '@/lib/routes'
import { loadReadForPage } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Accounts' }

/** Empty if the read fails: the list of accounts is useful without the names. */
async function loadOrganizationNames(context: PageContext): Promise<ReadonlyMap<string, string>> {
  const organizationsRead = await loadReadForPage(context, 'organizations.list', {
    page_size: 1000,
  })
  return new Map(
    organizationsRead.ok
      ? organizationsRead.data.map((organization) => [organization.id, organization.name])
      : [],
  )
}

export default async function AccountsPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, accountList)
  requirePlatform(context)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/accounts" many="accounts" />
  const { reading, counts } = startListReads(context, accountList, view)
  const [result, organizations] = await Promise.all([reading, loadOrganizationNames(context)])
  const rows = result.ok ? result.data.map((account) => toAccountRow(account, organizations)) : []
  const accountsRead = result.ok ? toListRowsResult(result, rows) : result
  const canCreateAccount =
    whyNotAllowed(context.person.roles, getServiceOperation('accounts.create')) === null
  return (
    <ListPage
      context={context}
      open={open}
      spec={accountList}
      view={view}
      read={accountsRead}
      counts={counts}
      Table={AccountTable}
      Split={AccountSplitView}
    >
      {canCreateAccount && (
        <CreateLink href={newRecordPath(context, 'accounts')}>New account</CreateLink>
      )}
    </ListPage>
  )
}
