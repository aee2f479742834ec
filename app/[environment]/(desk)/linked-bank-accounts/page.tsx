import type { Metadata } from 'next'
import { ListPage, prepareListPage, startListReads, toListRowsResult } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import {
  linkedAccountList,
  toLinkedAccountRow,
} from '@/components/accounts/linked-bank-accounts/list/list'
import {
  LinkedAccountSplitView,
  LinkedAccountTable,
} from '@/components/accounts/linked-bank-accounts/list/table'
import { CreateLink } from '@/components/kits/list/create-link'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { newRecordPath } from '@/lib/routes'

export const metadata: Metadata = { title: 'Linked bank accounts' }

export default async function LinkedBankAccountsPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, linkedAccountList)
  if (mustChooseAccount(context))
    return (
      <ChooseAccount context={context} path="/linked-bank-accounts" many="linked bank accounts" />
    )
  const { reading, counts } = startListReads(context, linkedAccountList, view)
  const listResult = await reading
  const linkedAccountRowsResult = listResult.ok
    ? toListRowsResult(listResult, listResult.data.map(toLinkedAccountRow))
    : listResult
  return (
    <ListPage
      context={context}
      open={open}
      spec={linkedAccountList}
      view={view}
      read={linkedAccountRowsResult}
      counts={counts}
      Table={LinkedAccountTable}
      Split={LinkedAccountSplitView}
    >
      <CreateLink
        href={newRecordPath(context, 'linked_bank_accounts', { account: context.account })}
      >
        Link a bank account
      </CreateLink>
    </ListPage>
  )
}
