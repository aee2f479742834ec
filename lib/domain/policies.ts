import type { Environment, Role } from '@/lib/operations/define'
import type { Condition, Policy, PolicyRule } from '@/lib/operations/policies'
import type { ServiceOperationId } from '@/lib/operations/service-operations'

const anyScope = { environment: null, account: null } as const
const approverRoles: readonly Role[] = ['operator', 'reviewer', 'admin']

/** The conditions for a large payment: 5,000.00 or more, or more than 25,000.00 that one person moves in a day without an approval. */
const largePaymentConditions: readonly Condition[][] = [[{ is: 'amount', from: 500_000 }], [{ is: 'day_sum', above: 2_500_000 }]]

const createApprovalRule = (operation: ServiceOperationId, when: PolicyRule['when']): PolicyRule => ({
  ...anyScope,
  operation,
  when,
  control: 'approve',
  ask: ['operator', 'admin'],
  second: approverRoles,
})

/**
 * Version 0 of the policy, the default. It requires an approval for large outgoing payments, raised amounts of released or approved
 * payments, large charges that are released, and deletions.
 */
export const defaultPolicy: Policy = {
  rules: [
    createApprovalRule('payouts.release', largePaymentConditions),
    createApprovalRule('payouts.create', largePaymentConditions),
    createApprovalRule('payouts.update', [...largePaymentConditions, [{ is: 'raise' }]]),
    createApprovalRule('payouts.resubmit', largePaymentConditions),
    createApprovalRule('charges.refund', largePaymentConditions),
    createApprovalRule('charges.release', [[{ is: 'amount', from: 500_000 }]]),
    { ...createApprovalRule('customers.delete', []), ask: ['reviewer', 'admin'], second: ['reviewer', 'admin'] },
  ],
  cooling_off_hours: { sandbox: 0, production: 24 },
  proof_minutes: 5,
}

/** A rule as it was stored before rules had conditions. `from` is the minimum amount in cents; null means any amount. */
type LegacyRule = Omit<PolicyRule, 'when' | 'control'> & { from: number | null }
export type StoredPolicy = Policy | { rules: readonly LegacyRule[]; cooling_off_hours: Policy['cooling_off_hours'] }

/** Operations that the default policy covered before rules had conditions. A policy stored then keeps its own rules for them. */
const legacyOperations: readonly ServiceOperationId[] = ['payouts.release', 'charges.release', 'customers.delete']

/**
 * Returns a stored policy in the current format. For operations that a rule could not name when it was stored, such as creating a payout,
 * the default rule is added.
 */
export function upgradePolicy(stored: StoredPolicy): Policy {
  if ('proof_minutes' in stored) return stored
  const rules = stored.rules.map(
    ({ from, ...rule }): PolicyRule => ({ ...rule, when: from === null ? [] : [[{ is: 'amount', from }]], control: 'approve' }),
  )
  const addedRules = defaultPolicy.rules.filter(
    ({ operation }) => !legacyOperations.includes(operation) && !rules.some((rule) => rule.operation === operation),
  )
  return { ...stored, rules: [...rules, ...addedRules], proof_minutes: defaultPolicy.proof_minutes }
}

/** The facts that conditions compare; amounts in cents, null if there is none. A condition on an `unknown` fact counts as true. */
export type PolicyFacts = {
  amount: number | 'unknown' | null
  day_sum: number | 'unknown'
  first_payment: boolean | 'unknown'
  bank_account_age: number | 'unknown'
  raise: boolean | 'unknown'
}

/** The fields of a write that rules match. `account` is `acct_…`, or null for the platform. */
export type GovernedWrite = { operation: ServiceOperationId; environment: Environment; account: string | null; facts: PolicyFacts }

function isConditionMet(condition: Condition, facts: PolicyFacts): boolean {
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
  when.length === 0 || when.some((group) => group.every((condition) => isConditionMet(condition, facts)))

/** Returns the highest minimum amount in the conditions of a rule; -1 if it has none. */
const getHighestMinimum = ({ when }: PolicyRule): number =>
  Math.max(-1, ...when.flat().map((each) => (each.is === 'amount' ? each.from : -1)))

/** Returns how specific a rule is. A rule for an account replaces those for all, and a rule for an environment those for both. */
const ruleSpecificity = ({ account, environment }: PolicyRule): number => (account ? 2 : 0) + (environment ? 1 : 0)

/** Returns 2 for a rule that blocks, 1 for a rule that requires approval, and 0 for a rule without a second person. */
const ruleStrength = ({ control, second }: PolicyRule): number => (control === 'block' ? 2 : Number(second.length > 0))

/** Returns the rules for the operation, account and environment of a write, only those of the most specific kind. */
export function listRules({ rules }: Policy, { operation, environment, account }: Omit<GovernedWrite, 'facts'>): readonly PolicyRule[] {
  const matchingRules = rules.filter(
    (rule) =>
      rule.operation === operation &&
      (rule.environment === null || rule.environment === environment) &&
      (rule.account === null || rule.account === account),
  )
  const highestSpecificity = Math.max(...matchingRules.map(ruleSpecificity))
  return matchingRules.filter((rule) => ruleSpecificity(rule) === highestSpecificity)
}

/** Returns the rule for a write, or null: of the most specific rules that apply the strongest, then the one with the highest amount. */
export function findRule(policy: Policy, governed: GovernedWrite): PolicyRule | null {
  const applicableRules = listRules(policy, governed).filter((rule) => isRuleMet(rule, governed.facts))
  return (
    applicableRules.sort((one, other) => ruleStrength(other) - ruleStrength(one) || getHighestMinimum(other) - getHighestMinimum(one))[0] ??
    null
  )
}

/**
 * Returns the stricter rule of two policy versions. If both require an approval, only the roles that are in both can request and approve.
 * If no approver role is in both, the approvers are those of `older`: a person who has just changed the policy must not choose their own
 * approvers.
 */
export const pickStricterRule = (one: PolicyRule | null, older: PolicyRule | null): PolicyRule | null => {
  if (!one || !older) return one ?? older
  if (ruleStrength(one) !== ruleStrength(older)) return ruleStrength(one) > ruleStrength(older) ? one : older
  if (ruleStrength(one) !== 1) return one
  const [ask, second] = [one.ask.filter((role) => older.ask.includes(role)), one.second.filter((role) => older.second.includes(role))]
  return { ...one, ask, second: second.length > 0 ? second : older.second }
}
