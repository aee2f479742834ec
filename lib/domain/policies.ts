import type { Environment, Role } from '@/lib/operations/define'
import type { Condition, Policy, PolicyRule } from '@/lib/operations/policies'
import type { ServiceOperationId } from '@/lib/operations/service-operations'

const everywhere = { environment: null, account: null } as const
const canApprove: readonly Role[] = ['operator', 'reviewer', 'admin']

/** The conditions for a large payment: 5,000.00 or more, or more than 25,000.00 that one person moves in a day without an approval. */
const large: readonly Condition[][] = [[{ is: 'amount', from: 500_000 }], [{ is: 'day_sum', above: 2_500_000 }]]

const approved = (operation: ServiceOperationId, when: PolicyRule['when']): PolicyRule => ({
  ...everywhere,
  operation,
  when,
  control: 'approve',
  ask: ['operator', 'admin'],
  second: canApprove,
})

/**
 * Version 0 of the policy, the default. It requires an approval for large outgoing payments, raised amounts of released or approved
 * payments, large charges that are released, and deletions.
 */
export const shippedPolicy: Policy = {
  rules: [
    approved('payouts.release', large),
    approved('payouts.create', large),
    approved('payouts.update', [...large, [{ is: 'raise' }]]),
    approved('payouts.resubmit', large),
    approved('charges.refund', large),
    approved('charges.release', [[{ is: 'amount', from: 500_000 }]]),
    { ...approved('customers.delete', []), ask: ['reviewer', 'admin'], second: ['reviewer', 'admin'] },
  ],
  cooling_off_hours: { sandbox: 0, production: 24 },
  proof_minutes: 5,
}

/** A rule as it was stored before rules had conditions. `from` is the minimum amount in cents; null means any amount. */
type OlderRule = Omit<PolicyRule, 'when' | 'control'> & { from: number | null }
export type StoredPolicy = Policy | { rules: readonly OlderRule[]; cooling_off_hours: Policy['cooling_off_hours'] }

/** Operations that the default policy covered before rules had conditions. A policy stored then keeps its own rules for them. */
const coveredBefore: readonly ServiceOperationId[] = ['payouts.release', 'charges.release', 'customers.delete']

/**
 * Returns a stored policy in the current format. For operations that a rule could not name when it was stored, such as creating a payout,
 * the default rule is added.
 */
export function policyOf(stored: StoredPolicy): Policy {
  if ('proof_minutes' in stored) return stored
  const rules = stored.rules.map(
    ({ from, ...rule }): PolicyRule => ({ ...rule, when: from === null ? [] : [[{ is: 'amount', from }]], control: 'approve' }),
  )
  const added = shippedPolicy.rules.filter(
    ({ operation }) => !coveredBefore.includes(operation) && !rules.some((rule) => rule.operation === operation),
  )
  return { ...stored, rules: [...rules, ...added], proof_minutes: shippedPolicy.proof_minutes }
}

/** The facts that conditions compare; amounts in cents, null if there is none. A condition on an `unknown` fact counts as true. */
export type Facts = {
  amount: number | 'unknown' | null
  day_sum: number | 'unknown'
  first_payment: boolean | 'unknown'
  bank_account_age: number | 'unknown'
  raise: boolean | 'unknown'
}

/** The fields of a write that rules match. `account` is `acct_…`, or null for the platform. */
export type Governed = { operation: ServiceOperationId; environment: Environment; account: string | null; facts: Facts }

function isTrue(condition: Condition, facts: Facts): boolean {
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

const applies = ({ when }: PolicyRule, facts: Facts): boolean =>
  when.length === 0 || when.some((group) => group.every((condition) => isTrue(condition, facts)))

/** Returns the highest minimum amount in the conditions of a rule; -1 if it has none. */
const boundOf = ({ when }: PolicyRule): number => Math.max(-1, ...when.flat().map((each) => (each.is === 'amount' ? each.from : -1)))

/** Returns how specific a rule is. A rule for an account replaces those for all, and a rule for an environment those for both. */
const narrowness = ({ account, environment }: PolicyRule): number => (account ? 2 : 0) + (environment ? 1 : 0)

/** Returns 2 for a rule that blocks, 1 for a rule that requires approval, and 0 for a rule without a second person. */
const strength = ({ control, second }: PolicyRule): number => (control === 'block' ? 2 : Number(second.length > 0))

/** Returns the rules for the operation, account and environment of a write, only those of the most specific kind. */
export function rulesFor({ rules }: Policy, { operation, environment, account }: Omit<Governed, 'facts'>): readonly PolicyRule[] {
  const matchingRules = rules.filter(
    (rule) =>
      rule.operation === operation &&
      (rule.environment === null || rule.environment === environment) &&
      (rule.account === null || rule.account === account),
  )
  const narrowest = Math.max(...matchingRules.map(narrowness))
  return matchingRules.filter((rule) => narrowness(rule) === narrowest)
}

/** Returns the rule for a write, or null: of the most specific rules that apply the strongest, then the one with the highest amount. */
export function ruleFor(policy: Policy, governed: Governed): PolicyRule | null {
  const applying = rulesFor(policy, governed).filter((rule) => applies(rule, governed.facts))
  return applying.sort((one, other) => strength(other) - strength(one) || boundOf(other) - boundOf(one))[0] ?? null
}

/**
 * Returns the stricter rule of two policy versions. If both require an approval, only the roles that are in both can request and approve.
 * If no approver role is in both, the approvers are those of `older`: a person who has just changed the policy must not choose their own
 * approvers.
 */
export const stricter = (one: PolicyRule | null, older: PolicyRule | null): PolicyRule | null => {
  if (!one || !older) return one ?? older
  if (strength(one) !== strength(older)) return strength(one) > strength(older) ? one : older
  if (strength(one) !== 1) return one
  const [ask, second] = [one.ask.filter((role) => older.ask.includes(role)), one.second.filter((role) => older.second.includes(role))]
  return { ...one, ask, second: second.length > 0 ? second : older.second }
}
