import 'server-only'
import { parseTime } from '@/lib/dates'
import { findReturnCode } from '@/lib/domain/return-codes'
import { findEntry } from '@/lib/domain/service-words'
import { stateSince } from '@/lib/domain/status'
import type { QueueId } from '@/lib/features/home/labels'
import { type QueueRead, type QueueRow, rowsPerQueue, type WaitingPayments } from '@/lib/features/home/queues'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { listPath, recordPath } from '@/lib/routes'
import { groupWaitingByPaykey, type HeldPayments } from './queue-payments'
import { findOldestTime, type RowWithAccount, readQueueRows } from './queue-read'

type WaitingByPaykey = ReturnType<typeof groupWaitingByPaykey>

/** The service can sort only by creation. Therefore 100 rows are read, and sorted here by how long they wait. */
const oldestFirst = { sort_by: 'created_at', sort_order: 'asc', page_size: 100 } as const

/** Returns the first rows, those that wait longest first. */
const takeOldest = <R>(found: readonly RowWithAccount<R>[], since: (row: R) => string | null): RowWithAccount<R>[] =>
  found.toSorted((a, b) => (parseTime(since(a.row)) ?? 0) - (parseTime(since(b.row)) ?? 0)).slice(0, rowsPerQueue)

const getPaykeySince = (paykey: PaykeySummary) => stateSince(paykey) ?? null

/** Returns why a paykey is in the queue: the meaning of its return code, or else the service's message. */
function toPaykeyLine(paykey: PaykeySummary, customer: string | undefined): string {
  const details = paykey.status_details
  const returnReason = findReturnCode(details?.code)?.meaning ?? details?.message ?? details?.reason
  return [customer, returnReason].filter((part) => part !== undefined).join(' · ')
}

/** Returns the name in two parts. `tail`, the last four digits, distinguishes accounts and must not be truncated. */
function splitPaykeyName({ label, institution_name }: PaykeySummary): Pick<QueueRow, 'title' | 'tail'> {
  const [, bank, tail] = /^(.*) - (\S+)$/.exec(label ?? '') ?? []
  return bank && tail ? { title: bank, tail } : { title: label ?? institution_name ?? 'Unnamed bank account' }
}

function toPaykeyRow(
  context: PageContext,
  waitingByPaykey: WaitingByPaykey,
  queue: string,
  { row, account }: RowWithAccount<PaykeySummary>,
): QueueRow {
  const waitingPayments = waitingByPaykey?.get(row.id)
  const waiting: WaitingPayments | null =
    waitingByPaykey === null ? null : { count: waitingPayments?.count ?? 0, sum: waitingPayments?.sum ?? 0 }
  return {
    key: `paykeys/${row.id}`,
    href: recordPath(context, 'paykeys', row.id, { account: context.account ?? account, queue }),
    ...splitPaykeyName(row),
    line: toPaykeyLine(row, waitingPayments?.customer),
    since: getPaykeySince(row),
    account: context.account === null ? account : undefined,
    waiting,
    ...(row.status_details?.code ? { code: row.status_details.code } : {}),
  }
}

const paykeyQueues = {
  paykeys_review: { asked: { status: ['review'] }, tab: 'review' },
  paykeys_unblockable: { asked: { unblock_eligible: true }, tab: 'unblockable' },
} satisfies Partial<Record<QueueId, { asked: object; tab: string }>>

/** Returns the paykeys of one queue, the oldest first, each with the held payments that wait for it. */
export async function readPaykeyGroup(
  context: PageContext,
  id: keyof typeof paykeyQueues,
  held: Promise<HeldPayments>,
): Promise<QueueRead> {
  const { asked, tab } = paykeyQueues[id]
  const [read, waiting] = await Promise.all([readQueueRows(context, 'paykeys.list', { ...asked, ...oldestFirst }), held])
  if (!read.ok) return read
  const found = takeOldest(read.found, getPaykeySince)
  const waitingByPaykey = groupWaitingByPaykey(waiting)
  const rows = found.map((each) => toPaykeyRow(context, waitingByPaykey, tab, each))
  const { total, unreadable, readAt } = read
  const group = {
    id,
    total,
    atLeast: unreadable.length > 0,
    rows,
    unreadable,
    oldest: findOldestTime(rows.map((row) => row.since)),
    readAt,
  }
  return { ok: true, group: { ...group, href: listPath(context, 'paykeys', { tab }) } }
}

const customerTypeTexts: Record<string, string> = { individual: 'Individual', business: 'Business' }

const getChangedAt = (customer: CustomerSummary) => stateSince(customer) ?? null

/** Returns the customers whose verification needs a decision, the oldest first. */
export async function readCustomersGroup(context: PageContext): Promise<QueueRead> {
  const read = await readQueueRows(context, 'customers.list', { status: ['review'], ...oldestFirst })
  if (!read.ok) return read
  const found = takeOldest(read.found, getChangedAt)
  const rows = found.map(({ row, account }) => ({
    key: `customers/${row.id}`,
    href: recordPath(context, 'customers', row.id, { account: context.account ?? account, queue: 'review' }),
    title: row.name,
    line: `${findEntry(customerTypeTexts, row.type) ?? row.type ?? 'Customer'} · identity checks need a decision`,
    since: getChangedAt(row),
    account: context.account === null ? account : undefined,
  }))
  return {
    ok: true,
    group: {
      ...{
        id: 'customers_review',
        total: read.total,
        atLeast: read.unreadable.length > 0,
        rows,
        unreadable: read.unreadable,
        readAt: read.readAt,
      },
      oldest: findOldestTime(rows.map((row) => row.since)),
      href: listPath(context, 'customers', { tab: 'review' }),
    },
  }
}
