import type { Metadata } from 'next'
import {
  ListPage,
  type ListResult,
  prepareListPage,
  startListReads,
  toListRowsResult,
} from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import type { ListRowsResult } from '@/components/kits/list/spec'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { type PaymentRow, toPaymentRow } from '@/components/payments/list/lists'
import { paymentSearchList } from '@/components/payments/list/search-list'
import { PaymentSearchSplitView, PaymentSearchTable } from '@/components/payments/list/search-table'
import { createHoldReasonLoader } from '@/lib/features/home/server/held-lines'
import type { PageContext } from '@/lib/operations/page-context'
import { listRowAccounts } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Payments' }

async function loadPaymentSearchRows(
  context: PageContext,
  resultPromise: Promise<ListResult<'payments.search'>>,
): Promise<ListRowsResult<PaymentRow>> {
  const listResult = await resultPromise
  if (!listResult.ok) return listResult
  const rowAccounts = listRowAccounts(context, listResult)
  const loadHoldReason = createHoldReasonLoader(context)
  const rows = listResult.data.map((payment, at) =>
    toPaymentRow(payment, rowAccounts[at] ?? null, loadHoldReason),
  )
  return toListRowsResult(listResult, rows)
}

export default async function PaymentsPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, paymentSearchList)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/payments" many="payments" />
  const { reading, counts } = startListReads(context, paymentSearchList, view)
  const paymentsRead = await loadPaymentSearchRows(context, reading)
  return (
    <ListPage
      context={context}
      open={open}
      spec={paymentSearchList}
      view={view}
      read={paymentsRead}
      counts={counts}
      Table={PaymentSearchTable}
      Split={PaymentSearchSplitView}
      targetOf={({ id, payment_type }) => `${payment_type}s/${id}`}
    />
  )
}
