import 'server-only'
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { bankDay } from '@/lib/dates'
import { findRule, type PolicyFacts } from '@/lib/domain/policies'
import { notSentStates } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { Policy, PolicyPreview } from '@/lib/operations/policies'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import { accountText } from '@/lib/server/auth/scoped-account'
import { actions } from '@/lib/server/store/schema/actions'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { people } from '@/lib/server/store/schema/people'
import { type Db, database } from '@/lib/server/store/store'

const previewDays = 90
const maxPastWrites = 20_000
const maxShownWrites = 20

type PastWrite = Awaited<ReturnType<typeof readPastWrites>>[number]

/**
 * Returns the sent writes of the last 90 days, newest first. `moved` is the recorded amount, `amount` that of the payment in the mirror.
 */
const readPastWrites = (db: Db, environment: Environment, operations: readonly ServiceOperationId[]) =>
  db
    .select({
      id: actions.id,
      operation: sql<ServiceOperationId>`${actions.operation}`,
      accountId: actions.accountId,
      target: actions.target,
      moved: actions.moved,
      amount: mirrorPayments.amount,
      actorId: actions.actorId,
      actor: people.name,
      createdAt: actions.createdAt,
    })
    .from(actions)
    .innerJoin(people, eq(people.id, actions.actorId))
    .leftJoin(
      mirrorPayments,
      and(eq(mirrorPayments.environment, actions.environment), sql`${mirrorPayments.id}::text = split_part(${actions.target}, '/', 2)`),
    )
    .where(
      and(
        eq(actions.environment, environment),
        inArray(actions.operation, [...operations]),
        sql`${actions.state} not in (${sql.join(
          ['refused', ...notSentStates].map((state) => sql`${state}`),
          sql`, `,
        )})`,
        gt(actions.createdAt, sql`now() - make_interval(days => ${previewDays})`),
      ),
    )
    .orderBy(desc(actions.createdAt))
    .limit(maxPastWrites)

const getPastAmount = ({ operation, moved, amount }: PastWrite): PolicyFacts['amount'] => {
  if (!serviceOperation(operation).amount) return null
  return moved === null && amount === null ? 'unknown' : Math.max(moved ?? 0, amount ?? 0)
}

/** Returns the facts of a past write. The bank account and a raise are `unknown`, because the action log does not store them. */
const toPolicyFacts = (amount: PolicyFacts['amount'], sum: number): PolicyFacts => ({
  amount,
  day_sum: amount === 'unknown' ? 'unknown' : sum,
  first_payment: 'unknown',
  bank_account_age: 'unknown',
  raise: 'unknown',
})

function isHeldBack(environment: Environment, policy: Policy, { operation, accountId }: PastWrite, facts: PolicyFacts): boolean {
  const rule = findRule(policy, { operation, environment, account: accountId && accountText(accountId), facts })
  return rule !== null && (rule.control === 'block' || rule.second.length > 0)
}

/**
 * Returns the ids of the past writes that the policy would have blocked or sent to approval. `past` is oldest first. Only the other writes
 * add to the person's sum of the day.
 */
function findHeldWrites(environment: Environment, policy: Policy, past: readonly PastWrite[]): ReadonlySet<string> {
  const sums = new Map<string, number>()
  const heldIds = new Set<string>()
  for (const write of past) {
    const amount = getPastAmount(write)
    const dayKey = [write.actorId, serviceOperation(write.operation).money, bankDay(write.createdAt.getTime())].join()
    const sum = (sums.get(dayKey) ?? 0) + (typeof amount === 'number' ? (write.moved ?? amount) : 0)
    if (isHeldBack(environment, policy, write, toPolicyFacts(amount, sum))) heldIds.add(write.id)
    else sums.set(dayKey, sum)
  }
  return heldIds
}

/**
 * Previews a policy: returns the actions of the last 90 days that it would have blocked or sent to approval. Unknown amounts, bank accounts
 * and raises match every condition on them, as they do for a new write.
 */
export async function previewPolicy(environment: Environment, policy: Policy): Promise<PolicyPreview> {
  const operations = [...new Set(policy.rules.map(({ operation }) => operation))]
  if (operations.length === 0) return { days: previewDays, looked_at: 0, held: 0, actions: [] }
  const rows = await readPastWrites(await database(), environment, operations)
  const heldIds = findHeldWrites(environment, policy, rows.toReversed())
  const shownRows = rows.filter(({ id }) => heldIds.has(id)).slice(0, maxShownWrites)
  return {
    days: previewDays,
    looked_at: rows.length,
    held: heldIds.size,
    actions: shownRows.map((write) => {
      const amount = getPastAmount(write)
      return {
        id: write.id,
        operation: write.operation,
        account: write.accountId && accountText(write.accountId),
        target: write.target,
        amount: typeof amount === 'number' ? amount : null,
        actor: write.actor,
        created_at: write.createdAt.toISOString(),
      }
    }),
  }
}
