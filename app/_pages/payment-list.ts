import type { ListRead, ListView } from '@/components/kits/list/spec'
import { type PaymentRow, paymentName, rowOf } from '@/components/payments/list/lists'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { heldLinesOf } from '@/lib/features/home/server/held-lines'
import { paymentNouns } from '@/lib/features/payments/labels'
import type { PageContext } from '@/lib/operations/page-context'
import { accountsOfAll, backfillAccounts } from '@/lib/server/http/account-of'
import { type Found, listRead } from './list'

/** The payments of a kind as rows, once they were found. The accounts of held ones are looked up first, because each is decided within its own. */
export async function loadPayments(
  context: PageContext,
  kind: PaymentKind,
  view: ListView,
  reading: Promise<Found<'payments.search'>>,
): Promise<ListRead<PaymentRow>> {
  const found = await reading
  if (!found.ok) return found
  if (view.tab.queue) await backfillAccounts(context, `held ${paymentNouns[kind].resource}`)
  const accounts = await accountsOfAll(context, found.data, ({ id }) => `${paymentNouns[kind].resource}/${id}`)
  const heldLineOf = heldLinesOf(context)
  const rows = found.data.map((payment, at) => rowOf(payment, accounts[at] ?? null, heldLineOf))
  const names = found.data.map((payment) => paymentName(payment, context.amountUnit))
  return listRead(found, view, rows, names)
}
