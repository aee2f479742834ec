import 'server-only'
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { toNewYorkDate } from '@/lib/dates'
import { findRule, type PolicyFacts } from '@/lib/domain/policies'
import { notSentStates } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { Policy, PolicyPreview } from '@/lib/operations/policies'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import { actions } from '@/lib/server/store/schema/actions'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

const previewDays = 90
const maxPastWrites = 20_000
const maxShownWrites = 20

type PastWrite = Awaited<ReturnType<typeof readPastWrites>>[number]

/**
 * Writes of the last 90 days that were sent and not refused, newest first. `moved` is the amount in
 * the action log, and `amount` that of the payment in the mirror (Paydesk's copy).
 */
const readPastWrites = (
  db: Db,
  environment: Environment,
  operations: readonly ServiceOperationId[],
) =>
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
      and(
        eq(mirrorPayments.environment, actions.environment),
        sql`${mirrorPayments.id}::text = split_part(${actions.target}, '/', 2)`,
      ),
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

const getPastWriteAmount = ({ operation, moved, amount }: PastWrite): PolicyFacts['amount'] => {
  if (!getServiceOperation(operation).amount) return null
  return moved === null && amount === null ? 'unknown' : Math.max(moved ?? 0, amount ?? 0)
}

/** The action log does not store facts about the bank account and a raise. */
const toPolicyFacts = (amount: PolicyFacts['amount'], daySum: number): PolicyFacts => ({
  amount,
  day_sum: amount === 'unknown' ? 'unknown' : daySum,
  first_payment: 'unknown',
  bank_account_age: 'unknown',
  raise: 'unknown',
})

function isHeldByPolicy(
  environment: Environment,
  policy: Policy,
  { operation, accountId }: PastWrite,
  facts: PolicyFacts,
): boolean {
  const governingRule = findRule(policy, {
    operation,
    environment,
    account: accountId && formatAccountId(accountId),
    facts,
  })
  return (
    governingRule !== null && (governingRule.control === 'block' || governingRule.second.length > 0)
  )
}

/** `pastWrites` must be oldest first. All writes not held add to the person's sum of the day. */
function findHeldWriteIds(
  environment: Environment,
  policy: Policy,
  pastWrites: readonly PastWrite[],
): ReadonlySet<string> {
  const daySums = new Map<string, number>()
  const heldWriteIds = new Set<string>()
  for (const write of pastWrites) {
    const amount = getPastWriteAmount(write)
    const dayKey = [
      write.actorId,
      getServiceOperation(write.operation).money,
      toNewYorkDate(write.createdAt.getTime()),
    ].join()
    const daySum =
      (daySums.get(dayKey) ?? 0) + (typeof amount === 'number' ? (write.moved ?? amount) : 0)
    if (isHeldByPolicy(environment, policy, write, toPolicyFacts(amount, daySum)))
      heldWriteIds.add(write.id)
    else daySums.set(dayKey, daySum)
  }
  return heldWriteIds
}

/** As for a new write, a condition on an unknown amount, bank account or raise counts as true. */
export async function previewPolicy(
  environment: Environment,
  policy: Policy,
): Promise<PolicyPreview> {
  const ruledOperations = [...new Set(policy.rules.map(({ operation }) => operation))]
  if (ruledOperations.length === 0) return { days: previewDays, looked_at: 0, held: 0, actions: [] }
  const newestPastWrites = await readPastWrites(await getDatabase(), environment, ruledOperations)
  const heldWriteIds = findHeldWriteIds(environment, policy, newestPastWrites.toReversed())
  const shownPastWrites = newestPastWrites
    .filter(({ id }) => heldWriteIds.has(id))
    .slice(0, maxShownWrites)
  return {
    days: previewDays,
    looked_at: newestPastWrites.length,
    held: heldWriteIds.size,
    actions: shownPastWrites.map((write) => {
      const amount = getPastWriteAmount(write)
      return {
        id: write.id,
        operation: write.operation,
        account: write.accountId && formatAccountId(write.accountId),
        target: write.target,
        amount: typeof amount === 'number' ? amount : null,
        actor: write.actor,
        created_at: write.createdAt.toISOString(),
      }
    }),
  }
}
