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

/** The fields of a write that the policy reads. Without `id`, the write will not be recorded. */
export type PolicyWriteFields = Pick<NewAction, 'operation' | 'body' | 'scope' | 'actor'> &
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

const parseRequestedPayment = ({ body }: Pick<PolicyWriteFields, 'body'>): PolicyPayment =>
  toPolicyPayment(
    Buffer.isBuffer(body) && body.length > 0 ? JSON.parse(body.toString('utf8')) : null,
  )

/**
 * Cents; null if missing or unreadable. `named` is the amount in the request, or that of the target
 * object if the request has none. `known` is the amount of the target object. A request always has
 * cents, whatever the unit of the service's own amounts.
 */
function readPaymentAmounts(
  write: Pick<PolicyWriteFields, 'body'>,
  targetObject: unknown,
): { named: number | null; known: number | null } {
  const requested = parseRequestedPayment(write)
  const objectAmount = toMinorUnits(toPolicyPayment(targetObject).amount, env().amountUnit)
  return {
    named: 'amount' in requested ? toMinorUnits(requested.amount, 'minor') : objectAmount,
    known: objectAmount,
  }
}

/** Cents. Null if the operation has no amount; `unknown` if the amount cannot be read. */
export function readPolicyAmount(
  write: Pick<PolicyWriteFields, 'operation' | 'body'>,
  targetObject: unknown,
): PolicyFacts['amount'] {
  const amountRule = getServiceOperation(write.operation).amount
  if (!amountRule) return null
  const { named, known } = readPaymentAmounts(write, targetObject)
  if (amountRule === 'asked') return named ?? 'unknown'
  return named === null || known === null ? 'unknown' : Math.max(named, known)
}

/**
 * Cents that count toward the requester's daily sum. For a payment change: the new amount if it is
 * higher, else 0.
 */
export function readMovedAmount(
  write: Pick<PolicyWriteFields, 'operation' | 'body'>,
  targetObject: unknown,
): PolicyFacts['amount'] {
  const amount = readPolicyAmount(write, targetObject)
  if (getServiceOperation(write.operation).amount !== 'larger') return amount
  return amount === readPaymentAmounts(write, targetObject).known ? 0 : amount
}

/** Operations that create another payment on every call, such as a refund. */
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
  { id, operation, scope, actor }: PolicyWriteFields,
): Promise<Map<string, number>> {
  const { money } = getServiceOperation(operation)
  const movedRows = await db
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
  const largestAmountByPayment = new Map<string, number>()
  for (const row of movedRows)
    largestAmountByPayment.set(
      toPaymentKey(row),
      Math.max(largestAmountByPayment.get(toPaymentKey(row)) ?? 0, row.moved ?? 0),
    )
  return largestAmountByPayment
}

async function computeDaySum(
  db: Db,
  write: PolicyWriteFields,
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
  write: Pick<PolicyWriteFields, 'body'>,
  targetObject: unknown,
): string | null =>
  parseRequestedPayment(write).paykey_id ?? toPolicyPayment(targetObject).paykey_details?.id ?? null

async function isFirstPaymentOfPaykey(
  db: Db,
  environment: Environment,
  paykey: string,
): Promise<boolean> {
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

/** Also true for an unknown payment. The status history shows releases outside of Paydesk too. */
async function wasReleasedOrApproved(
  db: Db,
  { scope, target }: PolicyWriteFields,
  targetObject: unknown,
): Promise<boolean> {
  const { status, status_history: history = [] } = toPolicyPayment(targetObject)
  if (status !== 'on_hold' && history.some((entry) => entry.status === 'on_hold')) return true
  const targetId = toObjectId(target)
  if (!target || !targetId) return true
  const releasedCondition = and(
    eq(actions.target, target),
    sql`${actions.operation} like '%.release'`,
    notInArray(actions.state, [...unsentStates, 'awaiting_approval']),
  )
  const approvedCondition = and(
    or(eq(actions.target, target), sql`${actions.mentions} @> array[${targetId}]::uuid[]`),
    sql`${actions.approval} ->> 'outcome' = 'approved'`,
    ne(actions.state, 'refused'),
  )
  const [decidedAction] = await db
    .select({ id: actions.id })
    .from(actions)
    .where(
      and(eq(actions.environment, scope.environment), or(releasedCondition, approvedCondition)),
    )
    .limit(1)
  return decidedAction !== undefined
}

async function isAmountRaise(
  db: Db,
  write: PolicyWriteFields,
  targetObject: unknown,
): Promise<PolicyFacts['raise']> {
  const { named, known } = readPaymentAmounts(write, targetObject)
  if (named === null || known === null) return 'unknown'
  return named > known && (await wasReleasedOrApproved(db, write, targetObject))
}

/** Facts that no condition of these `kinds` needs stay `unknown`, except the amount. */
export async function readPolicyFacts(
  db: Db,
  write: PolicyWriteFields,
  targetObject: unknown,
  kinds: ReadonlySet<PolicyCondition['is']>,
): Promise<PolicyFacts> {
  const { environment } = write.scope
  const paykeyId = findPaykeyId(write, targetObject)
  const isFactNeeded = (kind: PolicyCondition['is']) => kinds.has(kind)
  return {
    amount: readPolicyAmount(write, targetObject),
    day_sum: isFactNeeded('day_sum') ? await computeDaySum(db, write, targetObject) : 'unknown',
    first_payment:
      isFactNeeded('first_payment') && paykeyId
        ? await isFirstPaymentOfPaykey(db, environment, paykeyId)
        : 'unknown',
    bank_account_age:
      isFactNeeded('new_bank_account') && paykeyId
        ? await readBankAccountAge(db, environment, paykeyId)
        : 'unknown',
    raise: isFactNeeded('raise') ? await isAmountRaise(db, write, targetObject) : 'unknown',
  }
}
