import 'server-only'
import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { minorUnits } from '@/lib/money'
import { openStates } from '@/lib/operations/answer'
import type { DeletionBlocker, DeletionImpact, Tally } from '@/lib/operations/deletion'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import type { RecordResource } from '@/lib/routes'
import { type Belongings, belongingsOf, paymentsIn } from './deletion-reads'
import { env } from './env'
import type { ScopedAccount } from './scoped-account'
import { requestLog, reveals, savedViews } from './store/desk-schema'
import { actions } from './store/schema'
import { database } from './store/store'

/** States in which a payment waits or travels: a customer with one cannot be deleted (product 4.4). */
const inFlight = ['created', 'validating', 'scheduled', 'on_hold', 'pending']

/** Links a blocker shows; the rest is a number. */
const mostLinks = 10

type Entry = { status: string; amount?: string }

function sumOf(entries: readonly Entry[]): number | null {
  const unit = env().amountUnit
  const cents = entries.map(({ amount }) => (amount === undefined ? null : minorUnits(amount, unit)))
  return cents.some((each) => each === null) ? null : cents.reduce<number>((total, each) => total + (each ?? 0), 0)
}

/** How many there are in each state, the most first. */
function tally(entries: readonly Entry[]): Tally[] {
  const states = [...new Set(entries.map(({ status }) => status))]
  return states
    .map((status) => entries.filter((entry) => entry.status === status))
    .map((same) => ({ status: same[0]?.status ?? '', count: same.length, sum: sumOf(same) }))
    .sort((one, other) => other.count - one.count)
}

const resourceOf = (payment: { payment_type: string }): RecordResource => (payment.payment_type === 'charge' ? 'charges' : 'payouts')

/** Everything of ours that may be about the customer, as targets of actions. */
export const targetsOf = (customerId: string, { paykeys, payments }: Pick<Belongings, 'paykeys' | 'payments'>): string[] => [
  `customers/${customerId}`,
  ...paykeys.map(({ id }) => `paykeys/${id}`),
  ...payments.map((payment) => `${resourceOf(payment)}/${payment.id}`),
]

const many = (total: number, one: string, more: string) => (total === 1 ? `1 ${one}` : `${total.toLocaleString('en-US')} ${more}`)

async function paymentBlocker(scope: ScopedAccount, customerId: string): Promise<DeletionBlocker[]> {
  const { payments, total } = await paymentsIn(scope, customerId, inFlight)
  if (total === 0) return []
  const links = payments.slice(0, mostLinks).map((payment) => ({
    resource: resourceOf(payment),
    id: payment.id,
    label: `${payment.payment_type}, ${payment.status.replaceAll('_', ' ')}`,
  }))
  const text = `${many(total, 'payment waits or is on its way', 'payments wait or are on their way')}: release or cancel what waits, and let the rest arrive.`
  return [{ id: 'payments', text, count: total, links }]
}

function paykeyBlocker(paykeys: Belongings['paykeys']): DeletionBlocker[] {
  const inReview = paykeys.filter(({ status }) => status === 'review')
  if (inReview.length === 0) return []
  const links = inReview.slice(0, mostLinks).map(({ id, label }) => ({ resource: 'paykeys' as const, id, label: label ?? 'bank account' }))
  const text = `${many(inReview.length, 'bank account is', 'bank accounts are')} in review: decide it first.`
  return [{ id: 'paykey_review', text, count: inReview.length, links }]
}

async function actionBlockers(scope: ScopedAccount, targets: readonly string[], except: string | null): Promise<DeletionBlocker[]> {
  const db = await database()
  const open = await db
    .select({ operation: actions.operation, target: actions.target, key: actions.idempotencyKey })
    .from(actions)
    .where(and(eq(actions.environment, scope.environment), inArray(actions.target, [...targets]), inArray(actions.state, [...openStates])))
  const own = open.filter(({ key }) => key !== except)
  const running = own.filter(({ operation }) => operation === 'customers.delete')
  const others = own.filter(({ operation }) => operation !== 'customers.delete')
  const blockers: DeletionBlocker[] = []
  if (running.length > 0) {
    blockers.push({
      id: 'deletion_running',
      text: 'A deletion of this customer was sent and is not settled yet.',
      count: running.length,
      links: [],
    })
  }
  if (others.length > 0) {
    const links = others.slice(0, mostLinks).map(({ operation, target }) => {
      const [resource = '', id = ''] = target?.split('/') ?? []
      return { resource: resource as RecordResource, id, label: rowOf(operation as OperationId).does }
    })
    const text = `${many(others.length, 'action on it or on what belongs to it is', 'actions on it or on what belongs to it are')} not settled yet.`
    blockers.push({ id: 'open_actions', text, count: others.length, links })
  }
  return blockers
}

async function ownRecords(scope: ScopedAccount, customerId: string, targets: readonly string[]): Promise<DeletionImpact['own']> {
  const db = await database()
  const { environment } = scope
  const about = inArray(actions.target, [...targets])
  const [found, calls, shown, views] = await Promise.all([
    db
      .select({ rows: count(), files: count(actions.payloadId) })
      .from(actions)
      .where(and(eq(actions.environment, environment), about)),
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
 * What deleting a customer would touch and what stands in its way, read now: nothing is taken from a cache, because this is what the decision and
 * the guard rest on. `except` is the key of the deletion that asks, which does not stand in its own way. Throws what a read throws.
 */
export async function impactOf(scope: ScopedAccount, customerId: string, except: string | null = null): Promise<DeletionImpact> {
  const at = new Date().toISOString()
  const belongings = await belongingsOf(scope, customerId)
  const targets = targetsOf(customerId, belongings)
  const { paykeys, payments, partial } = belongings
  const [waiting, open, own] = await Promise.all([
    paymentBlocker(scope, customerId),
    actionBlockers(scope, targets, except),
    ownRecords(scope, customerId, targets),
  ])
  const held = payments.filter(({ status }) => inFlight.includes(status))
  return {
    at,
    paykeys: tally(paykeys.map(({ status }) => ({ status }))),
    payouts: tally(payments.filter(({ payment_type }) => payment_type === 'payout')),
    charges: tally(payments.filter(({ payment_type }) => payment_type === 'charge')),
    waiting: { count: waiting[0]?.count ?? 0, sum: held.length === (waiting[0]?.count ?? 0) ? sumOf(held) : null },
    own,
    blockers: [...waiting, ...paykeyBlocker(paykeys), ...open],
    partial,
  }
}
