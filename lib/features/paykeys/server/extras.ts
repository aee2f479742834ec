import 'server-only'
import { parsePaymentKind } from '@/lib/domain/payment-kind'
import { type PaymentSum, waitingStates } from '@/lib/features/paykeys/related'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { loadRows, loadSums } from '@/lib/server/http/read'
import { inList } from '@/lib/server/mirror/conditions'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'

async function readNames(context: PageContext, ids: readonly string[]): Promise<Map<string, string>> {
  const read = await loadRows(context, 'customers.list', ids)
  return new Map(read.ok ? read.rows.map(({ id, object }) => [id, object.name]) : [])
}

/** Returns the sums of the payments that wait for some paykeys, by paykey; null if they could not be read. */
async function readWaitingSums(context: PageContext, ids: readonly string[]) {
  const paykeysCondition = inList(mirrorPayments.paykeyId, ids)
  const read = await loadSums(context, { payment_status: [...waitingStates] }, ['paykey', 'type'], paykeysCondition)
  if (!read.ok) return null
  const sums = new Map<string | null, PaymentSum>()
  for (const { paykey, type, count, minor, unreadable } of read.data) {
    const kind = parsePaymentKind(type)
    const sum = sums.get(paykey) ?? { count: 0, charges: 0, payouts: 0, unreadable: 0 }
    sums.set(paykey, {
      count: sum.count + count,
      charges: sum.charges + (kind === 'charge' ? minor : 0),
      payouts: sum.payouts + (kind === 'payout' ? minor : 0),
      unreadable: sum.unreadable + (kind === null ? count : unreadable),
    })
  }
  return { sums, atLeast: (read.meta.unreadable_rows?.length ?? 0) > 0 }
}

const noPayments: PaymentSum = { count: 0, charges: 0, payouts: 0, unreadable: 0 }

/**
 * Returns functions for the values that the list of paykeys does not contain: the customer's name, and the payments that wait for the
 * paykey. `atLeast`: some payments could not be parsed. Never throws: a value that could not be read is null.
 */
export function loadPaykeyExtras(context: PageContext, paykeys: readonly PaykeySummary[]) {
  const customers = [...new Set(paykeys.flatMap(({ customer_id }) => customer_id ?? []))]
  const names = readNames(context, customers)
  const waitingSums =
    paykeys.length > 0
      ? readWaitingSums(
          context,
          paykeys.map(({ id }) => id),
        )
      : Promise.resolve(null)
  return {
    nameOf: async (id: string | undefined): Promise<string | null> => (await names).get(id ?? '') ?? null,
    waitingOn: async (paykeyId: string) => {
      const read = await waitingSums
      return read && { ...(read.sums.get(paykeyId) ?? noPayments), atLeast: read.atLeast }
    },
  }
}
