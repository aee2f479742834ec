import type { Metadata } from 'next'
import {
  ListPage,
  type ListResult,
  prepareListPage,
  startListReads,
  toListRowsResult,
} from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import {
  type CustomerRow,
  customerList,
  getCustomerName,
  toCustomerRow,
} from '@/components/customers/list/list'
import { CustomerSplitView, CustomerTable } from '@/components/customers/list/table'
import { CreateLink } from '@/components/kits/list/create-link'
import type { ListRowsResult } from '@/components/kits/list/spec'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import type { PageContext } from '@/lib/operations/page-context'
import { newRecordPath } from '@/lib/routes'
import { listRowAccounts } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Customers' }

/**
 * Adds each customer's account to its row, because a decision about the customer is sent in that
 * account.
 */
async function loadCustomers(
  context: PageContext,
  resultPromise: Promise<ListResult<'customers.list'>>,
): Promise<ListRowsResult<CustomerRow>> {
  const listResult = await resultPromise
  if (!listResult.ok) return listResult
  const rowAccounts = listRowAccounts(context, listResult)
  const rows = listResult.data.map((customer, at) =>
    toCustomerRow(customer, rowAccounts[at] ?? null),
  )
  const customerNames = listResult.data.map(getCustomerName)
  return toListRowsResult(listResult, rows, customerNames)
}

export default async function CustomersPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, customerList)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/customers" many="customers" />
  const { reading, counts } = startListReads(context, customerList, view)
  const customersRead = await loadCustomers(context, reading)
  return (
    <ListPage
      context={context}
      open={open}
      spec={customerList}
      view={view}
      read={customersRead}
      counts={counts}
      Table={CustomerTable}
      Split={CustomerSplitView}
    >
      <CreateLink href={newRecordPath(context, 'customers', { account: context.account })}>
        New customer
      </CreateLink>
    </ListPage>
  )
}
