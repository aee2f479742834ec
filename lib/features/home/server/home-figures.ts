import 'server-only'
import { bankDay } from '@/lib/dates'
import { type CashFlow, cashFlow, type ReturnRates, returnRates, returnWindow, startOf } from '@/lib/features/home/figures'
import type { PageContext } from '@/lib/operations/page-context'
import { type Loaded, loadSums, type Unread } from '@/lib/server/http/read'

/** The number of days in the chart of incoming and outgoing money. */
const flowDays = 30

/** `counted` is the number of payments in the figures, `unread` the number of payments that could not be read. */
type Counted = { counted: number; unread: number; readAt: string | undefined }

/** The incoming and outgoing money, or the error of the read. */
type FlowRead = ({ ok: true; flow: CashFlow } & Counted) | Unread

/** The return rates, or the error of the read. */
type RatesRead = ({ ok: true; rates: ReturnRates; from: string; to: string } & Counted) | Unread

type Sums = Extract<Loaded<readonly { count: number }[]>, { ok: true }>

const countOf = (groups: Sums['data']): number => groups.reduce((sum, { count }) => sum + count, 0)

const counted = ({ data, meta }: Sums): Counted => ({
  counted: countOf(data),
  unread: meta.unreadable_rows?.length ?? 0,
  readAt: meta.read_at,
})

/** Returns incoming and outgoing money per day, over the 30 days that end at `now` (milliseconds), in the page's scope. */
export async function flowOf(context: PageContext, now: number): Promise<FlowRead> {
  const frame = { today: bankDay(now), days: flowDays }
  const filter = { payment_status: ['paid' as const], min_effective_at: startOf(frame) }
  const read = await loadSums(context, filter, ['day', 'type', 'refund', 'currency'])
  return read.ok ? { ok: true, flow: cashFlow(read.data, frame), ...counted(read) } : read
}

const isKept = ({ status }: { status: string }): boolean => status === 'pending' || status === 'paid'

/** Returns the return rates over the 60 days that end at `now` (milliseconds), in the page's scope. */
export async function ratesOf(context: PageContext, now: number): Promise<RatesRead> {
  const { from, to } = returnWindow(bankDay(now))
  const filter = { payment_type: ['charge' as const], min_payment_date: from, max_payment_date: to }
  const read = await loadSums(context, { ...filter, payment_status: ['pending', 'paid', 'failed', 'reversed'] }, [
    'status',
    'source',
    'code',
  ])
  if (!read.ok) return read
  const unreturnedCount = countOf(read.data.filter(isKept))
  const rates = returnRates(
    unreturnedCount,
    read.data.filter((group) => !isKept(group)),
  )
  return { ok: true, rates, from, to, ...counted(read) }
}
