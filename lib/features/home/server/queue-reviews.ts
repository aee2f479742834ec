import 'server-only'
import { timeOf } from '@/lib/dates'
import { returnCode } from '@/lib/domain/return-codes'
import { inTable } from '@/lib/domain/service-words'
import { stateSince } from '@/lib/domain/status'
import type { QueueId } from '@/lib/features/home/labels'
import { type QueueRead, type QueueRow, queueRows, type Waiting } from '@/lib/features/home/queues'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { listPath, recordPath } from '@/lib/routes'
import { type HeldPayments, waitingBehind } from './queue-payments'
import { type Found, oldestOf, queued } from './queue-read'

type Behind = ReturnType<typeof waitingBehind>

/** The service can sort only by creation. Therefore 100 rows are read, and sorted here by how long they wait. */
const oldestFirst = { sort_by: 'created_at', sort_order: 'asc', page_size: 100 } as const

/** Returns the first rows, those that wait longest first. */
const firstOf = <R>(found: readonly Found<R>[], since: (row: R) => string | null): Found<R>[] =>
  found.toSorted((a, b) => (timeOf(since(a.row)) ?? 0) - (timeOf(since(b.row)) ?? 0)).slice(0, queueRows)

const sinceOf = (paykey: PaykeySummary) => stateSince(paykey) ?? null

/** Returns why a paykey is in the queue: the meaning of its return code, or else the service's message. */
function lineOf(paykey: PaykeySummary, customer: string | undefined): string {
  const details = paykey.status_details
  const why = returnCode(details?.code)?.meaning ?? details?.message ?? details?.reason
  return [customer, why].filter((part) => part !== undefined).join(' · ')
}

/** Returns the name in two parts. `tail`, the last four digits, distinguishes accounts and must not be truncated. */
function nameOf({ label, institution_name }: PaykeySummary): Pick<QueueRow, 'title' | 'tail'> {
  const [, bank, tail] = /^(.*) - (\S+)$/.exec(label ?? '') ?? []
  return bank && tail ? { title: bank, tail } : { title: label ?? institution_name ?? 'Unnamed bank account' }
}

function paykeyRow(context: PageContext, behind: Behind, queue: string, { row, account }: Found<PaykeySummary>): QueueRow {
  const waits = behind?.get(row.id)
  const waiting: Waiting | null = behind === null ? null : { count: waits?.count ?? 0, sum: waits?.sum ?? 0 }
  return {
    key: `paykeys/${row.id}`,
    href: recordPath(context, 'paykeys', row.id, { account: context.account ?? account, queue }),
    ...nameOf(row),
    line: lineOf(row, waits?.customer),
    since: sinceOf(row),
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
export async function paykeyGroup(context: PageContext, id: keyof typeof paykeyQueues, held: Promise<HeldPayments>): Promise<QueueRead> {
  const { asked, tab } = paykeyQueues[id]
  const [read, waiting] = await Promise.all([queued(context, 'paykeys.list', { ...asked, ...oldestFirst }), held])
  if (!read.ok) return read
  const found = firstOf(read.found, sinceOf)
  const behind = waitingBehind(waiting)
  const rows = found.map((each) => paykeyRow(context, behind, tab, each))
  const { total, unreadable, readAt } = read
  const group = { id, total, atLeast: unreadable.length > 0, rows, unreadable, oldest: oldestOf(rows.map((row) => row.since)), readAt }
  return { ok: true, group: { ...group, href: listPath(context, 'paykeys', { tab }) } }
}

const kinds: Record<string, string> = { individual: 'Individual', business: 'Business' }

const changedAt = (customer: CustomerSummary) => stateSince(customer) ?? null

/** Returns the customers whose verification needs a decision, the oldest first. */
export async function customersGroup(context: PageContext): Promise<QueueRead> {
  const read = await queued(context, 'customers.list', { status: ['review'], ...oldestFirst })
  if (!read.ok) return read
  const found = firstOf(read.found, changedAt)
  const rows = found.map(({ row, account }) => ({
    key: `customers/${row.id}`,
    href: recordPath(context, 'customers', row.id, { account: context.account ?? account, queue: 'review' }),
    title: row.name,
    line: `${inTable(kinds, row.type) ?? row.type ?? 'Customer'} · identity checks need a decision`,
    since: changedAt(row),
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
      oldest: oldestOf(rows.map((row) => row.since)),
      href: listPath(context, 'customers', { tab: 'review' }),
    },
  }
}
