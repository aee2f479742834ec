import type { Environment, Role } from '@/lib/operations/define'
import type { Policy, PolicyCondition, PolicyRule } from '@/lib/operations/policies'
import type { ServiceOperationId } from '@/lib/operations/service-operations'

const anyScope = { environment: null, account: null } as const
const approverRoles: readonly Role[] = ['operator', 'reviewer', 'admin']

/**
 * The conditions for a large payment, in cents: it is 5,000.00 or more, or it brings the sum of one
 * person and day above 25,000.00. Payments that go to approval do not add to this sum.
 */
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
 * The default approval policy (version 0). It requires an approval for large outgoing payments, for
 * raising a payment that was released or approved, for releasing a large charge, and for deleting a
 * customer.
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

/**
 * A rule as it was stored before rules had conditions. `from` is the minimum amount in cents; null
 * means any amount.
 */
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

/**
 * Returns a stored policy in the current format. A policy in the old format also gets the default
 * rules of the operations that its format did not support, such as creating a payout.
 */
export function upgradePolicy(storedPolicy: StoredPolicy): Policy {
  if ('proof_minutes' in storedPolicy) return storedPolicy
  const rules = storedPolicy.rules.map(
    ({ from, ...rule }): PolicyRule => ({
      ...rule,
      when: from === null ? [] : [[{ is: 'amount', from }]],
      control: 'approve',
    }),
  )
  const addedRules = defaultPolicy.rules.filter(
    ({ operation }) =>
      !legacyOperations.includes(operation) && !rules.some((rule) => rule.operation === operation),
  )
  return {
    ...storedPolicy,
    rules: [...rules, ...addedRules],
    proof_minutes: defaultPolicy.proof_minutes,
  }
}

/**
 * The facts about a write that conditions compare. Amounts are cents; `amount` is null if the write
 * has none. `bank_account_age` is in days. A condition on an `unknown` fact counts as true.
 */
export type PolicyFacts = {
  amount: number | 'unknown' | null
  day_sum: number | 'unknown'
  first_payment: boolean | 'unknown'
  bank_account_age: number | 'unknown'
  raise: boolean | 'unknown'
}

/**
 * A write to compare with the rules of the policy. `account` is `acct_…`, or null for the platform.
 */
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

/** Returns the highest minimum amount in the conditions of a rule; -1 if it has none. */
const getHighestMinimumAmount = ({ when }: PolicyRule): number =>
  Math.max(-1, ...when.flat().map((each) => (each.is === 'amount' ? each.from : -1)))

/**
 * Returns how specific a rule is, from 0 to 3. A rule for one account replaces the rules for all
 * accounts, and a rule for one environment replaces the rules for both environments.
 */
const getRuleSpecificity = ({ account, environment }: PolicyRule): number =>
  (account ? 2 : 0) + (environment ? 1 : 0)

/**
 * Returns 2 for a rule that blocks, 1 for a rule that requires approval, and 0 for a rule without a
 * second person.
 */
const getRuleStrength = ({ control, second }: PolicyRule): number =>
  control === 'block' ? 2 : Number(second.length > 0)

/**
 * Returns the rules that match the operation, account and environment of a write. If some of them
 * are more specific than others, returns only the most specific ones.
 */
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

/**
 * Returns the rule that governs a write, or null. Of the most specific rules whose conditions are
 * met, the strongest has precedence. Among equally strong rules, the one with the highest minimum
 * amount has precedence.
 */
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
 * Returns the stricter rule of two policy versions. If both require an approval, only the roles
 * that are in both can request and approve. If no approver role is in both, the approver roles of
 * the older version apply: a person who has just changed the policy must not choose their own
 * approvers.
 */
export const pickStricterRule = (
  newerRule: PolicyRule | null,
  olderRule: PolicyRule | null,
): PolicyRule | null => {
  if (!newerRule || !olderRule) return newerRule ?? olderRule
  if (getRuleStrength(newerRule) !== getRuleStrength(olderRule))
    return getRuleStrength(newerRule) > getRuleStrength(olderRule) ? newerRule : olderRule
  if (getRuleStrength(newerRule) !== 1) return newerRule
  const [ask, second] = [
    newerRule.ask.filter((role) => olderRule.ask.includes(role)),
    newerRule.second.filter((role) => olderRule.second.includes(role)),
  ]
  return { ...newerRule, ask, second: second.length > 0 ? second : olderRule.second }
}
