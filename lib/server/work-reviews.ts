import 'server-only'
import { returnCode } from '@/lib/domain/return-codes'
import { type Waiting, type WorkId, type WorkRead, type WorkRow, workRows } from '@/lib/domain/work'
import type { Desk } from '@/lib/operations/desk'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { listPath, recordPath } from '@/lib/routes'
import { type HeldPayments, waitingBehind } from './work-payments'
import { type Found, gather } from './work-read'
import { oldestOf, withAccounts } from './work-rows'

type Behind = ReturnType<typeof waitingBehind>

const oldestFirst = { sort_by: 'created_at', sort_order: 'asc', page_size: workRows } as const

/** Several scopes each gave their oldest; the page shows the oldest of all. */
function firstOf<R extends { created_at?: string | undefined }>(found: readonly Found<R>[]): Found<R>[] {
  return found.toSorted((a, b) => (a.row.created_at ?? '').localeCompare(b.row.created_at ?? '')).slice(0, workRows)
}

const sinceOf = (paykey: PaykeySummary) => paykey.status_details?.changed_at ?? paykey.updated_at ?? paykey.created_at ?? null

/** Why a paykey stands here: a return code in words, else what the service says. */
function lineOf(paykey: PaykeySummary, customer: string | undefined): string {
  const details = paykey.status_details
  const why = returnCode(details?.code)?.meaning ?? details?.message ?? details?.reason
  return [customer, why].filter((part) => part !== undefined).join(' · ')
}

function paykeyRow(desk: Desk, behind: Behind, { row, account }: Found<PaykeySummary>): WorkRow {
  const waits = behind?.get(row.id)
  const waiting: Waiting | null = behind === null ? null : { count: waits?.count ?? 0, sum: waits?.sum ?? 0 }
  return {
    key: `paykeys/${row.id}`,
    href: recordPath(desk.environment, 'paykeys', row.id, { account: desk.account ?? account }),
    title: row.label ?? row.institution_name ?? 'Unnamed bank account',
    line: lineOf(row, waits?.customer),
    since: sinceOf(row),
    account: desk.account === null ? account : undefined,
    waiting,
    ...(row.status_details?.code ? { code: row.status_details.code } : {}),
  }
}

const paykeyQueues = {
  paykeys_review: { asked: { status: ['review'] }, link: { tab: 'review' } },
  paykeys_unblockable: { asked: { unblock_eligible: true }, link: { tab: 'blocked', unblock_eligible: true } },
} satisfies Partial<Record<WorkId, { asked: object; link: object }>>

/** The paykeys of one queue, the oldest first, each with the payments that wait behind it. */
export async function paykeyGroup(desk: Desk, id: keyof typeof paykeyQueues, held: Promise<HeldPayments>): Promise<WorkRead> {
  const { asked, link } = paykeyQueues[id]
  const [read, waiting] = await Promise.all([gather(desk, 'paykeys.list', { ...asked, ...oldestFirst }), held])
  if (!read.ok) return read
  const found = await withAccounts(desk, firstOf(read.found), (row) => `paykeys/${row.id}`, 'paykeys to decide')
  const behind = waitingBehind(desk, waiting)
  const rows = found.map((each) => paykeyRow(desk, behind, each))
  const group = { id, total: read.total, atLeast: false, rows, oldest: oldestOf(rows.map((row) => row.since)), readAt: read.readAt }
  return { ok: true, group: { ...group, href: listPath(desk.environment, 'paykeys', { account: desk.account, ...link }) } }
}

const kinds: Record<string, string> = { individual: 'Person', business: 'Business' }

/** The customers whose identity a person has to decide, the oldest first. */
export async function customersGroup(desk: Desk): Promise<WorkRead> {
  const read = await gather(desk, 'customers.list', { status: ['review'], ...oldestFirst })
  if (!read.ok) return read
  const found = await withAccounts(desk, firstOf(read.found), (row) => `customers/${row.id}`, 'customers to decide')
  const rows = found.map(({ row, account }) => ({
    key: `customers/${row.id}`,
    href: recordPath(desk.environment, 'customers', row.id, { account: desk.account ?? account }),
    title: row.name,
    line: `${kinds[row.type ?? ''] ?? row.type ?? 'Customer'} · identity checks ask for a person`,
    since: row.updated_at ?? row.created_at ?? null,
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
