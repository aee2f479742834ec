import 'server-only'
import { desc, inArray, sql } from 'drizzle-orm'
import {
  defaultPolicy,
  findRule,
  listMostSpecificRules,
  pickStricterRule,
  upgradePolicy,
} from '@/lib/domain/policies'
import type { Environment, Role } from '@/lib/operations/define'
import type { Policy } from '@/lib/operations/policies'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import type { AppliedRule } from '@/lib/server/store/schema/actions'
import { policies } from '@/lib/server/store/schema/approvals'
import type { Db } from '@/lib/server/store/store'
import { type PolicyWriteFields, readPolicyFacts } from './facts'

/**
 * Hours after a policy change during which the earlier versions still apply to the people who
 * proposed or confirmed the change.
 */
const earlierPolicyHours = 24

/**
 * `earlier` has the other policies of the last `earlierPolicyHours`. They still apply to the people
 * in `changedBy`, who proposed or confirmed a change in that time.
 */
type PolicyInForce = {
  version: number
  policy: Policy
  earlier: readonly Policy[]
  changedBy: ReadonlySet<string>
}

/** The default policy (version 0) is in force until two admins have agreed on another one. */
async function readPolicyInForce(db: Db): Promise<PolicyInForce> {
  const policyRows = await db
    .select({
      version: policies.version,
      state: policies.state,
      policy: policies.policy,
      by: sql<string[]>`array_remove(array[${policies.proposedBy}, ${policies.decidedBy}], null)`,
      isNew: sql<boolean>`coalesce(${policies.decidedAt} > now() - make_interval(hours => ${earlierPolicyHours}), false)`,
    })
    .from(policies)
    .where(inArray(policies.state, ['active', 'replaced']))
    .orderBy(desc(policies.version))
  const upgradedVersions = policyRows.map((row) => ({ ...row, policy: upgradePolicy(row.policy) }))
  const activeVersion = upgradedVersions.find(({ state }) => state === 'active')
  if (!activeVersion)
    return { version: 0, policy: defaultPolicy, earlier: [], changedBy: new Set() }
  const recentVersions = upgradedVersions.filter(({ isNew }) => isNew)
  const [previousVersion] = upgradedVersions.filter(({ isNew }) => !isNew)
  const otherRecentPolicies = recentVersions
    .filter((each) => each !== activeVersion)
    .map(({ policy }) => policy)
  const earlierPolicies =
    recentVersions.length === 0
      ? []
      : [...otherRecentPolicies, previousVersion?.policy ?? defaultPolicy]
  return {
    version: activeVersion.version,
    policy: activeVersion.policy,
    earlier: earlierPolicies,
    changedBy: new Set(recentVersions.flatMap(({ by }) => by)),
  }
}

/** `personId` is null for background work. */
async function readBindingPolicies(
  db: Db,
  personId: string | null,
): Promise<{ version: number; binding: readonly Policy[] }> {
  const { version, policy, earlier, changedBy } = await readPolicyInForce(db)
  return { version, binding: personId && changedBy.has(personId) ? [policy, ...earlier] : [policy] }
}

/**
 * Null if the write needs no approval. If the requester proposed or confirmed a policy change in
 * the last day, returns the strictest rule of all versions of that day, so that an admin cannot
 * loosen the policy for themselves.
 */
export async function findApprovalRule(
  db: Db,
  write: PolicyWriteFields,
  targetObject: unknown,
): Promise<AppliedRule | null> {
  const { version, binding } = await readBindingPolicies(db, write.actor.id)
  const { environment, accountId } = write.scope
  const governedWrite = {
    operation: write.operation,
    environment,
    account: accountId && formatAccountId(accountId),
  }
  const policyConditions = binding
    .flatMap((policy) => listMostSpecificRules(policy, governedWrite))
    .flatMap(({ when }) => when.flat())
  const facts = await readPolicyFacts(
    db,
    write,
    targetObject,
    new Set(policyConditions.map(({ is }) => is)),
  )
  const strictestRule = binding
    .map((policy) => findRule(policy, { ...governedWrite, facts }))
    .reduce(pickStricterRule)
  return strictestRule && { ...strictestRule, version }
}

/** `admin` is always included, because admins decide on policies and people. */
export async function readApprovingRoles(db: Db, personId: string): Promise<ReadonlySet<Role>> {
  const { binding } = await readBindingPolicies(db, personId)
  return new Set<Role>([
    'admin',
    ...binding.flatMap(({ rules }) => rules.flatMap(({ second }) => second)),
  ])
}

/** Returns the longest time in the policies that apply to the person. */
export async function readCoolingOffHours(
  db: Db,
  personId: string | null,
  environment: Environment,
): Promise<number> {
  const { binding } = await readBindingPolicies(db, personId)
  return Math.max(...binding.map(({ cooling_off_hours }) => cooling_off_hours[environment]))
}

/** Returns the shortest time in the policies that apply to the person. */
export async function readProofMinutes(db: Db, personId: string): Promise<number> {
  const { binding } = await readBindingPolicies(db, personId)
  return Math.min(...binding.map(({ proof_minutes }) => proof_minutes))
}
