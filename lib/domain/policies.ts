import type { Environment, Role } from '@/lib/operations/define'
import type { Condition, Policy, PolicyRule } from '@/lib/operations/policies'
import type { ServiceOperationId } from '@/lib/operations/service-operations'

const everywhere = { environment: null, account: null } as const
const canApprove: readonly Role[] = ['operator', 'reviewer', 'admin']

/** From 5,000.00, and from more than 25,000.00 that one person moves alone in a day. */
const large: readonly Condition[][] = [[{ is: 'amount', from: 500_000 }], [{ is: 'day_sum', above: 2_500_000 }]]

const approved = (operation: ServiceOperationId, when: PolicyRule['when']): PolicyRule => ({
  ...everywhere,
  operation,
  when,
  control: 'approve',
  ask: ['operator', 'admin'],
  second: canApprove,
})

/** Version 0 of the policy, which Paydesk ships with. It holds large amounts that go out, raises of what was decided, released charges and deletions. */
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

/** A rule and a policy as versions before conditions have them: `from` is the smallest amount in cents, and null is any. */
type OlderRule = Omit<PolicyRule, 'when' | 'control'> & { from: number | null }
export type StoredPolicy = Policy | { rules: readonly OlderRule[]; cooling_off_hours: Policy['cooling_off_hours'] }

/** The operations that the shipped policy covered before conditions. Their rules in an older version are what two admins wanted. */
const coveredBefore: readonly ServiceOperationId[] = ['payouts.release', 'charges.release', 'customers.delete']

/**
 * Returns a stored version as it applies today. An older one has no rule for operations that were not covered then, such as creating a payout: the shipped
 * rule of each such operation is added.
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

/** The facts of a write that conditions compare, in cents; an amount of null is none. Every condition on an `unknown` fact counts as true. */
export type Facts = {
  amount: number | 'unknown' | null
  day_sum: number | 'unknown'
  first_payment: boolean | 'unknown'
  /** The age of the bank account in days. */
  bank_account_age: number | 'unknown'
  raise: boolean | 'unknown'
}

/** A write as a policy looks at it; `account` is `acct_…`, and null for the platform. */
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

/** Returns the largest amount that a rule names. */
const boundOf = ({ when }: PolicyRule): number => Math.max(-1, ...when.flat().map((each) => (each.is === 'amount' ? each.from : -1)))

/** Rules for an account replace those for all accounts, and rules for an environment those for both. */
const narrowness = ({ account, environment }: PolicyRule): number => (account ? 2 : 0) + (environment ? 1 : 0)

/** Returns 2 for a rule that blocks, 1 for a rule that requires approval, and 0 for a rule that lets the requester send alone. */
const strength = ({ control, second }: PolicyRule): number => (control === 'block' ? 2 : Number(second.length > 0))

/** Returns the rules for the operation, account and environment of a write, the narrowest only. */
export function rulesFor({ rules }: Policy, { operation, environment, account }: Omit<Governed, 'facts'>): readonly PolicyRule[] {
  const here = rules.filter(
    (rule) =>
      rule.operation === operation &&
      (rule.environment === null || rule.environment === environment) &&
      (rule.account === null || rule.account === account),
  )
  const narrowest = Math.max(...here.map(narrowness))
  return here.filter((rule) => narrowness(rule) === narrowest)
}

/** Returns the rule that governs a write: of the narrowest that apply the strongest, and of those the one with the largest amount. Null if none applies. */
export function ruleFor(policy: Policy, governed: Governed): PolicyRule | null {
  const applying = rulesFor(policy, governed).filter((rule) => applies(rule, governed.facts))
  return applying.sort((one, other) => strength(other) - strength(one) || boundOf(other) - boundOf(one))[0] ?? null
}

/** Returns the stronger of two rules; of two that need a second person, one that only people who satisfy both can approve. */
export const stricter = (one: PolicyRule | null, other: PolicyRule | null): PolicyRule | null => {
  if (!one || !other) return one ?? other
  if (strength(one) !== strength(other)) return strength(one) > strength(other) ? one : other
  if (strength(one) !== 1) return one
  const [ask, second] = [one.ask.filter((role) => other.ask.includes(role)), one.second.filter((role) => other.second.includes(role))]
  return { ...one, ask, second: second.length > 0 ? second : one.second }
}
