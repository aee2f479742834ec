import 'server-only'
import { bankDay } from '@/lib/dates'
import { type CashFlow, cashFlow, type ReturnRates, returnRates, returnWindow, startOf } from '@/lib/features/home/figures'
import type { PageContext } from '@/lib/operations/page-context'
import { remembered } from './memory'
import { type Gathered, gather, oldestOf, safely, type Unread } from './queue-read'

/** The most pages of a thousand payments that are read for one chart. */
const mostPages = 10
/** The days of the chart of money in and out. */
const flowDays = 30

/** `counted`: payments the figures come from. `cut`: there are more than were read, and the chart says so, as of those that could not be read. */
type Counted = { counted: number; cut: boolean; unread: number; readAt: string }

/** Money in and out as it was computed, or why it could not be. */
export type FlowRead = ({ ok: true; flow: CashFlow } & Counted) | Unread

/** Return rates as they were computed, or why they could not be. */
export type RatesRead = ({ ok: true; rates: ReturnRates; from: string; to: string } & Counted) | Unread

type Read = Extract<Gathered<{ effective_at?: string | undefined }>, { ok: true }>

/** The time from which on every payment of every scope was read, where some were cut off: they came newest first. */
function completeFrom({ found, cut }: Read): string | null {
  const oldestIn = (scope: string | null) =>
    oldestOf(found.filter(({ account }) => account === scope).map(({ row }) => row.effective_at)) ?? new Date().toISOString()
  return cut.map(oldestIn).reduce<string | null>((latest, time) => (latest === null || time > latest ? time : latest), null)
}

async function readFlow(context: PageContext, now: number): Promise<FlowRead> {
  const frame = { today: bankDay(now), days: flowDays }
  const asked = { payment_status: ['paid'], min_effective_at: startOf(frame), sort_by: 'effective_at' as const }
  const read = await gather(context, 'payments.search', { ...asked, sort_order: 'desc' }, mostPages)
  if (!read.ok) return read
  const rows = read.found.map(({ row }) => row)
  const flow = cashFlow(rows, { ...frame, unit: context.amountUnit, completeFrom: completeFrom(read) })
  return { ok: true, flow, counted: rows.length, cut: read.cut.length > 0, unread: read.unreadable.length, readAt: read.readAt }
}

async function readRates(context: PageContext, now: number): Promise<RatesRead> {
  const { from, to } = returnWindow(bankDay(now))
  const window = { payment_type: ['charge'], min_payment_date: from, max_payment_date: to }
  const [kept, ended] = await Promise.all([
    gather(context, 'payments.search', { ...window, payment_status: ['pending', 'paid'], page_size: 1 }),
    gather(context, 'payments.search', { ...window, payment_status: ['failed', 'reversed'], sort_by: 'payment_date' }, mostPages),
  ])
  if (!kept.ok) return kept
  if (!ended.ok) return ended
  const rates = returnRates(
    kept.total,
    ended.found.map(({ row }) => row),
  )
  const cut = kept.atLeast || ended.cut.length > 0
  const counted = kept.total + ended.found.length
  return { ok: true, rates, from, to, counted, cut, unread: ended.unreadable.length, readAt: ended.readAt }
}

/** Money in and out per day over the last thirty days in the page's scope, computed once a minute. Never rejects. */
export const flowOf = (context: PageContext, now: number): Promise<FlowRead> =>
  safely(() => remembered('money in and out', context, () => readFlow(context, now)))

/** Return rates over the preceding sixty days in the page's scope, computed once a minute. Never rejects. */
export const ratesOf = (context: PageContext, now: number): Promise<RatesRead> =>
  safely(() => remembered('return rates', context, () => readRates(context, now)))
