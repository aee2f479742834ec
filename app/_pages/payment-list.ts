import type { ListRead } from '@/components/kits/list/spec'
import { formatPaymentName, type PaymentRow, toPaymentRow } from '@/components/payments/list/lists'
import { createHoldReasonLoader } from '@/lib/features/home/server/held-lines'
import type { PageContext } from '@/lib/operations/page-context'
import { listRowAccounts } from '@/lib/server/http/read'
import { type ListResult, toListRead } from './list'

export async function loadPayments(
  context: PageContext,
  resultPromise: Promise<ListResult<'payments.search'>>,
): Promise<ListRead<PaymentRow>> {
  const result = await resultPromise
  if (!result.ok) return result
  const accounts = listRowAccounts(context, result)
  const loadHoldReason = createHoldReasonLoader(context)
  const rows = result.data.map((payment, at) =>
    toPaymentRow(payment, accounts[at] ?? null, loadHoldReason),
  )
  const names = result.data.map((payment) => formatPaymentName(payment, context.amountUnit))
  return toListRead(result, rows, names)
}
