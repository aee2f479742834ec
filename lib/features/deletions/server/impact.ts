import 'server-only'
import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { toMinorUnits } from '@/lib/money'
import type { DeletionBlocker, DeletionImpact, StateTally } from '@/lib/operations/deletion'
import { countSentRows, isFullPage, isFullyRead } from '@/lib/operations/list-count'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { readService } from '@/lib/server/service/service-read'
import { actions } from '@/lib/server/store/schema/actions'
import { requestLog, reveals } from '@/lib/server/store/schema/audit'
import { savedViews } from '@/lib/server/store/schema/desk'
import { database } from '@/lib/server/store/store'
import { findActionBlockers, findCoolingOffBlocker, formatTotal, maxLinks } from './blockers'

const pageSize = 1000
/** Maximum number of pages of payments to read: more would use up the rate limit that all people share. */
const maxPages = 10

/**
 * The bank accounts and payments of a customer. `partial`: there are more payments than were read. `unreadPaykeys`: not every bank account
 * could be read. Both mean that something may be missing.
 */
type CustomerObjects = { paykeys: PaykeySummary[]; unreadPaykeys: boolean; payments: PaymentSummary[]; partial: boolean }

async function readPayments(scope: ScopedAccount, customerId: string): Promise<{ payments: PaymentSummary[]; partial: boolean }> {
  const payments: PaymentSummary[] = []
  let unread = 0
  for (let page = 1; page <= maxPages; page += 1) {
    const pageInput = { page_number: page, page_size: pageSize, sort_by: 'id' as const, sort_order: 'asc' as const }
    const paymentsRead = await readService('payments.search', { customer_id: customerId, ...pageInput }, scope)
    payments.push(...paymentsRead.data)
    unread += paymentsRead.meta.unreadable_rows?.length ?? 0
    if (!isFullPage(paymentsRead, pageSize)) return { payments, partial: unread > 0 }
  }
  return { payments, partial: true }
}

/** Reads a customer's bank accounts and payments in a scope. Throws read errors. */
export async function readCustomerObjects(scope: ScopedAccount, customerId: string): Promise<CustomerObjects> {
  const [paykeys, found] = await Promise.all([
    readService('paykeys.list', { customer_id: customerId, page_size: pageSize }, scope),
    readPayments(scope, customerId),
  ])
  const isComplete = isFullyRead(paykeys, pageSize) && paykeys.data.every(({ status }) => status !== '')
  return { paykeys: paykeys.data, unreadPaykeys: !isComplete, ...found }
}

/** Returns the first 50 payments of a customer in some states, and the number of all of them, including unreadable ones. */
async function readPaymentsInStates(
  scope: ScopedAccount,
  customerId: string,
  states: readonly string[],
): Promise<{ payments: PaymentSummary[]; total: number }> {
  const read = await readService(
    'payments.search',
    { customer_id: customerId, payment_status: [...states], page_size: 50, sort_by: 'created_at', sort_order: 'asc' },
    scope,
  )
  return { payments: read.data, total: Math.max(read.meta.total_items ?? 0, countSentRows(read)) }
}

/** The states of a payment that is not settled. A customer with such a payment cannot be deleted (product 4.4). */
const unsettledStates = ['created', 'validating', 'scheduled', 'on_hold', 'pending']

type AmountEntry = { status: string; amount?: string }

function sumAmounts(entries: readonly AmountEntry[]): number | null {
  const unit = env().amountUnit
  const cents = entries.map(({ amount }) => (amount === undefined ? null : toMinorUnits(amount, unit)))
  return cents.some((each) => each === null) ? null : cents.reduce<number>((total, each) => total + (each ?? 0), 0)
}

/** Returns the number and the sum of the entries in each state, the most frequent state first. */
function tallyByState(entries: readonly AmountEntry[]): StateTally[] {
  const states = [...new Set(entries.map(({ status }) => status))]
  return states
    .map((status) => entries.filter((entry) => entry.status === status))
    .map((same) => ({ status: same[0]?.status ?? '', count: same.length, sum: sumAmounts(same) }))
    .sort((one, other) => other.count - one.count)
}

type TypedPayment = { id: string; payment_type: string }

/** Returns the targets that actions on a payment can have: a charge and a payout, if its kind is unknown. */
const toPaymentTargets = ({ id, payment_type }: TypedPayment): string[] => {
  const kind = parsePaymentKind(payment_type)
  return kind ? [`${resourceByKind[kind]}/${id}`] : [`charges/${id}`, `payouts/${id}`]
}

/** Returns the targets of the actions that may be about the customer: the customer, its paykeys and its payments. */
export const toCustomerTargets = (customerId: string, { paykeys, payments }: Pick<CustomerObjects, 'paykeys' | 'payments'>): string[] => [
  `customers/${customerId}`,
  ...paykeys.map(({ id }) => `paykeys/${id}`),
  ...payments.flatMap(toPaymentTargets),
]

async function findPaymentBlocker(scope: ScopedAccount, customerId: string): Promise<DeletionBlocker[]> {
  const { payments, total } = await readPaymentsInStates(scope, customerId, unsettledStates)
  if (total === 0) return []
  const links = payments.slice(0, maxLinks).flatMap(({ id, payment_type, status }) => {
    const kind = parsePaymentKind(payment_type)
    return kind ? [{ resource: resourceByKind[kind], id, label: `${kind}, ${status.replaceAll('_', ' ') || 'status not readable'}` }] : []
  })
  const text = `${formatTotal(total, 'payment is pending', 'payments are pending')}: release or cancel the payments on hold, and wait until the others settle.`
  return [{ id: 'payments', text, count: total, links }]
}

const unreadPaykeys: DeletionBlocker = {
  id: 'paykeys_unread',
  text: 'Not every bank account of the customer could be read, so one may be in review: check the customer’s paykeys.',
  count: 1,
  links: [],
}

function findPaykeyBlocker(paykeys: CustomerObjects['paykeys']): DeletionBlocker[] {
  const inReview = paykeys.filter(({ status }) => status === 'review')
  if (inReview.length === 0) return []
  const links = inReview.slice(0, maxLinks).map(({ id, label }) => ({ resource: 'paykeys' as const, id, label: label ?? 'bank account' }))
  const text = `${formatTotal(inReview.length, 'bank account is', 'bank accounts are')} in review: approve or reject it first.`
  return [{ id: 'paykey_review', text, count: inReview.length, links }]
}

async function countOwnRecords(scope: ScopedAccount, customerId: string, targets: readonly string[]): Promise<DeletionImpact['own']> {
  const db = await database()
  const { environment } = scope
  const aboutCondition = inArray(actions.target, [...targets])
  const [found, calls, shown, views] = await Promise.all([
    db
      .select({ rows: count(), files: count(actions.payloadId) })
      .from(actions)
      .where(and(eq(actions.environment, environment), aboutCondition)),
    db
      .select({ rows: count() })
      .from(requestLog)
      .where(and(eq(requestLog.environment, environment), isNotNull(requestLog.target), inArray(requestLog.target, [...targets]))),
    db
      .select({ rows: count() })
      .from(reveals)
      .where(and(eq(reveals.environment, environment), inArray(reveals.target, [...targets]))),
    db
      .select({ rows: count() })
      .from(savedViews)
      .where(and(eq(savedViews.environment, environment), sql`position(${customerId} in ${savedViews.search}) > 0`)),
  ])
  return {
    actions: found[0]?.rows ?? 0,
    uploads: found[0]?.files ?? 0,
    calls: calls[0]?.rows ?? 0,
    reveals: shown[0]?.rows ?? 0,
    views: views[0]?.rows ?? 0,
  }
}

/**
 * Returns the records that the deletion of a customer would affect, and its blockers. Reads everything from the service and nothing from a
 * cache, because the person's decision and the check before sending depend on it. `except` is the idempotency key of the deletion itself,
 * which does not block it. Throws read errors.
 */
export async function computeImpact(scope: ScopedAccount, customerId: string, except: string | null = null): Promise<DeletionImpact> {
  const at = new Date().toISOString()
  const customerObjects = await readCustomerObjects(scope, customerId)
  const targets = toCustomerTargets(customerId, customerObjects)
  const { paykeys, payments, partial } = customerObjects
  const [waiting, open, own, cooling] = await Promise.all([
    findPaymentBlocker(scope, customerId),
    findActionBlockers(scope, targets, except),
    countOwnRecords(scope, customerId, targets),
    findCoolingOffBlocker(scope, customerId),
  ])
  const unsettledPayments = payments.filter(({ status }) => unsettledStates.includes(status))
  return {
    at,
    paykeys: tallyByState(paykeys.map(({ status }) => ({ status }))),
    payouts: tallyByState(payments.filter(({ payment_type }) => parsePaymentKind(payment_type) === 'payout')),
    charges: tallyByState(payments.filter(({ payment_type }) => parsePaymentKind(payment_type) === 'charge')),
    waiting: {
      count: waiting[0]?.count ?? 0,
      sum: unsettledPayments.length === (waiting[0]?.count ?? 0) ? sumAmounts(unsettledPayments) : null,
    },
    own,
    blockers: [...waiting, ...(customerObjects.unreadPaykeys ? [unreadPaykeys] : []), ...findPaykeyBlocker(paykeys), ...open, ...cooling],
    partial: partial || payments.some(({ payment_type }) => parsePaymentKind(payment_type) === null),
  }
}
