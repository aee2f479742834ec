import 'server-only'
import { daysBefore } from '@/lib/dates'
import { bankingDayFrom, dueBy } from '@/lib/domain/bank-time'
import { kindOf, resourceOfKind } from '@/lib/domain/payment-kind'
import { returnCode } from '@/lib/domain/return-codes'
import { inTable } from '@/lib/domain/service-words'
import { stateSince, statusWords } from '@/lib/domain/status'
import { type Held, type QueueRead, type QueueRow, queueRows, type Waiting } from '@/lib/features/home/queues'
import { minorUnits } from '@/lib/money'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { listPath, recordPath } from '@/lib/routes'
import { heldLines } from './held-lines'
import { type Found, type Gathered, gather, oldestOf } from './queue-read'

/** Held payments are read whole, for their sum and for what waits behind a paykey; so many pages of a thousand at most. */
const heldPages = 5
/** So many of the newest that came back are looked at where the service cannot say which did lately. */
const newestLooked = 200
/** How long a payment that came back is on the first page. */
const returnedDays = 7

/** Every payment on hold in the page's scopes, the earliest payment date first. */
export type HeldPayments = Gathered<PaymentSummary>

/** Reads every payment on hold. */
export const readHeld = (context: PageContext): Promise<HeldPayments> =>
  gather(context, 'payments.search', { payment_status: ['on_hold'], sort_by: 'payment_date', sort_order: 'asc' }, heldPages)

/** What is held in all, in minor units; null where it could not be read. A payment that could not be read has no readable amount either. */
export function heldSum(context: PageContext, held: HeldPayments): Held | null {
  if (!held.ok) return null
  const amounts = held.found.map(({ row }) => (row.currency === 'USD' ? minorUnits(row.amount, context.amountUnit) : null))
  return {
    count: held.total,
    sum: amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
    atLeast: held.cut.length + held.unreadable.length > 0,
    unreadable: amounts.filter((amount) => amount === null).length + held.unreadable.length,
  }
}

/**
 * What waits behind each paykey, by the paykey's id; null where held payments could not be read, or not all of them: one that
 * was not may wait behind any.
 */
export function waitingBehind(context: PageContext, held: HeldPayments): Map<string, Waiting & { customer: string | undefined }> | null {
  if (!held.ok || held.cut.length + held.unreadable.length > 0) return null
  const waiting = new Map<string, Waiting & { customer: string | undefined }>()
  for (const { row } of held.found) {
    const id = row.paykey_details?.id
    if (!id) continue
    const known = waiting.get(id) ?? { count: 0, sum: 0, customer: row.customer_details?.name }
    waiting.set(id, { ...known, count: known.count + 1, sum: known.sum + (minorUnits(row.amount, context.amountUnit) ?? 0) })
  }
  return waiting
}

/** Its page; what is neither a charge nor a payout has none, and is in the search only. */
function hrefOf(context: PageContext, { id, payment_type, status }: PaymentSummary, account: string | null): string {
  const kind = kindOf(payment_type)
  if (kind === null) return listPath(context, 'payments', { payment_id: id })
  return recordPath(context, resourceOfKind[kind], id, { account, queue: status === 'on_hold' ? 'hold' : null })
}

const rowOf = (context: PageContext, { row, account }: Found<PaymentSummary>, line: string): QueueRow => ({
  key: `${row.payment_type}/${row.id}`,
  href: hrefOf(context, row, context.account ?? account),
  title: row.customer_details?.name ?? 'Unknown customer',
  line,
  since: stateSince(row),
  account: context.account === null ? account : undefined,
  amount: { raw: row.amount, currency: row.currency },
})

function heldRow(context: PageContext, now: number, found: Found<PaymentSummary>, line: string): QueueRow {
  const row = rowOf(context, found, line)
  return found.row.payment_date ? { ...row, due: dueBy(found.row.payment_date, now) } : row
}

/** The day whose cut-off it waits for: payments of a weekend or holiday wait for the same one as those of the next banking day. */
const dateOf = ({ row }: Found<PaymentSummary>) => (row.payment_date ? bankingDayFrom(row.payment_date) : '9999')

/**
 * The held payouts or charges: the nearest cut-off first, the longest held before the others of its day. A payment of which nobody can say whether it
 * is one or the other is among the payouts.
 */
export async function heldGroup(context: PageContext, held: HeldPayments, type: 'payout' | 'charge', now: number): Promise<QueueRead> {
  if (!held.ok) return held
  const ofType = held.found.filter(({ row }) => (kindOf(row.payment_type) ?? 'payout') === type)
  const unreadable = type === 'payout' ? held.unreadable : []
  const inOrder = ofType.toSorted(
    (a, b) => dateOf(a).localeCompare(dateOf(b)) || Date.parse(stateSince(a.row)) - Date.parse(stateSince(b.row)),
  )
  const known = inOrder.slice(0, queueRows)
  const lineOf = await heldLines(context, known)
  return {
    ok: true,
    group: {
      id: type === 'payout' ? 'payouts_held' : 'charges_held',
      total: ofType.length + unreadable.length,
      atLeast: held.cut.length + held.unreadable.length > 0,
      rows: known.map((found) => heldRow(context, now, found, lineOf(found.row))),
      unreadable,
      oldest: oldestOf(ofType.map(({ row }) => stateSince(row))),
      href: listPath(context, `${type}s`),
      readAt: held.readAt,
    },
  }
}

const typeTexts: Readonly<Record<string, string>> = { charge: 'Charge', payout: 'Payout' }

function returnedLine({ payment_type, status, status_details: details }: PaymentSummary): string {
  const what = `${inTable(typeTexts, payment_type) ?? (payment_type || 'Payment')} ${statusWords('payment', status).label.toLowerCase()}`
  const why = returnCode(details?.code)?.meaning ?? details?.message ?? details?.reason
  return why ? `${what}: ${why}` : what
}

/** What came back, and the filters a list of it is opened with. */
type Returned = { read: HeldPayments; filters: Parameters<typeof listPath>[2] }

const cameBack = { payment_status: ['failed', 'reversed'] as ('failed' | 'reversed')[] }

/**
 * Payments that came back since an instant. The provider's older contract can neither search nor sort by when a payment changed (provider facts 1.6): where
 * the service refuses that, the newest that came back are read and looked at here, and there may be more.
 */
async function readReturned(context: PageContext, since: string): Promise<Returned> {
  const filters = { ...cameBack, has_resubmit: false, min_updated_at: since }
  const read = await gather(context, 'payments.search', { ...filters, sort_by: 'updated_at', sort_order: 'asc', page_size: queueRows })
  if (read.ok || read.error.code !== 'service_refused') return { read, filters }
  const all = await gather(context, 'payments.search', { ...cameBack, sort_by: 'created_at', sort_order: 'desc', page_size: newestLooked })
  if (!all.ok) return { read: all, filters }
  const isLate = ({ row }: Found<PaymentSummary>) => row.has_resubmit !== true && Date.parse(stateSince(row)) >= Date.parse(since)
  const found = all.found.filter(isLate)
  const looked = all.found.length + all.unreadable.length
  const total = found.length + all.unreadable.length
  return { read: { ...all, found, total, atLeast: all.atLeast || all.total > looked }, filters: cameBack }
}

/** Payments that failed or were reversed in the last days and were not sent again since; the oldest first. */
export async function returnedGroup(context: PageContext, now: number): Promise<QueueRead> {
  const { read, filters } = await readReturned(context, daysBefore(now, returnedDays))
  if (!read.ok) return read
  const oldest = read.found.toSorted((a, b) => Date.parse(stateSince(a.row)) - Date.parse(stateSince(b.row))).slice(0, queueRows)
  const rows = oldest.map((each) => {
    const code = each.row.status_details?.code
    return { ...rowOf(context, each, returnedLine(each.row)), ...(code ? { code } : {}) }
  })
  return {
    ok: true,
    group: {
      id: 'returned',
      total: read.total,
      atLeast: read.atLeast,
      rows,
      unreadable: read.unreadable,
      oldest: oldestOf(rows.map((row) => row.since)),
      href: listPath(context, 'payments', filters),
      readAt: read.readAt,
    },
  }
}
