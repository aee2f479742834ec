import 'server-only'
import { getTimestampDaysBefore } from '@/lib/dates'
import { getPaymentDeadline, rollToBankingDay } from '@/lib/domain/bank-time'
import { parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { findReturnCode } from '@/lib/domain/return-codes'
import { findOwnValue } from '@/lib/domain/service-words'
import { getStateStartTime, getStatusWords } from '@/lib/domain/status'
import {
  type HeldTotals,
  type QueueReadResult,
  type QueueRow,
  rowsPerQueue,
  type WaitingPaymentTotals,
} from '@/lib/features/home/queues'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { listPath, recordPath } from '@/lib/routes'
import { loadPaymentSums, type ReadFailure } from '@/lib/server/http/read'
import type { GroupedPaymentSum } from '@/lib/server/mirror/sums'
import { loadHoldReasonLookup } from './held-lines'
import {
  findOldestTime,
  type QueueRowsReadResult,
  type RowWithAccount,
  readQueueRows,
} from './queue-read'

/**
 * The most held payments that are read and sorted by banking day. The counts and sums include all
 * held payments.
 */
const maxHeldRows = 1000
const shownReturnDays = 7

type HeldSum = GroupedPaymentSum<'type' | 'currency' | 'paykey' | 'since'>

/** `sums` covers all payments on hold, not only the rows that were read. */
export type HeldPaymentsReadResult =
  | (Extract<QueueRowsReadResult<PaymentSummary>, { ok: true }> & { sums: readonly HeldSum[] })
  | ReadFailure

export async function readHeldPayments(context: PageContext): Promise<HeldPaymentsReadResult> {
  const heldPaymentsFilter = { payment_status: ['on_hold' as const] }
  const [rows, sums] = await Promise.all([
    readQueueRows(context, 'payments.search', {
      ...heldPaymentsFilter,
      sort_by: 'payment_date',
      sort_order: 'asc',
      page_size: maxHeldRows,
    }),
    loadPaymentSums(context, heldPaymentsFilter, ['type', 'currency', 'paykey', 'since']),
  ])
  if (!rows.ok) return rows
  return sums.ok ? { ...rows, sums: sums.data } : sums
}

const sumGroups = (groups: readonly HeldSum[], getNumber: (group: HeldSum) => number): number =>
  groups.reduce((sum, group) => sum + getNumber(group), 0)

/** In minor units; null if the payments could not be read. */
export function sumHeldPayments(held: HeldPaymentsReadResult): HeldTotals | null {
  if (!held.ok) return null
  return {
    count: sumGroups(held.sums, ({ count }) => count),
    sum: sumGroups(held.sums, ({ currency, minor }) => (currency === 'USD' ? minor : 0)),
    atLeast: held.unreadable.length > 0,
    unreadable: sumGroups(held.sums, ({ currency, count, unreadable }) =>
      currency === 'USD' ? unreadable : count,
    ),
  }
}

/**
 * Groups the held payments by the id of their paykey (a linked bank account). Null if a held
 * payment could not be parsed: its paykey is unknown, so any of the sums may be too low.
 */
export function groupWaitingByPaykey(
  held: HeldPaymentsReadResult,
): Map<string, WaitingPaymentTotals & { customer: string | undefined }> | null {
  if (!held.ok || held.unreadable.length > 0) return null
  const customerNameByPaykey = new Map(
    held.found.map(({ row }) => [row.paykey_details?.id, row.customer_details?.name]),
  )
  const waitingByPaykey = new Map<string, WaitingPaymentTotals & { customer: string | undefined }>()
  for (const { paykey, count, minor } of held.sums) {
    if (paykey === null) continue
    const paykeySubtotal = waitingByPaykey.get(paykey) ?? { count: 0, sum: 0 }
    waitingByPaykey.set(paykey, {
      count: paykeySubtotal.count + count,
      sum: paykeySubtotal.sum + minor,
      customer: customerNameByPaykey.get(paykey),
    })
  }
  return waitingByPaykey
}

/** A payment of an unknown type has no page; the URL then searches for it. */
function toPaymentHref(
  context: PageContext,
  { id, payment_type, status }: PaymentSummary,
  account: string | null,
): string {
  const kind = parsePaymentKind(payment_type)
  if (kind === null) return listPath(context, 'payments', { payment_id: id })
  return recordPath(context, resourceByKind[kind], id, {
    account,
    queue: status === 'on_hold' ? 'hold' : null,
  })
}

const toPaymentRow = (
  context: PageContext,
  { row, account }: RowWithAccount<PaymentSummary>,
  line: string,
): QueueRow => ({
  key: `${row.payment_type}/${row.id}`,
  href: toPaymentHref(context, row, context.account ?? account),
  title: row.customer_details?.name ?? 'Unknown customer',
  line,
  since: getStateStartTime(row),
  account: context.account === null ? account : undefined,
  amount: { raw: row.amount, currency: row.currency },
})

function toHeldRow(
  context: PageContext,
  now: number,
  payment: RowWithAccount<PaymentSummary>,
  line: string,
): QueueRow {
  const queueRow = toPaymentRow(context, payment, line)
  return payment.row.payment_date
    ? { ...queueRow, due: getPaymentDeadline(payment.row.payment_date, now) }
    : queueRow
}

/** A payment dated on a weekend or holiday has the cut-off of the next banking day. */
const getCutOffDay = ({ row }: RowWithAccount<PaymentSummary>) =>
  row.payment_date ? rollToBankingDay(row.payment_date) : '9999'

/** Sorted by the next cut-off, then by age. A payment of an unknown type is among the payouts. */
export async function toHeldGroup(
  context: PageContext,
  held: HeldPaymentsReadResult,
  type: 'payout' | 'charge',
  now: number,
): Promise<QueueReadResult> {
  if (!held.ok) return held
  const isOfType = (paymentType: string) => (parsePaymentKind(paymentType) ?? 'payout') === type
  const paymentsOfType = held.found.filter(({ row }) => isOfType(row.payment_type))
  const sumsOfType = held.sums.filter((sum) => isOfType(sum.type))
  const unreadableRows = type === 'payout' ? held.unreadable : []
  const sortedPayments = paymentsOfType.toSorted(
    (a, b) =>
      getCutOffDay(a).localeCompare(getCutOffDay(b)) ||
      Date.parse(getStateStartTime(a.row)) - Date.parse(getStateStartTime(b.row)),
  )
  const shownPayments = sortedPayments.slice(0, rowsPerQueue)
  const getHoldReason = await loadHoldReasonLookup(context, shownPayments)
  return {
    ok: true,
    group: {
      id: type === 'payout' ? 'payouts_held' : 'charges_held',
      total: sumGroups(sumsOfType, ({ count }) => count),
      atLeast: held.unreadable.length > 0,
      rows: shownPayments.map((found) => toHeldRow(context, now, found, getHoldReason(found.row))),
      unreadable: unreadableRows,
      oldest: findOldestTime(sumsOfType.map(({ since }) => since)),
      href: listPath(context, `${type}s`),
      readAt: held.readAt,
    },
  }
}

const typeTexts: Readonly<Record<string, string>> = { charge: 'Charge', payout: 'Payout' }

function toReturnedLine({ payment_type, status, status_details: details }: PaymentSummary): string {
  const paymentText = `${findOwnValue(typeTexts, payment_type) ?? (payment_type || 'Payment')} ${getStatusWords('payment', status).label.toLowerCase()}`
  const returnReason = findReturnCode(details?.code)?.meaning ?? details?.message ?? details?.reason
  return returnReason ? `${paymentText}: ${returnReason}` : paymentText
}

export async function readReturnedPaymentsGroup(
  context: PageContext,
  now: number,
): Promise<QueueReadResult> {
  const statuses: ('failed' | 'reversed')[] = ['failed', 'reversed']
  const returnedPaymentsFilter = {
    payment_status: statuses,
    has_resubmit: false,
    min_updated_at: getTimestampDaysBefore(now, shownReturnDays),
  }
  const paymentsResult = await readQueueRows(context, 'payments.search', {
    ...returnedPaymentsFilter,
    sort_by: 'updated_at',
    sort_order: 'asc',
    page_size: rowsPerQueue,
  })
  if (!paymentsResult.ok) return paymentsResult
  const oldestPayments = paymentsResult.found
    .toSorted((a, b) => Date.parse(getStateStartTime(a.row)) - Date.parse(getStateStartTime(b.row)))
    .slice(0, rowsPerQueue)
  const queueRows = oldestPayments.map((each) => {
    const returnCode = each.row.status_details?.code
    return {
      ...toPaymentRow(context, each, toReturnedLine(each.row)),
      ...(returnCode ? { code: returnCode } : {}),
    }
  })
  return {
    ok: true,
    group: {
      id: 'returned',
      total: paymentsResult.total,
      atLeast: paymentsResult.unreadable.length > 0,
      rows: queueRows,
      unreadable: paymentsResult.unreadable,
      oldest: findOldestTime(queueRows.map((row) => row.since)),
      href: listPath(context, 'payments', returnedPaymentsFilter),
      readAt: paymentsResult.readAt,
    },
  }
}
