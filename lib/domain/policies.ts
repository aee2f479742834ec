import type { Environment, Role } from '@/lib/operations/define'
import type { Policy, PolicyRule } from '@/lib/operations/policies'
import type { ServiceOperationId } from '@/lib/operations/service-operations'

const everywhere = { environment: null, account: null } as const
const canApprove: readonly Role[] = ['operator', 'reviewer', 'admin']

/** Everything by which money goes out, and a held charge that is released. */
const covered: readonly ServiceOperationId[] = [
  'payouts.release',
  'payouts.create',
  'payouts.update',
  'payouts.resubmit',
  'charges.refund',
  'charges.release',
]

const from5000 = { ...everywhere, from: 500_000, ask: ['operator', 'admin'], second: canApprove } as const

/** What Paydesk ships with: version 0. Money that goes out and released charges, of 5,000.00 and more, and every deletion. */
export const shippedPolicy: Policy = {
  rules: [
    ...covered.map((operation) => ({ ...from5000, operation })),
    { ...everywhere, operation: 'customers.delete', from: null, ask: ['reviewer', 'admin'], second: ['reviewer', 'admin'] },
  ],
  cooling_off_hours: { sandbox: 0, production: 24 },
}

/** A write as a policy looks at it. `amount` is in cents; null where it has none, `unreadable` where nobody can say. */
export type Governed = {
  operation: ServiceOperationId
  environment: Environment
  /** `acct_…`; null for the platform. */
  account: string | null
  amount: number | 'unreadable' | null
}

const reaches = ({ from }: PolicyRule, amount: Governed['amount']): boolean =>
  from === null || (typeof amount === 'number' ? amount >= from : amount === 'unreadable')

/** Rules for an account replace those for all accounts, and rules for an environment those for both. */
const narrowness = ({ account, environment }: PolicyRule): number => (account ? 2 : 0) + (environment ? 1 : 0)

/**
 * The rule that governs a write; null where none does. Of the narrowest rules for its operation, account and environment it is the one of the highest
 * amount that is reached; an amount nobody can read reaches every one.
 */
export function ruleFor({ rules }: Policy, { operation, environment, account, amount }: Governed): PolicyRule | null {
  const here = rules.filter(
    (rule) =>
      rule.operation === operation &&
      (rule.environment === null || rule.environment === environment) &&
      (rule.account === null || rule.account === account),
  )
  const narrowest = Math.max(...here.map(narrowness))
  const reached = here.filter((rule) => narrowness(rule) === narrowest && reaches(rule, amount))
  return reached.sort((one, other) => (other.from ?? -1) - (one.from ?? -1))[0] ?? null
}

/** Whether one rule asks for more than the other: for a second person where the other does not, or for fewer people to choose from. */
export const stricter = (one: PolicyRule | null, other: PolicyRule | null): PolicyRule | null => {
  if (!one || one.second.length === 0) return other && other.second.length > 0 ? other : one
  if (!other || other.second.length === 0) return one
  const [ask, second] = [one.ask.filter((role) => other.ask.includes(role)), one.second.filter((role) => other.second.includes(role))]
  return { ...one, ask, second: second.length > 0 ? second : one.second }
}
