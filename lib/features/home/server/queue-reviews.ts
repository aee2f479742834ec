import 'server-only'
import { parseTime } from '@/lib/dates'
import { formatBankLabel } from '@/lib/domain/bank-label'
import { findReturnCode } from '@/lib/domain/return-codes'
import { findOwnValue } from '@/lib/domain/service-words'
import { getStateStartTime } from '@/lib/domain/status'
import type { QueueId } from '@/lib/features/home/labels'
import {
  type QueueReadResult,
  type QueueRow,
  rowsPerQueue,
  type WaitingPaymentTotals,
} from '@/lib/features/home/queues'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { listPath, recordPath } from '@/lib/routes'
import { groupWaitingByPaykey, type HeldPaymentsReadResult } from './queue-payments'
import { findOldestTime, type RowWithAccount, readQueueRows } from './queue-read'

type WaitingPaymentsByPaykey = ReturnType<typeof groupWaitingByPaykey>

/**
 * The lists can be sorted only by creation, so `takeLongestWaiting` sorts these rows by waiting
 * time.
 */
const oldestFirstPaging = { sort_by: 'created_at', sort_order: 'asc', page_size: 100 } as const

const takeLongestWaiting = <R>(
  found: readonly RowWithAccount<R>[],
  getSince: (row: R) => string | null,
): RowWithAccount<R>[] =>
  found
    .toSorted((a, b) => (parseTime(getSince(a.row)) ?? 0) - (parseTime(getSince(b.row)) ?? 0))
    .slice(0, rowsPerQueue)

const getPaykeyStateTime = (paykey: PaykeySummary) => getStateStartTime(paykey) ?? null

function toPaykeyLine(paykey: PaykeySummary, customer: string | undefined): string {
  const details = paykey.status_details
  const returnReason = findReturnCode(details?.code)?.meaning ?? details?.message ?? details?.reason
  return [customer, returnReason].filter((part) => part !== undefined).join(' · ')
}

/** The tail, the last four digits of the account number, distinguishes the paykeys of a bank. */
function splitPaykeyName({
  label,
  institution_name,
}: PaykeySummary): Pick<QueueRow, 'title' | 'tail'> {
  const [, bank, tail] = /^(.*) (••••\d{4})$/.exec(formatBankLabel(label ?? '')) ?? []
  return bank && tail
    ? { title: bank, tail }
    : { title: label ?? institution_name ?? 'Unnamed bank account' }
}

function toPaykeyRow(
  context: PageContext,
  waitingByPaykey: WaitingPaymentsByPaykey,
  queueTab: string,
  { row, account }: RowWithAccount<PaykeySummary>,
): QueueRow {
  const waitingPayments = waitingByPaykey?.get(row.id)
  const waitingTotals: WaitingPaymentTotals | null =
    waitingByPaykey === null
      ? null
      : { count: waitingPayments?.count ?? 0, sum: waitingPayments?.sum ?? 0 }
  return {
    key: `paykeys/${row.id}`,
    href: recordPath(context, 'paykeys', row.id, {
      account: context.account ?? account,
      queue: queueTab,
    }),
    ...splitPaykeyName(row),
    line: toPaykeyLine(row, waitingPayments?.customer),
    since: getPaykeyStateTime(row),
    account: context.account === null ? account : undefined,
    waiting: waitingTotals,
    ...(row.status_details?.code ? { code: row.status_details.code } : {}),
  }
}

const paykeyQueues = {
  paykeys_review: { asked: { status: ['review'] }, tab: 'review' },
  paykeys_unblockable: { asked: { unblock_eligible: true }, tab: 'unblockable' },
} satisfies Partial<Record<QueueId, { asked: object; tab: string }>>

export async function readPaykeyGroup(
  context: PageContext,
  id: keyof typeof paykeyQueues,
  held: Promise<HeldPaymentsReadResult>,
): Promise<QueueReadResult> {
  const { asked, tab } = paykeyQueues[id]
  const [read, waiting] = await Promise.all([
    readQueueRows(context, 'paykeys.list', { ...asked, ...oldestFirstPaging }),
    held,
  ])
  if (!read.ok) return read
  const oldestPaykeys = takeLongestWaiting(read.found, getPaykeyStateTime)
  const waitingPaymentsByPaykey = groupWaitingByPaykey(waiting)
  const queueRows = oldestPaykeys.map((each) =>
    toPaykeyRow(context, waitingPaymentsByPaykey, tab, each),
  )
  const { total, unreadable, readAt } = read
  const queueGroup = {
    id,
    total,
    atLeast: unreadable.length > 0,
    rows: queueRows,
    unreadable,
    oldest: findOldestTime(queueRows.map((row) => row.since)),
    readAt,
  }
  return { ok: true, group: { ...queueGroup, href: listPath(context, 'paykeys', { tab }) } }
}

const customerTypeTexts: Record<string, string> = { individual: 'Individual', business: 'Business' }

const getCustomerStateTime = (customer: CustomerSummary) => getStateStartTime(customer) ?? null

export async function readCustomersGroup(context: PageContext): Promise<QueueReadResult> {
  const customersResult = await readQueueRows(context, 'customers.list', {
    status: ['review'],
    ...oldestFirstPaging,
  })
  if (!customersResult.ok) return customersResult
  const oldestCustomers = takeLongestWaiting(customersResult.found, getCustomerStateTime)
  const customerRows = oldestCustomers.map(({ row, account }) => ({
    key: `customers/${row.id}`,
    href: recordPath(context, 'customers', row.id, {
      account: context.account ?? account,
      queue: 'review',
    }),
    title: row.name,
    line: `${findOwnValue(customerTypeTexts, row.type) ?? row.type ?? 'Customer'} · identity checks need a decision`,
    since: getCustomerStateTime(row),
    account: context.account === null ? account : undefined,
  }))
  return {
    ok: true,
    group: {
      ...{
        id: 'customers_review',
        total: customersResult.total,
        atLeast: customersResult.unreadable.length > 0,
        rows: customerRows,
        unreadable: customersResult.unreadable,
        readAt: customersResult.readAt,
      },
      oldest: findOldestTime(customerRows.map((row) => row.since)),
      href: listPath(context, 'customers', { tab: 'review' }),
    },
  }
}
