import 'server-only'
import { and, eq, gt, gte, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type { PolicyFacts } from '@/lib/domain/policies'
import { toMinorUnits } from '@/lib/money'
import { notSentStates } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { Condition } from '@/lib/operations/policies'
import { serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import { env } from '@/lib/server/config/env'
import { actions } from '@/lib/server/store/schema/actions'
import { mirrorPaykeys, mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import type { Db } from '@/lib/server/store/store'

/** The fields of a write that the policy reads. `id` is missing if the write will not be recorded. */
export type PolicyWrite = Pick<NewAction, 'operation' | 'body' | 'scope' | 'actor'> & Partial<Pick<NewAction, 'id' | 'target'>>

type PolicyPayment = {
  amount?: string | number | null
  status?: string
  paykey_id?: string
  paykey_details?: { id?: string | null } | null
  status_history?: readonly { status: string }[]
}

const toPolicyPayment = (object: unknown): PolicyPayment => (typeof object === 'object' && object !== null ? object : {})

const parseRequestedPayment = ({ body }: Pick<PolicyWrite, 'body'>): PolicyPayment =>
  toPolicyPayment(Buffer.isBuffer(body) && body.length > 0 ? JSON.parse(body.toString('utf8')) : null)

/**
 * Returns amounts in cents; null if missing or unreadable. `named` is the amount in the request, or the object's if the request has none.
 * `known` is the amount of the object.
 */
function readAmounts(write: Pick<PolicyWrite, 'body'>, read: unknown): { named: number | null; known: number | null } {
  const toCents = ({ amount }: PolicyPayment) => toMinorUnits(amount, env().amountUnit)
  const [requested, object] = [parseRequestedPayment(write), toPolicyPayment(read)]
  return { named: 'amount' in requested ? toCents(requested) : toCents(object), known: toCents(object) }
}

/**
 * Returns the amount of a write for the policy, in cents; null if the operation has none, `unknown` if the amount cannot be read. `read` is
 * the target object.
 */
export function readAmount(write: Pick<PolicyWrite, 'operation' | 'body'>, read: unknown): PolicyFacts['amount'] {
  const rule = serviceOperation(write.operation).amount
  if (!rule) return null
  const { named, known } = readAmounts(write, read)
  if (rule === 'asked') return named ?? 'unknown'
  return named === null || known === null ? 'unknown' : Math.max(named, known)
}

/** Returns the amount that a write adds to the requester's daily sum, in cents. A payment change adds its new amount if higher, else 0. */
export function readMovedAmount(write: Pick<PolicyWrite, 'operation' | 'body'>, read: unknown): PolicyFacts['amount'] {
  const amount = readAmount(write, read)
  if (serviceOperation(write.operation).amount !== 'larger') return amount
  return amount === readAmounts(write, read).known ? 0 : amount
}

/** Operations that create another payment on every call. */
const repeatableOperations: readonly string[] = serviceOperationIds.filter((id) => {
  const { path, creates } = serviceOperation(id)
  return creates && path.includes(':id')
})

const unsentStates = ['refused', ...notSentStates] as const
const startOfDay = sql`date_trunc('day', now() at time zone 'America/New_York') at time zone 'America/New_York'`

/** Returns the payment to which an action belongs in the daily sum: the target, or the action's own id if the action creates a payment. */
const toPaymentKey = ({ id, operation, target }: { id: string; operation: string; target: string | null }): string =>
  target === null || repeatableOperations.includes(operation) ? id : target

/** Returns, per payment, the largest amount that the person moved today (in New York) without a second person. Omits the write itself. */
async function readMovedToday(db: Db, { id, operation, scope, actor }: PolicyWrite): Promise<Map<string, number>> {
  const { money } = serviceOperation(operation)
  const rows = await db
    .select({ id: actions.id, operation: actions.operation, target: actions.target, moved: actions.moved })
    .from(actions)
    .where(
      and(
        eq(actions.actorId, actor.id),
        eq(actions.environment, scope.environment),
        gte(actions.createdAt, startOfDay),
        gt(actions.moved, 0),
        inArray(
          actions.operation,
          serviceOperationIds.filter((each) => serviceOperation(each).money === money),
        ),
        isNull(actions.rule),
        notInArray(actions.state, [...unsentStates]),
        id ? ne(actions.id, id) : undefined,
      ),
    )
  const largestByPayment = new Map<string, number>()
  for (const row of rows) largestByPayment.set(toPaymentKey(row), Math.max(largestByPayment.get(toPaymentKey(row)) ?? 0, row.moved ?? 0))
  return largestByPayment
}

async function computeDaySum(db: Db, write: PolicyWrite, read: unknown): Promise<PolicyFacts['day_sum']> {
  const movedAmount = readMovedAmount(write, read)
  if (movedAmount === 'unknown') return 'unknown'
  if (!movedAmount) return 0
  const movedToday = await readMovedToday(db, write)
  const payment = toPaymentKey({ id: 'this', operation: write.operation, target: write.target ?? null })
  movedToday.set(payment, Math.max(movedToday.get(payment) ?? 0, movedAmount))
  return [...movedToday.values()].reduce((sum, moved) => sum + moved, 0)
}

const toObjectId = (target: string | null | undefined): string | null => target?.split('/')[1] ?? null
export const findPaykeyId = (write: Pick<PolicyWrite, 'body'>, read: unknown): string | null =>
  parseRequestedPayment(write).paykey_id ?? toPolicyPayment(read).paykey_details?.id ?? null

async function isFirstPayment(db: Db, environment: Environment, paykey: string): Promise<boolean> {
  const [paidPayment] = await db
    .select({ id: mirrorPayments.id })
    .from(mirrorPayments)
    .where(and(eq(mirrorPayments.environment, environment), eq(mirrorPayments.paykeyId, paykey), eq(mirrorPayments.status, 'paid')))
    .limit(1)
  return !paidPayment
}

async function readBankAccountAge(db: Db, environment: Environment, paykey: string): Promise<PolicyFacts['bank_account_age']> {
  const [row] = await db
    .select({ days: sql<number | null>`(extract(epoch from now() - ${mirrorPaykeys.createdAt}) / 86400)::float8` })
    .from(mirrorPaykeys)
    .where(and(eq(mirrorPaykeys.environment, environment), eq(mirrorPaykeys.id, paykey)))
  return row?.days ?? 'unknown'
}

/**
 * True if a payment was released before, a second person approved an action on it, or it is not known. Also reads the payment's history,
 * which shows releases outside of Paydesk.
 */
async function wasDecided(db: Db, { scope, target }: PolicyWrite, read: unknown): Promise<boolean> {
  const { status, status_history: history = [] } = toPolicyPayment(read)
  if (status !== 'on_hold' && history.some((entry) => entry.status === 'on_hold')) return true
  const id = toObjectId(target)
  if (!target || !id) return true
  const isReleased = and(
    eq(actions.target, target),
    sql`${actions.operation} like '%.release'`,
    notInArray(actions.state, [...unsentStates, 'awaiting_approval']),
  )
  const isApproved = and(
    or(eq(actions.target, target), sql`${actions.mentions} @> array[${id}]::uuid[]`),
    sql`${actions.approval} ->> 'outcome' = 'approved'`,
    ne(actions.state, 'refused'),
  )
  const [decidedAction] = await db
    .select({ id: actions.id })
    .from(actions)
    .where(and(eq(actions.environment, scope.environment), or(isReleased, isApproved)))
    .limit(1)
  return decidedAction !== undefined
}

async function isRaise(db: Db, write: PolicyWrite, read: unknown): Promise<PolicyFacts['raise']> {
  const { named, known } = readAmounts(write, read)
  if (named === null || known === null) return 'unknown'
  return named > known && (await wasDecided(db, write, read))
}

/** Reads the facts that conditions of these kinds need; the others stay `unknown`. `read` is the object of the write. */
export async function readPolicyFacts(
  db: Db,
  write: PolicyWrite,
  read: unknown,
  kinds: ReadonlySet<Condition['is']>,
): Promise<PolicyFacts> {
  const { environment } = write.scope
  const paykey = findPaykeyId(write, read)
  const isNeeded = (kind: Condition['is']) => kinds.has(kind)
  return {
    amount: readAmount(write, read),
    day_sum: isNeeded('day_sum') ? await computeDaySum(db, write, read) : 'unknown',
    first_payment: isNeeded('first_payment') && paykey ? await isFirstPayment(db, environment, paykey) : 'unknown',
    bank_account_age: isNeeded('new_bank_account') && paykey ? await readBankAccountAge(db, environment, paykey) : 'unknown',
    raise: isNeeded('raise') ? await isRaise(db, write, read) : 'unknown',
  }
}
