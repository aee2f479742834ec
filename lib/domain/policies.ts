import type { Environment, Role } from '@/lib/operations/define'
import type { Policy, PolicyCondition, PolicyRule } from '@/lib/operations/policies'
import type { ServiceOperationId } from '@/lib/operations/service-operations'

const anyScope = { environment: null, account: null } as const
const approverRoles: readonly Role[] = ['operator', 'reviewer', 'admin']

/** Amounts are cents. A person's sum of the day leaves out payments that go to approval. */
const largePaymentConditions: readonly PolicyCondition[][] = [
  [{ is: 'amount', from: 500_000 }],
  [{ is: 'day_sum', above: 2_500_000 }],
]

const createApprovalRule = (
  operation: ServiceOperationId,
  when: PolicyRule['when'],
): PolicyRule => ({
  ...anyScope,
  operation,
  when,
  control: 'approve',
  ask: ['operator', 'admin'],
  second: approverRoles,
})

/**
 * Version 0 of the policy. The condition `raise` is true if the write raises the amount of a
 * payment that was already released or approved.
 */
export const defaultPolicy: Policy = {
  rules: [
    createApprovalRule('payouts.release', largePaymentConditions),
    createApprovalRule('payouts.create', largePaymentConditions),
    createApprovalRule('payouts.update', [...largePaymentConditions, [{ is: 'raise' }]]),
    createApprovalRule('payouts.resubmit', largePaymentConditions),
    createApprovalRule('charges.refund', largePaymentConditions),
    createApprovalRule('charges.release', [[{ is: 'amount', from: 500_000 }]]),
    {
      ...createApprovalRule('customers.delete', []),
      ask: ['reviewer', 'admin'],
      second: ['reviewer', 'admin'],
    },
  ],
  cooling_off_hours: { sandbox: 0, production: 24 },
  proof_minutes: 5,
}

/** Stored before rules had conditions. `from` is the minimum in cents; null is any amount. */
type LegacyRule = Omit<PolicyRule, 'when' | 'control'> & { from: number | null }
export type StoredPolicy =
  | Policy
  | { rules: readonly LegacyRule[]; cooling_off_hours: Policy['cooling_off_hours'] }

/**
 * Operations that rules in the old format could name. They get no default rule, because the admins
 * may have removed it on purpose.
 */
const legacyOperations: readonly ServiceOperationId[] = [
  'payouts.release',
  'charges.release',
  'customers.delete',
]

/** An old policy also gets the default rules of operations that its format did not support. */
export function upgradePolicy(storedPolicy: StoredPolicy): Policy {
  if ('proof_minutes' in storedPolicy) return storedPolicy
  const upgradedRules = storedPolicy.rules.map(
    ({ from, ...rule }): PolicyRule => ({
      ...rule,
      when: from === null ? [] : [[{ is: 'amount', from }]],
      control: 'approve',
    }),
  )
  const missingDefaultRules = defaultPolicy.rules.filter(
    ({ operation }) =>
      !legacyOperations.includes(operation) &&
      !upgradedRules.some((rule) => rule.operation === operation),
  )
  return {
    ...storedPolicy,
    rules: [...upgradedRules, ...missingDefaultRules],
    proof_minutes: defaultPolicy.proof_minutes,
  }
}

/** Amounts are cents; `bank_account_age` is in days. A condition on an `unknown` fact is true. */
export type PolicyFacts = {
  amount: number | 'unknown' | null
  day_sum: number | 'unknown'
  first_payment: boolean | 'unknown'
  bank_account_age: number | 'unknown'
  raise: boolean | 'unknown'
}

/** `account` is `acct_…`, or null for the platform. */
export type GovernedWrite = {
  operation: ServiceOperationId
  environment: Environment
  account: string | null
  facts: PolicyFacts
}

function isConditionMet(condition: PolicyCondition, facts: PolicyFacts): boolean {
  switch (condition.is) {
    case 'amount':
      return facts.amount === 'unknown' || (facts.amount !== null && facts.amount >= condition.from)
    case 'day_sum':
      return facts.day_sum === 'unknown' || facts.day_sum > condition.above
    case 'new_bank_account':
      return facts.bank_account_age === 'unknown' || facts.bank_account_age < condition.days
    default:
      return facts[condition.is] !== false
  }
}

const isRuleMet = ({ when }: PolicyRule, facts: PolicyFacts): boolean =>
  when.length === 0 ||
  when.some((group) => group.every((condition) => isConditionMet(condition, facts)))

const getHighestMinimumAmount = ({ when }: PolicyRule): number =>
  Math.max(-1, ...when.flat().map((each) => (each.is === 'amount' ? each.from : -1)))

/** A rule for an account replaces rules for all accounts; the same applies to environments. */
const getRuleSpecificity = ({ account, environment }: PolicyRule): number =>
  (account ? 2 : 0) + (environment ? 1 : 0)

/** 3 blocks, 2 requires two approvers, 1 requires one, 0 requires no other person. */
const getRuleStrength = ({ control, second, approvers }: PolicyRule): number => {
  if (control === 'block') return 3
  return second.length === 0 ? 0 : (approvers ?? 1)
}

export function listMostSpecificRules(
  { rules }: Policy,
  { operation, environment, account }: Omit<GovernedWrite, 'facts'>,
): readonly PolicyRule[] {
  const matchingRules = rules.filter(
    (rule) =>
      rule.operation === operation &&
      (rule.environment === null || rule.environment === environment) &&
      (rule.account === null || rule.account === account),
  )
  const highestSpecificity = Math.max(...matchingRules.map(getRuleSpecificity))
  return matchingRules.filter((rule) => getRuleSpecificity(rule) === highestSpecificity)
}

/** Of the rules whose conditions are met, the strongest wins, then the highest minimum amount. */
export function findRule(policy: Policy, governedWrite: GovernedWrite): PolicyRule | null {
  const applicableRules = listMostSpecificRules(policy, governedWrite).filter((rule) =>
    isRuleMet(rule, governedWrite.facts),
  )
  return (
    applicableRules.sort(
      (one, other) =>
        getRuleStrength(other) - getRuleStrength(one) ||
        getHighestMinimumAmount(other) - getHighestMinimumAmount(one),
    )[0] ?? null
  )
}

/**
 * Only roles in both versions can request and approve. Without a common approver role, the older
 * version's apply: a person who changed the policy must not choose their own approvers.
 */
export const pickStricterRule = (
  newerRule: PolicyRule | null,
  olderRule: PolicyRule | null,
): PolicyRule | null => {
  if (!newerRule || !olderRule) return newerRule ?? olderRule
  if (getRuleStrength(newerRule) !== getRuleStrength(olderRule))
    return getRuleStrength(newerRule) > getRuleStrength(olderRule) ? newerRule : olderRule
  const isApprovalRule = newerRule.control === 'approve' && newerRule.second.length > 0
  if (!isApprovalRule) return newerRule
  const [ask, second] = [
    newerRule.ask.filter((role) => olderRule.ask.includes(role)),
    newerRule.second.filter((role) => olderRule.second.includes(role)),
  ]
  return { ...newerRule, ask, second: second.length > 0 ? second : olderRule.second }
}
