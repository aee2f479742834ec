import 'server-only'
import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { toMinorUnits } from '@/lib/money'
import type { DeletionBlocker, DeletionImpact, StateTally } from '@/lib/operations/deletion'
import { countServiceRows, isFullPage, isWholeListRead } from '@/lib/operations/list-count'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { readService } from '@/lib/server/service/service-read'
import { actions } from '@/lib/server/store/schema/actions'
import { requestLog, reveals } from '@/lib/server/store/schema/audit'
import { savedViews } from '@/lib/server/store/schema/desk'
import { getDatabase } from '@/lib/server/store/store'
import {
  findActionBlockers,
  findCoolingOffBlocker,
  formatCountPhrase,
  maxBlockerLinks,
} from './blockers'

const servicePageSize = 1000
/** More would use up the rate limit that all people share. */
const maxPaymentPages = 10

/** `partial`: payments are missing. `unreadPaykeys`: some are missing, or one has no status. */
type CustomerObjects = {
  paykeys: PaykeySummary[]
  unreadPaykeys: boolean
  payments: PaymentSummary[]
  partial: boolean
}

async function readPayments(
  scope: ScopedAccount,
  customerId: string,
): Promise<{ payments: PaymentSummary[]; partial: boolean }> {
  const payments: PaymentSummary[] = []
  let unreadRowCount = 0
  for (let page = 1; page <= maxPaymentPages; page += 1) {
    const pageInput = {
      page_number: page,
      page_size: servicePageSize,
      sort_by: 'id' as const,
      sort_order: 'asc' as const,
    }
    const paymentsPageResponse = await readService(
      'payments.search',
      { customer_id: customerId, ...pageInput },
      scope,
    )
    payments.push(...paymentsPageResponse.data)
    unreadRowCount += paymentsPageResponse.meta.unreadable_rows?.length ?? 0
    if (!isFullPage(paymentsPageResponse, servicePageSize))
      return { payments, partial: unreadRowCount > 0 }
  }
  return { payments, partial: true }
}

/** Reads the objects from the service. Throws read errors. */
export async function readCustomerObjects(
  scope: ScopedAccount,
  customerId: string,
): Promise<CustomerObjects> {
  const [paykeys, found] = await Promise.all([
    readService('paykeys.list', { customer_id: customerId, page_size: servicePageSize }, scope),
    readPayments(scope, customerId),
  ])
  const isComplete =
    isWholeListRead(paykeys, servicePageSize) && paykeys.data.every(({ status }) => status !== '')
  return { paykeys: paykeys.data, unreadPaykeys: !isComplete, ...found }
}

/** Returns the oldest 50. `total` includes payments that could not be parsed. */
async function readPaymentsInStates(
  scope: ScopedAccount,
  customerId: string,
  states: readonly string[],
): Promise<{ payments: PaymentSummary[]; total: number }> {
  const paymentsResponse = await readService(
    'payments.search',
    {
      customer_id: customerId,
      payment_status: [...states],
      page_size: 50,
      sort_by: 'created_at',
      sort_order: 'asc',
    },
    scope,
  )
  return {
    payments: paymentsResponse.data,
    total: Math.max(paymentsResponse.meta.total_items ?? 0, countServiceRows(paymentsResponse)),
  }
}

/** A customer with an unsettled payment cannot be deleted (product 4.4). */
const unsettledStates = ['created', 'validating', 'scheduled', 'on_hold', 'pending']

type StatusAmount = { status: string; amount?: string }

function sumAmounts(entries: readonly StatusAmount[]): number | null {
  const unit = env().amountUnit
  const amountsInCents = entries.map(({ amount }) =>
    amount === undefined ? null : toMinorUnits(amount, unit),
  )
  return amountsInCents.some((each) => each === null)
    ? null
    : amountsInCents.reduce<number>((total, each) => total + (each ?? 0), 0)
}

/** The most frequent state first. */
function tallyByState(entries: readonly StatusAmount[]): StateTally[] {
  const states = [...new Set(entries.map(({ status }) => status))]
  return states
    .map((status) => entries.filter((entry) => entry.status === status))
    .map((same) => ({ status: same[0]?.status ?? '', count: same.length, sum: sumAmounts(same) }))
    .sort((one, other) => other.count - one.count)
}

type PaymentWithType = { id: string; payment_type: string }

/** Returns both possible targets (`resource/id`) if the kind of the payment is unknown. */
const toPaymentTargets = ({ id, payment_type }: PaymentWithType): string[] => {
  const kind = parsePaymentKind(payment_type)
  return kind ? [`${resourceByKind[kind]}/${id}`] : [`charges/${id}`, `payouts/${id}`]
}

export const toCustomerTargets = (
  customerId: string,
  { paykeys, payments }: Pick<CustomerObjects, 'paykeys' | 'payments'>,
): string[] => [
  `customers/${customerId}`,
  ...paykeys.map(({ id }) => `paykeys/${id}`),
  ...payments.flatMap(toPaymentTargets),
]

async function findPaymentBlocker(
  scope: ScopedAccount,
  customerId: string,
): Promise<DeletionBlocker[]> {
  const { payments, total } = await readPaymentsInStates(scope, customerId, unsettledStates)
  if (total === 0) return []
  const paymentLinks = payments
    .slice(0, maxBlockerLinks)
    .flatMap(({ id, payment_type, status }) => {
      const kind = parsePaymentKind(payment_type)
      return kind
        ? [
            {
              resource: resourceByKind[kind],
              id,
              label: `${kind}, ${status.replaceAll('_', ' ') || 'status not readable'}`,
            },
          ]
        : []
    })
  const blockerText = `${formatCountPhrase(total, 'payment is pending', 'payments are pending')}: release or cancel the payments on hold, and wait until the others settle.`
  return [{ id: 'payments', text: blockerText, count: total, links: paymentLinks }]
}

const unreadPaykeysBlocker: DeletionBlocker = {
  id: 'paykeys_unread',
  text: 'Not every bank account of the customer could be read, so one may be in review: check the customer’s paykeys.',
  count: 1,
  links: [],
}

function findPaykeyBlocker(paykeys: CustomerObjects['paykeys']): DeletionBlocker[] {
  const paykeysInReview = paykeys.filter(({ status }) => status === 'review')
  if (paykeysInReview.length === 0) return []
  const paykeyLinks = paykeysInReview
    .slice(0, maxBlockerLinks)
    .map(({ id, label }) => ({ resource: 'paykeys' as const, id, label: label ?? 'bank account' }))
  const paykeyBlockerText = `${formatCountPhrase(paykeysInReview.length, 'bank account is', 'bank accounts are')} in review: approve or reject it first.`
  return [
    {
      id: 'paykey_review',
      text: paykeyBlockerText,
      count: paykeysInReview.length,
      links: paykeyLinks,
    },
  ]
}

async function countPaydeskRecords(
  scope: ScopedAccount,
  customerId: string,
  targets: readonly string[],
): Promise<DeletionImpact['own']> {
  const db = await getDatabase()
  const { environment } = scope
  const targetCondition = inArray(actions.target, [...targets])
  const [found, calls, shown, views] = await Promise.all([
    db
      .select({ rows: count(), files: count(actions.payloadId) })
      .from(actions)
      .where(and(eq(actions.environment, environment), targetCondition)),
    db
      .select({ rows: count() })
      .from(requestLog)
      .where(
        and(
          eq(requestLog.environment, environment),
          isNotNull(requestLog.target),
          inArray(requestLog.target, [...targets]),
        ),
      ),
    db
      .select({ rows: count() })
      .from(reveals)
      .where(and(eq(reveals.environment, environment), inArray(reveals.target, [...targets]))),
    db
      .select({ rows: count() })
      .from(savedViews)
      .where(
        and(
          eq(savedViews.environment, environment),
          sql`position(${customerId} in ${savedViews.search}) > 0`,
        ),
      ),
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
 * Reads the service itself, not a cache: the person decides by the result, and Paydesk checks it
 * again before sending. The action with the key `deletionKey` does not block. Throws read errors.
 */
export async function computeImpact(
  scope: ScopedAccount,
  customerId: string,
  deletionKey: string | null = null,
): Promise<DeletionImpact> {
  const computedAt = new Date().toISOString()
  const customerObjects = await readCustomerObjects(scope, customerId)
  const customerTargets = toCustomerTargets(customerId, customerObjects)
  const { paykeys, payments, partial } = customerObjects
  const [waiting, open, own, cooling] = await Promise.all([
    findPaymentBlocker(scope, customerId),
    findActionBlockers(scope, customerTargets, deletionKey),
    countPaydeskRecords(scope, customerId, customerTargets),
    findCoolingOffBlocker(scope, customerId),
  ])
  const unsettledPayments = payments.filter(({ status }) => unsettledStates.includes(status))
  return {
    at: computedAt,
    paykeys: tallyByState(paykeys.map(({ status }) => ({ status }))),
    payouts: tallyByState(
      payments.filter(({ payment_type }) => parsePaymentKind(payment_type) === 'payout'),
    ),
    charges: tallyByState(
      payments.filter(({ payment_type }) => parsePaymentKind(payment_type) === 'charge'),
    ),
    waiting: {
      count: waiting[0]?.count ?? 0,
      sum:
        unsettledPayments.length === (waiting[0]?.count ?? 0)
          ? sumAmounts(unsettledPayments)
          : null,
    },
    own,
    blockers: [
      ...waiting,
      ...(customerObjects.unreadPaykeys ? [unreadPaykeysBlocker] : []),
      ...findPaykeyBlocker(paykeys),
      ...open,
      ...cooling,
    ],
    partial:
      partial || payments.some(({ payment_type }) => parsePaymentKind(payment_type) === null),
  }
}
