import 'server-only'
import { bankDay } from '@/lib/dates'
import { type CashFlow, cashFlow, startOf } from '@/lib/domain/cash-flow'
import { type ReturnRates, returnRates, returnWindow } from '@/lib/domain/returns'
import type { Desk } from '@/lib/operations/desk'
import { remembered } from './home-memory'
import { type Gathered, gather, safely, type Unread } from './work-read'
import { oldestOf } from './work-rows'

/** The most pages of a thousand payments that are read for one chart. */
const mostPages = 10
/** The days of the chart of money in and out. */
const flowDays = 30

/** `counted`: payments the figures come from. `cut`: there are more than were read, and the chart says so. */
type Counted = { counted: number; cut: boolean; readAt: string }

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

async function readFlow(desk: Desk, now: number): Promise<FlowRead> {
  const frame = { today: bankDay(now), days: flowDays }
  const asked = { payment_status: ['paid'], min_effective_at: startOf(frame), sort_by: 'effective_at' as const }
  const read = await gather(desk, 'payments.search', { ...asked, sort_order: 'desc' }, mostPages)
  if (!read.ok) return read
  const rows = read.found.map(({ row }) => row)
  const flow = cashFlow(rows, { ...frame, unit: desk.amountUnit, completeFrom: completeFrom(read) })
  return { ok: true, flow, counted: rows.length, cut: read.cut.length > 0, readAt: read.readAt }
}

async function readRates(desk: Desk, now: number): Promise<RatesRead> {
  const { from, to } = returnWindow(bankDay(now))
  const window = { payment_type: ['charge'], min_payment_date: from, max_payment_date: to }
  const [standing, ended] = await Promise.all([
    gather(desk, 'payments.search', { ...window, payment_status: ['pending', 'paid'], page_size: 1 }),
    gather(desk, 'payments.search', { ...window, payment_status: ['failed', 'reversed'], sort_by: 'payment_date' }, mostPages),
  ])
  if (!standing.ok) return standing
  if (!ended.ok) return ended
  const rates = returnRates(
    standing.total,
    ended.found.map(({ row }) => row),
  )
  return { ok: true, rates, from, to, counted: standing.total + ended.found.length, cut: ended.cut.length > 0, readAt: ended.readAt }
}

/** Money in and out per day over the last thirty days in the desk's scope, computed once a minute. Never rejects. */
export const flowOf = (desk: Desk, now: number): Promise<FlowRead> =>
  safely(() => remembered('money in and out', desk, () => readFlow(desk, now)))

/** Return rates over the preceding sixty days in the desk's scope, computed once a minute. Never rejects. */
export const ratesOf = (desk: Desk, now: number): Promise<RatesRead> =>
  safely(() => remembered('return rates', desk, () => readRates(desk, now)))
