import 'server-only'
import { desc, eq, inArray, sql } from 'drizzle-orm'
import { ruleFor, shippedPolicy, stricter } from '@/lib/domain/policies'
import { minorUnits } from '@/lib/money'
import type { Policy } from '@/lib/operations/policies'
import { serviceOperation } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import { accountText } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { policies } from '@/lib/server/store/desk-schema'
import type { AppliedRule } from '@/lib/server/store/schema'
import type { Db } from '@/lib/server/store/store'

/** How long whoever changed the policy is still held to the one before (hours). */
const heldHours = 24

/** A policy with its version, and while it is new the one before with the people who changed it. */
type InForce = { version: number; policy: Policy; before: Policy | null; changedBy: readonly string[] }

/** The policy in force: version 0, which Paydesk ships with, until two admins agreed on another. */
export async function policyInForce(db: Db): Promise<InForce> {
  const [active, replaced] = await db
    .select({
      version: policies.version,
      policy: policies.policy,
      by: sql<string[]>`array_remove(array[${policies.proposedBy}, ${policies.decidedBy}], null)`,
      isNew: sql<boolean>`coalesce(${policies.decidedAt} > now() - make_interval(hours => ${heldHours}), false)`,
    })
    .from(policies)
    .where(inArray(policies.state, ['active', 'replaced']))
    .orderBy(desc(eq(policies.state, 'active')), desc(policies.version))
    .limit(2)
  if (!active) return { version: 0, policy: shippedPolicy, before: null, changedBy: [] }
  const before = active.isNew ? (replaced?.policy ?? shippedPolicy) : null
  return { version: active.version, policy: active.policy, before, changedBy: before ? active.by : [] }
}

const amountIn = (object: unknown): unknown =>
  typeof object === 'object' && object !== null && 'amount' in object ? object.amount : undefined

/** The amount a new action moves, in cents; null where it moves none. `read` is the object it works on. */
export function amountOf({ operation, body }: Pick<NewAction, 'operation' | 'body'>, read: unknown): number | 'unreadable' | null {
  if (!serviceOperation(operation).amount) return null
  const asked: unknown = Buffer.isBuffer(body) && body.length > 0 ? JSON.parse(body.toString('utf8')) : null
  const amount = amountIn(asked) ?? amountIn(read)
  return minorUnits(amount as string | number | null, env().amountUnit) ?? 'unreadable'
}

/**
 * The rule of the policy in force that governs a new action; null where none does. Whoever just changed the policy is held to the one before as well, so
 * that nobody loosens it for themselves.
 */
export async function ruleOf(
  db: Db,
  newAction: Pick<NewAction, 'operation' | 'body' | 'scope' | 'actor'>,
  read: unknown,
): Promise<AppliedRule | null> {
  const { version, policy, before, changedBy } = await policyInForce(db)
  const { environment, accountId } = newAction.scope
  const governed = {
    operation: newAction.operation,
    environment,
    account: accountId && accountText(accountId),
    amount: amountOf(newAction, read),
  }
  const rule = ruleFor(policy, governed)
  const held = before && changedBy.includes(newAction.actor.id) ? stricter(rule, ruleFor(before, governed)) : rule
  return held && { ...held, version }
}
