import 'server-only'
import { daysBefore } from '@/lib/dates'
import { dueBy } from '@/lib/domain/bank-time'
import { returnCode } from '@/lib/domain/return-codes'
import { statusWords } from '@/lib/domain/status'
import { whyHeld } from '@/lib/domain/why-held'
import { type Held, type Waiting, type WorkRead, type WorkRow, workRows } from '@/lib/domain/work'
import { minorUnits } from '@/lib/money'
import type { Desk } from '@/lib/operations/desk'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { listPath, recordPath } from '@/lib/routes'
import { type Found, type Gathered, gather } from './work-read'
import { oldestOf, withAccounts } from './work-rows'

/** Held payments are read whole, for their sum and for what waits behind a paykey; so many pages of a thousand at most. */
const heldPages = 5
/** How long a payment that came back stands on the first page. */
const returnedDays = 7

/** Every payment on hold in the desk's scopes, the earliest payment date first. */
export type HeldPayments = Gathered<PaymentSummary>

/** Reads every payment on hold. */
export const readHeld = (desk: Desk): Promise<HeldPayments> =>
  gather(desk, 'payments.search', { payment_status: ['on_hold'], sort_by: 'payment_date', sort_order: 'asc' }, heldPages)

/** What is held in all, in minor units; null where it could not be read. */
export function heldSum(desk: Desk, held: HeldPayments): Held | null {
  if (!held.ok) return null
  const amounts = held.found.map(({ row }) => (row.currency === 'USD' ? minorUnits(row.amount, desk.amountUnit) : null))
  return {
    count: held.total,
    sum: amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
    atLeast: held.cut.length > 0,
    unreadable: amounts.filter((amount) => amount === null).length,
  }
}

/** What waits behind each paykey, by the paykey's id; null where held payments could not be read, or not all of them. */
export function waitingBehind(desk: Desk, held: HeldPayments): Map<string, Waiting & { customer: string | undefined }> | null {
  if (!held.ok || held.cut.length > 0) return null
  const waiting = new Map<string, Waiting & { customer: string | undefined }>()
  for (const { row } of held.found) {
    const id = row.paykey_details?.id
    if (!id) continue
    const known = waiting.get(id) ?? { count: 0, sum: 0, customer: row.customer_details?.name }
    waiting.set(id, { ...known, count: known.count + 1, sum: known.sum + (minorUnits(row.amount, desk.amountUnit) ?? 0) })
  }
  return waiting
}

const resourceOf = (payment: PaymentSummary) => (payment.payment_type === 'charge' ? 'charges' : 'payouts')

const sinceOf = (payment: PaymentSummary) => payment.status_details?.changed_at ?? payment.updated_at ?? payment.created_at

const rowOf = (desk: Desk, { row, account }: Found<PaymentSummary>, line: string): WorkRow => ({
  key: `${resourceOf(row)}/${row.id}`,
  href: recordPath(desk.environment, resourceOf(row), row.id, { account: desk.account ?? account }),
  title: row.customer_details?.name ?? 'Unknown customer',
  line,
  since: sinceOf(row),
  account: desk.account === null ? account : undefined,
  amount: { raw: row.amount, currency: row.currency },
})

function heldRow(desk: Desk, now: number, found: Found<PaymentSummary>): WorkRow {
  const line = whyHeld({ details: found.row.status_details }).line
  const row = rowOf(desk, found, line)
  return found.row.payment_date ? { ...row, due: dueBy(found.row.payment_date, now) } : row
}

const dateOf = ({ row }: Found<PaymentSummary>) => row.payment_date ?? '9999'

/** The held payouts or charges: the nearest cut-off first, the longest held before the others of its day. */
export async function heldGroup(desk: Desk, held: HeldPayments, type: 'payout' | 'charge', now: number): Promise<WorkRead> {
  if (!held.ok) return held
  const ofType = held.found.filter(({ row }) => row.payment_type === type)
  const inOrder = ofType.toSorted((a, b) => dateOf(a).localeCompare(dateOf(b)) || Date.parse(sinceOf(a.row)) - Date.parse(sinceOf(b.row)))
  const known = await withAccounts(
    desk,
    inOrder.slice(0, workRows),
    ({ id }) => `${type}s/${id}`,
    type === 'payout' ? 'held payouts' : undefined,
  )
  return {
    ok: true,
    group: {
      id: type === 'payout' ? 'payouts_held' : 'charges_held',
      total: ofType.length,
      atLeast: held.cut.length > 0,
      rows: known.map((found) => heldRow(desk, now, found)),
      oldest: oldestOf(ofType.map(({ row }) => sinceOf(row))),
      href: listPath(desk.environment, `${type}s`, { account: desk.account }),
      readAt: held.readAt,
    },
  }
}

function returnedLine({ payment_type, status, status_details: details }: PaymentSummary): string {
  const what = `${payment_type === 'charge' ? 'Charge' : 'Payout'} ${statusWords('payment', status).label.toLowerCase()}`
  const why = returnCode(details?.code)?.meaning ?? details?.message ?? details?.reason
  return why ? `${what}: ${why}` : what
}

/** Payments that failed or were reversed in the last days and were not sent again since; the oldest first. */
export async function returnedGroup(desk: Desk, now: number): Promise<WorkRead> {
  const filters = { payment_status: ['failed', 'reversed'], has_resubmit: false, min_updated_at: daysBefore(now, returnedDays) }
  const read = await gather(desk, 'payments.search', { ...filters, sort_by: 'updated_at', sort_order: 'asc', page_size: workRows })
  if (!read.ok) return read
  const oldest = read.found.toSorted((a, b) => Date.parse(sinceOf(a.row)) - Date.parse(sinceOf(b.row))).slice(0, workRows)
  const found = await withAccounts(desk, oldest, (row) => `${resourceOf(row)}/${row.id}`, 'payments come back')
  const rows = found.map((each) => {
    const code = each.row.status_details?.code
    return { ...rowOf(desk, each, returnedLine(each.row)), ...(code ? { code } : {}) }
  })
  return {
    ok: true,
    group: {
      id: 'returned',
      total: read.total,
      atLeast: false,
      rows,
      oldest: oldestOf(rows.map((row) => row.since)),
      href: listPath(desk.environment, 'payments', { account: desk.account, ...filters }),
      readAt: read.readAt,
    },
  }
}
