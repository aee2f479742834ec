import type { Metadata } from 'next'
import {
  ListPage,
  type ListResult,
  prepareListPage,
  startListReads,
  toListRowsResult,
} from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import { CreateLink } from '@/components/kits/list/create-link'
import type { ListRowsResult } from '@/components/kits/list/spec'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { type PaykeyRow, paykeyList, toPaykeyRow } from '@/components/paykeys/list/list'
import { PaykeySplitView, PaykeyTable } from '@/components/paykeys/list/table'
import { formatBankAccount } from '@/lib/features/paykeys/labels'
import { loadPaykeyLookups } from '@/lib/features/paykeys/server/extras'
import type { PageContext } from '@/lib/operations/page-context'
import { connectBankAccountPath } from '@/lib/routes'
import { listRowAccounts } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Paykeys' }

async function loadPaykeys(
  context: PageContext,
  resultPromise: Promise<ListResult<'paykeys.list'>>,
): Promise<ListRowsResult<PaykeyRow>> {
  const listResult = await resultPromise
  if (!listResult.ok) return listResult
  const rowAccounts = listRowAccounts(context, listResult)
  const paykeyRowValueLoaders = loadPaykeyLookups(context, listResult.data)
  const rows = listResult.data.map((paykey, at) =>
    toPaykeyRow(paykey, rowAccounts[at] ?? null, paykeyRowValueLoaders),
  )
  return toListRowsResult(listResult, rows, listResult.data.map(formatBankAccount))
}

export default async function PaykeysPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, paykeyList)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/paykeys" many="paykeys" />
  const { reading, counts } = startListReads(context, paykeyList, view)
  const paykeysRead = await loadPaykeys(context, reading)
  const connectHref = connectBankAccountPath(context, {
    account: context.account,
    customer: view.filters.customer_id,
  })
  return (
    <ListPage
      context={context}
      open={open}
      spec={paykeyList}
      view={view}
      read={paykeysRead}
      counts={counts}
      Table={PaykeyTable}
      Split={PaykeySplitView}
    >
      <CreateLink href={connectHref}>Connect a bank account</CreateLink>
    </ListPage>
  )
}
