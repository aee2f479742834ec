import type { ListRead } from '@/components/kits/list/spec'
import { type PaymentRow, paymentName, rowOf } from '@/components/payments/list/lists'
import { heldLinesOf } from '@/lib/features/home/server/held-lines'
import type { PageContext } from '@/lib/operations/page-context'
import { accountsOf } from '@/lib/server/http/read'
import { type Found, listRead } from './list'

export async function loadPayments(context: PageContext, reading: Promise<Found<'payments.search'>>): Promise<ListRead<PaymentRow>> {
  const found = await reading
  if (!found.ok) return found
  const accounts = accountsOf(context, found)
  const heldLineOf = heldLinesOf(context)
  const rows = found.data.map((payment, at) => rowOf(payment, accounts[at] ?? null, heldLineOf))
  const names = found.data.map((payment) => paymentName(payment, context.amountUnit))
  return listRead(found, rows, names)
}
