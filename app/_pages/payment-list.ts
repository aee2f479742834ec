import type { ListRowsResult } from '@/components/kits/list/spec'
import { formatPaymentName, type PaymentRow, toPaymentRow } from '@/components/payments/list/lists'
import { createHoldReasonLoader } from '@/lib/features/home/server/held-lines'
import type { PageContext } from '@/lib/operations/page-context'
import { listRowAccounts } from '@/lib/server/http/read'
import { type ListResult, toListRowsResult } from './list'

export async function loadPayments(
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
  const names = listResult.data.map((payment) => formatPaymentName(payment, context.amountUnit))
  return toListRowsResult(listResult, rows, names)
}
