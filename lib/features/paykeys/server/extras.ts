import 'server-only'
import pLimit from 'p-limit'
import { sumOf, waitingStates } from '@/lib/features/paykeys/related'
import { isWhole } from '@/lib/operations/list-count'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { load } from '@/lib/server/http/read'
import { callsAtOnce } from '@/lib/server/service/service-read'

/** Customers that are read for their names on one page, at most: each is a call on the shared rate budget. */
const mostNames = 50

/** Payments that are looked at in one search, which is as many as a page of the service holds. */
const mostPayments = 1000

type WaitingRead = { payments: PaymentSummary[]; complete: boolean } | null

async function readWaiting(context: PageContext): Promise<WaitingRead> {
  const found = await load(context, 'payments.search', {
    payment_status: [...waitingStates],
    page_size: mostPayments,
    sort_by: 'created_at',
  })
  if (!found.ok) return null
  return { payments: found.data, complete: isWhole(found, mostPayments) }
}

async function readName(context: PageContext, id: string): Promise<string | null> {
  const found = await load(context, 'customers.get', { id })
  return found.ok ? found.data.name : null
}

/**
 * What the list of paykeys does not say: whose each one is and which payments wait on it. One search, made for the first row, brings the payments of the whole page and the
 * names that come with them; other names are read one by one, 50 at most. Nothing here throws: what could not be read is null.
 */
export function paykeyExtras(context: PageContext) {
  let waiting: Promise<WaitingRead> | undefined
  const readOnce = () => (waiting ??= readWaiting(context))
  const names = new Map<string, Promise<string | null>>()
  const inTurn = pLimit(callsAtOnce)

  async function nameFrom(id: string): Promise<string | null> {
    const found = (await readOnce())?.payments.find(({ customer_details }) => customer_details?.id === id)?.customer_details?.name
    return found ?? inTurn(() => readName(context, id))
  }

  return {
    /** The name of a customer. */
    nameOf: (id: string | undefined): Promise<string | null> => {
      if (id === undefined || (!names.has(id) && names.size >= mostNames)) return Promise.resolve(null)
      const name = names.get(id) ?? nameFrom(id)
      names.set(id, name)
      return name
    },
    /** The payments that wait on a paykey, summed; `atLeast` where there were more than one search brings. */
    waitingOn: async (paykeyId: string) => {
      const read = await readOnce()
      if (read === null) return null
      const own = read.payments.filter(({ paykey_details }) => paykey_details?.id === paykeyId)
      return { ...sumOf(own, context.amountUnit), atLeast: !read.complete }
    },
  }
}
