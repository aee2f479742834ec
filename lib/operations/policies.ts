import type { Environment, Role } from './define'
import { type ServiceOperationId, serviceOperation, serviceOperationIds } from './service-operations'

/** The writes that a rule of the policy can name: no file upload, and nothing that only the sandbox has. */
export const governedIds: readonly ServiceOperationId[] = serviceOperationIds.filter((id) => {
  const { effect, body, internal, only } = serviceOperation(id)
  return effect !== 'read' && !body && !internal && !only
})

/** Returns whether a rule can only block the operation: its answer is a credential that is given once, so no request can wait for it. */
export const canOnlyBlock = (id: ServiceOperationId): boolean => serviceOperation(id).credential === true

/**
 * One thing that must be true of a write for a rule to apply. Amounts are cents.
 * - `amount`: the amount is `from` or more.
 * - `day_sum`: the amounts that the person moved alone today (New York), this one included, are more than `above`.
 * - `first_payment`: no payment to or from this bank account (paykey) was ever paid.
 * - `new_bank_account`: the bank account was added less than `days` days ago.
 * - `raise`: the amount of a payment that was released or approved is raised.
 */
export type Condition =
  | { is: 'amount'; from: number }
  | { is: 'day_sum'; above: number }
  | { is: 'first_payment' }
  | { is: 'new_bank_account'; days: number }
  | { is: 'raise' }

/** The kinds of conditions. */
export const conditionKinds = [
  'amount',
  'day_sum',
  'first_payment',
  'new_bank_account',
  'raise',
] as const satisfies readonly Condition['is'][]

/** Returns the kinds of conditions that a rule for the operation can have. */
export function conditionsFor(id: ServiceOperationId): readonly Condition['is'][] {
  const { amount } = serviceOperation(id)
  if (!amount) return []
  return amount === 'larger' ? conditionKinds : conditionKinds.filter((kind) => kind !== 'raise')
}

/** The effect of a rule: `approve` requires the approval of another person, and `block` stops the write for everyone. */
export const controls = ['approve', 'block'] as const

/** One of the two controls. */
export type Control = (typeof controls)[number]

/**
 * A rule applies if all conditions of one group in `when` are true, and always if `when` has no group. `environment` and `account` (`acct_…`) null are all;
 * people with a role in `second` can approve, and an empty `second` needs no approval. A rule that blocks ignores `ask` and `second`.
 */
export type PolicyRule = {
  operation: ServiceOperationId
  environment: Environment | null
  account: string | null
  when: readonly (readonly Condition[])[]
  control: Control
  ask: readonly Role[]
  second: readonly Role[]
}

/**
 * All rules, how long a deletion waits after it was requested (hours), and for how many minutes one proof of a person counts for operations whose `stepUp` is `recent`; 0
 * asks every time.
 */
export type Policy = {
  rules: readonly PolicyRule[]
  cooling_off_hours: Readonly<Record<Environment, number>>
  proof_minutes: number
}

/** A version of the policy as screens show it; `proposed_by` and `decided_by` are names. Version 0 is what Paydesk ships with. */
export type PolicyVersion = {
  version: number
  state: 'proposed' | 'active' | 'replaced' | 'rejected' | 'withdrawn'
  policy: Policy
  proposed_by: string | null
  own: boolean
  proposed_at: string | null
  decided_by: string | null
  decided_at: string | null
  reason: string | null
}

/** A write of the past that a policy would have held back; `amount` in cents, null where there is none or it is not known. */
export type PreviewedAction = {
  id: string
  operation: ServiceOperationId
  account: string | null
  target: string | null
  amount: number | null
  actor: string
  created_at: string
}

export type PolicyPreview = { days: number; looked_at: number; held: number; actions: PreviewedAction[] }

/** The policy in force, the one that waits for a second admin, earlier ones (newest first), and why the reader cannot decide the one that waits. */
export type PoliciesView = {
  active: PolicyVersion
  proposed: PolicyVersion | null
  earlier: PolicyVersion[]
  disabled_reason: string | null
}
