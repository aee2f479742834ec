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
import { type LoadResult, loadPaymentSums, type ReadFailure } from '@/lib/server/http/read'

const cashFlowDays = 30

/** Payments in the figures (`counted`), and payments that could not be read (`unread`). */
type RowCounts = { counted: number; unread: number; readAt: string | undefined }

type CashFlowReadResult = ({ ok: true; flow: CashFlow } & RowCounts) | ReadFailure

type ReturnRatesReadResult =
  | ({ ok: true; rates: ReturnRates; from: string; to: string } & RowCounts)
  | ReadFailure

type LoadedSums = Extract<LoadResult<readonly { count: number }[]>, { ok: true }>

const sumCounts = (groups: LoadedSums['data']): number =>
  groups.reduce((sum, { count }) => sum + count, 0)

const toRowCounts = ({ data, meta }: LoadedSums): RowCounts => ({
  counted: sumCounts(data),
  unread: meta.unreadable_rows?.length ?? 0,
  readAt: meta.read_at,
})

export async function loadCashFlow(context: PageContext, now: number): Promise<CashFlowReadResult> {
  const period = { today: toNewYorkDate(now), days: cashFlowDays }
  const paidPaymentsFilter = {
    payment_status: ['paid' as const],
    min_effective_at: toPeriodStart(period),
  }
  const sumsResult = await loadPaymentSums(context, paidPaymentsFilter, [
    'day',
    'type',
    'refund',
    'currency',
  ])
  return sumsResult.ok
    ? { ok: true, flow: computeCashFlow(sumsResult.data, period), ...toRowCounts(sumsResult) }
    : sumsResult
}

const isUnreturned = ({ status }: { status: string }): boolean =>
  status === 'pending' || status === 'paid'

export async function loadReturnRates(
  context: PageContext,
  now: number,
): Promise<ReturnRatesReadResult> {
  const { from, to } = getReturnPeriod(toNewYorkDate(now))
  const chargesFilter = {
    payment_type: ['charge' as const],
    min_payment_date: from,
    max_payment_date: to,
  }
  const chargeSumsResult = await loadPaymentSums(
    context,
    { ...chargesFilter, payment_status: ['pending', 'paid', 'failed', 'reversed'] },
    ['status', 'source', 'code'],
  )
  if (!chargeSumsResult.ok) return chargeSumsResult
  const unreturnedCount = sumCounts(chargeSumsResult.data.filter(isUnreturned))
  const rates = computeReturnRates(
    unreturnedCount,
    chargeSumsResult.data.filter((group) => !isUnreturned(group)),
  )
  return { ok: true, rates, from, to, ...toRowCounts(chargeSumsResult) }
}
