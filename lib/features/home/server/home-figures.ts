import 'server-only'
import { toNewYorkDate } from '@/lib/dates'
import {
  type CashFlow,
  computeCashFlow,
  computeReturnRates,
  getReturnPeriod,
  type ReturnRates,
  toPeriodStart,
} from '@/lib/features/home/figures'
import type { PageContext } from '@/lib/operations/page-context'
import { type LoadResult, loadSums, type ReadFailure } from '@/lib/server/http/read'

/** The number of days in the chart of incoming and outgoing money. */
const cashFlowDays = 30

/**
 * `counted` is the number of payments in the figures, `unread` the number of payments that could
 * not be read.
 */
type ReadCounts = { counted: number; unread: number; readAt: string | undefined }

/** The incoming and outgoing money, or the error of the read. */
type CashFlowRead = ({ ok: true; flow: CashFlow } & ReadCounts) | ReadFailure

/** The return rates, or the error of the read. */
type ReturnRatesRead =
  | ({ ok: true; rates: ReturnRates; from: string; to: string } & ReadCounts)
  | ReadFailure

type LoadedSums = Extract<LoadResult<readonly { count: number }[]>, { ok: true }>

const sumCounts = (groups: LoadedSums['data']): number =>
  groups.reduce((sum, { count }) => sum + count, 0)

const toReadCounts = ({ data, meta }: LoadedSums): ReadCounts => ({
  counted: sumCounts(data),
  unread: meta.unreadable_rows?.length ?? 0,
  readAt: meta.read_at,
})

/**
 * Returns incoming and outgoing money per day, over the 30 days that end at `now` (milliseconds),
 * in the page's scope.
 */
export async function loadCashFlow(context: PageContext, now: number): Promise<CashFlowRead> {
  const period = { today: toNewYorkDate(now), days: cashFlowDays }
  const filter = { payment_status: ['paid' as const], min_effective_at: toPeriodStart(period) }
  const sumsRead = await loadSums(context, filter, ['day', 'type', 'refund', 'currency'])
  return sumsRead.ok
    ? { ok: true, flow: computeCashFlow(sumsRead.data, period), ...toReadCounts(sumsRead) }
    : sumsRead
}

const isUnreturned = ({ status }: { status: string }): boolean =>
  status === 'pending' || status === 'paid'

/**
 * Returns the return rates over the 60 days that end at `now` (milliseconds), in the page's scope.
 */
export async function loadReturnRates(context: PageContext, now: number): Promise<ReturnRatesRead> {
  const { from, to } = getReturnPeriod(toNewYorkDate(now))
  const filter = { payment_type: ['charge' as const], min_payment_date: from, max_payment_date: to }
  const read = await loadSums(
    context,
    { ...filter, payment_status: ['pending', 'paid', 'failed', 'reversed'] },
    ['status', 'source', 'code'],
  )
  if (!read.ok) return read
  const unreturnedCount = sumCounts(read.data.filter(isUnreturned))
  const rates = computeReturnRates(
    unreturnedCount,
    read.data.filter((group) => !isUnreturned(group)),
  )
  return { ok: true, rates, from, to, ...toReadCounts(read) }
}
