import 'server-only'
import { parsePaymentKind } from '@/lib/domain/payment-kind'
import { type PaymentSum, waitingStates } from '@/lib/features/paykeys/related'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { loadMirrorRows, loadPaymentSums } from '@/lib/server/http/read'
import { inList } from '@/lib/server/mirror/conditions'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'

async function readCustomerNames(
  context: PageContext,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const customersResult = await loadMirrorRows(context, 'customers.list', ids)
  return new Map(
    customersResult.ok ? customersResult.rows.map(({ id, object }) => [id, object.name]) : [],
  )
}

/** Returns the sums by paykey id; null if they could not be read. */
async function readWaitingPaymentSums(context: PageContext, ids: readonly string[]) {
  const paykeysCondition = inList(mirrorPayments.paykeyId, ids)
  const sumsResult = await loadPaymentSums(
    context,
    { payment_status: [...waitingStates] },
    ['paykey', 'type'],
    paykeysCondition,
  )
  if (!sumsResult.ok) return null
  const sumByPaykey = new Map<string | null, PaymentSum>()
  for (const { paykey, type, count, minor, unreadable } of sumsResult.data) {
    const kind = parsePaymentKind(type)
    const paykeySum = sumByPaykey.get(paykey) ?? { count: 0, charges: 0, payouts: 0, unreadable: 0 }
    sumByPaykey.set(paykey, {
      count: paykeySum.count + count,
      charges: paykeySum.charges + (kind === 'charge' ? minor : 0),
      payouts: paykeySum.payouts + (kind === 'payout' ? minor : 0),
      unreadable: paykeySum.unreadable + (kind === null ? count : unreadable),
    })
  }
  return { sums: sumByPaykey, atLeast: (sumsResult.meta.unreadable_rows?.length ?? 0) > 0 }
}

const emptyPaymentSum: PaymentSum = { count: 0, charges: 0, payouts: 0, unreadable: 0 }

/**
 * Returns functions that never throw: a value that could not be read is null. `atLeast`: some
 * payments could not be parsed, so the sums may be too low.
 */
export function loadPaykeyLookups(context: PageContext, paykeys: readonly PaykeySummary[]) {
  const customerIds = [...new Set(paykeys.flatMap(({ customer_id }) => customer_id ?? []))]
  const customerNamesPromise = readCustomerNames(context, customerIds)
  const waitingSumsPromise =
    paykeys.length > 0
      ? readWaitingPaymentSums(
          context,
          paykeys.map(({ id }) => id),
        )
      : Promise.resolve(null)
  return {
    nameOf: async (id: string | undefined): Promise<string | null> =>
      (await customerNamesPromise).get(id ?? '') ?? null,
    waitingOn: async (paykeyId: string) => {
      const waitingSumsResult = await waitingSumsPromise
      return (
        waitingSumsResult && {
          ...(waitingSumsResult.sums.get(paykeyId) ?? emptyPaymentSum),
          atLeast: waitingSumsResult.atLeast,
        }
      )
    },
  }
}
