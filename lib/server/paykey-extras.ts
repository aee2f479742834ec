import 'server-only'
import { sumOf, waitingStates } from '@/lib/domain/paykey-payments'
import type { Desk } from '@/lib/operations/desk'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { load } from './read'

/** Customers that are read for their names on one page, at most, and how many at once: each is a call on the shared rate budget. */
const mostNames = 50
const atOnce = 4

/** Payments that are looked at in one search, which is as many as a page of the service holds. */
const mostPayments = 1000

type WaitingRead = { payments: PaymentSummary[]; complete: boolean } | null

async function readWaiting(desk: Desk): Promise<WaitingRead> {
  const found = await load(desk, 'payments.search', { payment_status: [...waitingStates], page_size: mostPayments, sort_by: 'created_at' })
  if (!found.ok) return null
  return { payments: found.data, complete: (found.meta.total_items ?? found.data.length) <= found.data.length }
}

/** Runs few of the tasks at once, in the order they came. */
function queueOf(limit: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    try {
      return await task()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}

async function readName(desk: Desk, id: string): Promise<string | null> {
  const found = await load(desk, 'customers.get', { id })
  return found.ok ? found.data.name : null
}

/**
 * What the list of paykeys does not say: whose each one is and which payments wait on it. One search brings the payments of the whole page and the
 * names that come with them; other names are read one by one, 50 at most. Nothing here throws: what could not be read is null.
 */
export function paykeyExtras(desk: Desk) {
  const waiting = readWaiting(desk)
  const names = new Map<string, Promise<string | null>>()
  const inTurn = queueOf(atOnce)

  async function nameFrom(id: string): Promise<string | null> {
    const found = (await waiting)?.payments.find(({ customer_details }) => customer_details?.id === id)?.customer_details?.name
    return found ?? inTurn(() => readName(desk, id))
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
      const read = await waiting
      if (read === null) return null
      const own = read.payments.filter(({ paykey_details }) => paykey_details?.id === paykeyId)
      return { ...sumOf(own, desk.amountUnit), atLeast: !read.complete }
    },
  }
}
