import 'server-only'
import { and, eq, gt, gte, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type { PolicyFacts } from '@/lib/domain/policies'
import { toMinorUnits } from '@/lib/money'
import { notSentStates } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { PolicyCondition } from '@/lib/operations/policies'
import { getServiceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import { env } from '@/lib/server/config/env'
import { actions } from '@/lib/server/store/schema/actions'
import { mirrorPaykeys, mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import type { Db } from '@/lib/server/store/store'

/**
 * The fields of a write that the policy reads. Without an `id`, the write is only evaluated and
 * will not be recorded.
 */
export type PolicyWrite = Pick<NewAction, 'operation' | 'body' | 'scope' | 'actor'> &
  Partial<Pick<NewAction, 'id' | 'target'>>

type PolicyPayment = {
  amount?: string | number | null
  status?: string
  paykey_id?: string
  paykey_details?: { id?: string | null } | null
  status_history?: readonly { status: string }[]
}

const toPolicyPayment = (object: unknown): PolicyPayment =>
  typeof object === 'object' && object !== null ? object : {}

const parseRequestedPayment = ({ body }: Pick<PolicyWrite, 'body'>): PolicyPayment =>
  toPolicyPayment(
    Buffer.isBuffer(body) && body.length > 0 ? JSON.parse(body.toString('utf8')) : null,
  )

/**
 * Returns two amounts in cents, each null if it is missing or unreadable. `named` is the amount in
 * the request, or that of the target object if the request has none. `known` is the amount of the
 * target object.
 */
function readAmounts(
  write: Pick<PolicyWrite, 'body'>,
  targetObject: unknown,
): { named: number | null; known: number | null } {
  const toCents = ({ amount }: PolicyPayment) => toMinorUnits(amount, env().amountUnit)
  const [requested, object] = [parseRequestedPayment(write), toPolicyPayment(targetObject)]
  return {
    named: 'amount' in requested ? toCents(requested) : toCents(object),
    known: toCents(object),
  }
}

/**
 * Returns the amount of a write that the policy compares, in cents. Null if the operation has no
 * amount; `unknown` if the amount cannot be read.
 */
export function readPolicyAmount(
  write: Pick<PolicyWrite, 'operation' | 'body'>,
  targetObject: unknown,
): PolicyFacts['amount'] {
  const amountRule = getServiceOperation(write.operation).amount
  if (!amountRule) return null
  const { named, known } = readAmounts(write, targetObject)
  if (amountRule === 'asked') return named ?? 'unknown'
  return named === null || known === null ? 'unknown' : Math.max(named, known)
}

/**
 * Returns the cents that a write adds to the requester's daily sum. For a payment change: the new
 * amount if it is higher, else 0.
 */
export function readMovedAmount(
  write: Pick<PolicyWrite, 'operation' | 'body'>,
  targetObject: unknown,
): PolicyFacts['amount'] {
  const amount = readPolicyAmount(write, targetObject)
  if (getServiceOperation(write.operation).amount !== 'larger') return amount
  return amount === readAmounts(write, targetObject).known ? 0 : amount
}

/**
 * Operations on an existing payment that create another payment on every call, such as a refund.
 */
const repeatableOperations: readonly string[] = serviceOperationIds.filter((id) => {
  const { path, creates } = getServiceOperation(id)
  return creates && path.includes(':id')
})

const unsentStates = ['refused', ...notSentStates] as const
const startOfDay = sql`date_trunc('day', now() at time zone 'America/New_York') at time zone 'America/New_York'`

/**
 * Returns the payment for which an action counts in the daily sum: its target, or the id of the
 * action itself if it creates a payment.
 */
const toPaymentKey = ({
  id,
  operation,
  target,
}: {
  id: string
  operation: string
  target: string | null
}): string => (target === null || repeatableOperations.includes(operation) ? id : target)

/**
 * Returns, per payment, the largest amount that the person moved today (New York) without an
 * approval. Omits the write itself.
 */
async function readMovedAmountsToday(
  db: Db,
  { id, operation, scope, actor }: PolicyWrite,
): Promise<Map<string, number>> {
  const { money } = getServiceOperation(operation)
  const rows = await db
    .select({
      id: actions.id,
      operation: actions.operation,
      target: actions.target,
      moved: actions.moved,
    })
    .from(actions)
    .where(
      and(
        eq(actions.actorId, actor.id),
        eq(actions.environment, scope.environment),
        gte(actions.createdAt, startOfDay),
        gt(actions.moved, 0),
        inArray(
          actions.operation,
          serviceOperationIds.filter((each) => getServiceOperation(each).money === money),
        ),
        isNull(actions.rule),
        notInArray(actions.state, [...unsentStates]),
        id ? ne(actions.id, id) : undefined,
      ),
    )
  const largestByPayment = new Map<string, number>()
  for (const row of rows)
    largestByPayment.set(
      toPaymentKey(row),
      Math.max(largestByPayment.get(toPaymentKey(row)) ?? 0, row.moved ?? 0),
    )
  return largestByPayment
}

async function computeDaySum(
  db: Db,
  write: PolicyWrite,
  targetObject: unknown,
): Promise<PolicyFacts['day_sum']> {
  const movedAmount = readMovedAmount(write, targetObject)
  if (movedAmount === 'unknown') return 'unknown'
  if (!movedAmount) return 0
  const movedToday = await readMovedAmountsToday(db, write)
  const paymentKey = toPaymentKey({
    id: 'this',
    operation: write.operation,
    target: write.target ?? null,
  })
  movedToday.set(paymentKey, Math.max(movedToday.get(paymentKey) ?? 0, movedAmount))
  return [...movedToday.values()].reduce((sum, moved) => sum + moved, 0)
}

const toObjectId = (target: string | null | undefined): string | null =>
  target?.split('/')[1] ?? null
export const findPaykeyId = (
  write: Pick<PolicyWrite, 'body'>,
  targetObject: unknown,
): string | null =>
  parseRequestedPayment(write).paykey_id ?? toPolicyPayment(targetObject).paykey_details?.id ?? null

async function isFirstPayment(db: Db, environment: Environment, paykey: string): Promise<boolean> {
  const [paidPayment] = await db
    .select({ id: mirrorPayments.id })
    .from(mirrorPayments)
    .where(
      and(
        eq(mirrorPayments.environment, environment),
        eq(mirrorPayments.paykeyId, paykey),
        eq(mirrorPayments.status, 'paid'),
      ),
    )
    .limit(1)
  return !paidPayment
}

async function readBankAccountAge(
  db: Db,
  environment: Environment,
  paykey: string,
): Promise<PolicyFacts['bank_account_age']> {
  const [row] = await db
    .select({
      days: sql<
        number | null
      >`(extract(epoch from now() - ${mirrorPaykeys.createdAt}) / 86400)::float8`,
    })
    .from(mirrorPaykeys)
    .where(and(eq(mirrorPaykeys.environment, environment), eq(mirrorPaykeys.id, paykey)))
  return row?.days ?? 'unknown'
}

/**
 * True if the payment was released before, if a second person approved an action on it, or if the
 * payment is unknown. The status history of the payment also shows releases outside of Paydesk.
 */
async function wasReleasedOrApproved(
  db: Db,
  { scope, target }: PolicyWrite,
  targetObject: unknown,
): Promise<boolean> {
  const { status, status_history: history = [] } = toPolicyPayment(targetObject)
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

async function isAmountRaise(
  db: Db,
  write: PolicyWrite,
  targetObject: unknown,
): Promise<PolicyFacts['raise']> {
  const { named, known } = readAmounts(write, targetObject)
  if (named === null || known === null) return 'unknown'
  return named > known && (await wasReleasedOrApproved(db, write, targetObject))
}

/**
 * Reads the facts that conditions of these kinds need. Other facts, except the amount, stay
 * `unknown`.
 */
export async function readPolicyFacts(
  db: Db,
  write: PolicyWrite,
  targetObject: unknown,
  kinds: ReadonlySet<PolicyCondition['is']>,
): Promise<PolicyFacts> {
  const { environment } = write.scope
  const paykey = findPaykeyId(write, targetObject)
  const isNeeded = (kind: PolicyCondition['is']) => kinds.has(kind)
  return {
    amount: readPolicyAmount(write, targetObject),
    day_sum: isNeeded('day_sum') ? await computeDaySum(db, write, targetObject) : 'unknown',
    first_payment:
      isNeeded('first_payment') && paykey
        ? await isFirstPayment(db, environment, paykey)
        : 'unknown',
    bank_account_age:
      isNeeded('new_bank_account') && paykey
        ? await readBankAccountAge(db, environment, paykey)
        : 'unknown',
    raise: isNeeded('raise') ? await isAmountRaise(db, write, targetObject) : 'unknown',
  }
}
