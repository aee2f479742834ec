import 'server-only'
import { desc, inArray, sql } from 'drizzle-orm'
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

/** The hours for which earlier versions of the policy still bind each person who proposed or confirmed a change. */
const heldHours = 24

/** The policy in force. `earlier` holds the other versions of the last `heldHours` and the version before them; they bind the people in `changedBy`. */
type InForce = { version: number; policy: Policy; earlier: readonly Policy[]; changedBy: ReadonlySet<string> }

/** The policy in force: version 0, which Paydesk ships with, until two admins agreed on another. */
export async function policyInForce(db: Db): Promise<InForce> {
  const versions = await db
    .select({
      version: policies.version,
      state: policies.state,
      policy: policies.policy,
      by: sql<string[]>`array_remove(array[${policies.proposedBy}, ${policies.decidedBy}], null)`,
      isNew: sql<boolean>`coalesce(${policies.decidedAt} > now() - make_interval(hours => ${heldHours}), false)`,
    })
    .from(policies)
    .where(inArray(policies.state, ['active', 'replaced']))
    .orderBy(desc(policies.version))
  const active = versions.find(({ state }) => state === 'active')
  if (!active) return { version: 0, policy: shippedPolicy, earlier: [], changedBy: new Set() }
  const recent = versions.filter(({ isNew }) => isNew)
  const [before] = versions.filter(({ isNew }) => !isNew)
  const otherVersions = recent.filter((each) => each !== active).map(({ policy }) => policy)
  const earlier = recent.length === 0 ? [] : [...otherVersions, before?.policy ?? shippedPolicy]
  return { version: active.version, policy: active.policy, earlier, changedBy: new Set(recent.flatMap(({ by }) => by)) }
}

const amountIn = (object: unknown): unknown =>
  typeof object === 'object' && object !== null && 'amount' in object ? object.amount : undefined

/** The amount a new action moves, in cents; null where it moves none. `read` is the object it works on. */
export function amountOf({ operation, body }: Pick<NewAction, 'operation' | 'body'>, read: unknown): number | 'unreadable' | null {
  const rule = serviceOperation(operation).amount
  if (!rule) return null
  const asked: unknown = Buffer.isBuffer(body) && body.length > 0 ? JSON.parse(body.toString('utf8')) : null
  const [named, known] = [amountIn(asked), amountIn(read)]
  const counted = rule === 'larger' ? [named ?? known, known] : [named ?? known]
  const cents = counted.map((amount) => minorUnits(amount as string | number | null, env().amountUnit))
  return cents.includes(null) ? 'unreadable' : Math.max(...(cents as number[]))
}

/**
 * Returns the rule that governs a new action; null if there is none. For a person who proposed or confirmed a change of the policy within a day it is the strictest rule of
 * all versions of that day, so that nobody can loosen the policy for themselves.
 */
export async function ruleOf(
  db: Db,
  newAction: Pick<NewAction, 'operation' | 'body' | 'scope' | 'actor'>,
  read: unknown,
): Promise<AppliedRule | null> {
  const { version, policy, earlier, changedBy } = await policyInForce(db)
  const { environment, accountId } = newAction.scope
  const governed = {
    operation: newAction.operation,
    environment,
    account: accountId && accountText(accountId),
    amount: amountOf(newAction, read),
  }
  const binding = changedBy.has(newAction.actor.id) ? [policy, ...earlier] : [policy]
  const rule = binding.map((each) => ruleFor(each, governed)).reduce(stricter)
  return rule && { ...rule, version }
}
