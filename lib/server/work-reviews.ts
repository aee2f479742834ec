import 'server-only'
import { timeOf } from '@/lib/dates'
import { returnCode } from '@/lib/domain/return-codes'
import { type Waiting, type WorkId, type WorkRead, type WorkRow, workRows } from '@/lib/domain/work'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { Desk } from '@/lib/operations/desk'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { listPath, recordPath } from '@/lib/routes'
import { type HeldPayments, waitingBehind } from './work-payments'
import { type Found, gather } from './work-read'
import { oldestOf, withAccounts } from './work-rows'

type Behind = ReturnType<typeof waitingBehind>

/** The service sorts by creation only, so a page is read and put into the order of waiting here. */
const oldestFirst = { sort_by: 'created_at', sort_order: 'asc', page_size: 100 } as const

/** The first rows in the order in which they began to wait. */
const firstOf = <R>(found: readonly Found<R>[], since: (row: R) => string | null): Found<R>[] =>
  found.toSorted((a, b) => (timeOf(since(a.row)) ?? 0) - (timeOf(since(b.row)) ?? 0)).slice(0, workRows)

const sinceOf = (paykey: PaykeySummary) => paykey.status_details?.changed_at ?? paykey.updated_at ?? paykey.created_at ?? null

/** Why a paykey stands here: a return code in words, else what the service says. */
function lineOf(paykey: PaykeySummary, customer: string | undefined): string {
  const details = paykey.status_details
  const why = returnCode(details?.code)?.meaning ?? details?.message ?? details?.reason
  return [customer, why].filter((part) => part !== undefined).join(' · ')
}

/** The last four digits tell accounts apart, so it is the bank's name that gives way. */
function nameOf({ label, institution_name }: PaykeySummary): Pick<WorkRow, 'title' | 'tail'> {
  const [, bank, tail] = /^(.*) - (\S+)$/.exec(label ?? '') ?? []
  return bank && tail ? { title: bank, tail } : { title: label ?? institution_name ?? 'Unnamed bank account' }
}

function paykeyRow(desk: Desk, behind: Behind, { row, account }: Found<PaykeySummary>): WorkRow {
  const waits = behind?.get(row.id)
  const waiting: Waiting | null = behind === null ? null : { count: waits?.count ?? 0, sum: waits?.sum ?? 0 }
  return {
    key: `paykeys/${row.id}`,
    href: recordPath(desk.environment, 'paykeys', row.id, { account: desk.account ?? account }),
    ...nameOf(row),
    line: lineOf(row, waits?.customer),
    since: sinceOf(row),
    account: desk.account === null ? account : undefined,
    waiting,
    ...(row.status_details?.code ? { code: row.status_details.code } : {}),
  }
}

const paykeyQueues = {
  paykeys_review: { asked: { status: ['review'] }, tab: 'review' },
  paykeys_unblockable: { asked: { unblock_eligible: true }, tab: 'unblockable' },
} satisfies Partial<Record<WorkId, { asked: object; tab: string }>>

/** The paykeys of one queue, the oldest first, each with the payments that wait behind it. */
export async function paykeyGroup(desk: Desk, id: keyof typeof paykeyQueues, held: Promise<HeldPayments>): Promise<WorkRead> {
  const { asked, tab } = paykeyQueues[id]
  const [read, waiting] = await Promise.all([gather(desk, 'paykeys.list', { ...asked, ...oldestFirst }), held])
  if (!read.ok) return read
  const found = await withAccounts(desk, firstOf(read.found, sinceOf), (row) => `paykeys/${row.id}`, 'paykeys to decide')
  const behind = waitingBehind(desk, waiting)
  const rows = found.map((each) => paykeyRow(desk, behind, each))
  const group = { id, total: read.total, atLeast: false, rows, oldest: oldestOf(rows.map((row) => row.since)), readAt: read.readAt }
  return { ok: true, group: { ...group, href: listPath(desk.environment, 'paykeys', { account: desk.account, tab }) } }
}

const kinds: Record<string, string> = { individual: 'Individual', business: 'Business' }

const changedAt = ({ updated_at, created_at }: CustomerSummary) => updated_at ?? created_at ?? null

/** The customers whose identity a person has to decide, the oldest first. */
export async function customersGroup(desk: Desk): Promise<WorkRead> {
  const read = await gather(desk, 'customers.list', { status: ['review'], ...oldestFirst })
  if (!read.ok) return read
  const found = await withAccounts(desk, firstOf(read.found, changedAt), (row) => `customers/${row.id}`, 'customers to decide')
  const rows = found.map(({ row, account }) => ({
    key: `customers/${row.id}`,
    href: recordPath(desk.environment, 'customers', row.id, { account: desk.account ?? account }),
    title: row.name,
    line: `${kinds[row.type ?? ''] ?? row.type ?? 'Customer'} · identity checks need a decision`,
    since: changedAt(row),
    account: desk.account === null ? account : undefined,
  }))
  return {
    ok: true,
    group: {
      ...{ id: 'customers_review', total: read.total, atLeast: false, rows, readAt: read.readAt },
      oldest: oldestOf(rows.map((row) => row.since)),
      href: listPath(desk.environment, 'customers', { account: desk.account, tab: 'review' }),
    },
  }
}
