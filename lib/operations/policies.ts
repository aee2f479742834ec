import type { Environment, Role } from './define'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from './service-operations'

/**
 * The writes for which the approval policy can have rules: all except file uploads, internal
 * operations and sandbox-only operations.
 */
export const governedOperationIds: readonly ServiceOperationId[] = serviceOperationIds.filter(
  (id) => {
    const { effect, body, internal, only } = getServiceOperation(id)
    return effect !== 'read' && !body && !internal && !only
  },
)

/**
 * True if a rule can block the operation but not require an approval. Its response is a credential,
 * which is returned once, to the browser that sends the request. So the request cannot wait for a
 * second person.
 */
export const canRuleOnlyBlock = (id: ServiceOperationId): boolean =>
  getServiceOperation(id).credential === true

/**
 * A condition of a rule. Amounts are cents.
 * - `amount`: the amount of the write is `from` or more.
 * - `day_sum`: the amounts that the person moved today (New York) without an approval, including
 *   this one, are more than `above`.
 * - `first_payment`: no payment to or from this bank account (paykey) was ever paid.
 * - `new_bank_account`: the bank account was added less than `days` days ago.
 * - `raise`: the write raises the amount of a payment that was released or approved.
 */
export type PolicyCondition =
  | { is: 'amount'; from: number }
  | { is: 'day_sum'; above: number }
  | { is: 'first_payment' }
  | { is: 'new_bank_account'; days: number }
  | { is: 'raise' }

export const conditionKinds = [
  'amount',
  'day_sum',
  'first_payment',
  'new_bank_account',
  'raise',
] as const satisfies readonly PolicyCondition['is'][]

/** Returns the kinds of conditions that a rule for the operation can have. */
export function listConditionKinds(id: ServiceOperationId): readonly PolicyCondition['is'][] {
  const { amount } = getServiceOperation(id)
  if (!amount) return []
  return amount === 'larger' ? conditionKinds : conditionKinds.filter((kind) => kind !== 'raise')
}

/**
 * The effect of a rule: `approve` requires the approval of another person, and `block` stops the
 * write for everyone.
 */
export const ruleControls = ['approve', 'block'] as const

export type RuleControl = (typeof ruleControls)[number]

/**
 * A rule of the policy. It applies if all conditions of at least one group in `when` are true, and
 * always if `when` is empty. Null for `environment` or `account` (`acct_…`) means all. Only people
 * with a role in `ask` can request the operation, and people with a role in `second` can approve
 * it. An empty `second` means that no approval is needed. A rule that blocks ignores `ask` and
 * `second`.
 */
export type PolicyRule = {
  operation: ServiceOperationId
  environment: Environment | null
  account: string | null
  when: readonly (readonly PolicyCondition[])[]
  control: RuleControl
  ask: readonly Role[]
  second: readonly Role[]
}

/**
 * An approval policy. `cooling_off_hours`: hours that a deletion waits after its request.
 * `proof_minutes`: minutes for which one step-up proof is valid for operations with
 * `stepUp: 'recent'`. With 0 minutes, each operation requires its own proof.
 */
export type Policy = {
  rules: readonly PolicyRule[]
  cooling_off_hours: Readonly<Record<Environment, number>>
  proof_minutes: number
}

/**
 * A version of the policy as screens show it. `proposed_by` and `decided_by` are names. `own`: the
 * signed-in person proposed it. Version 0 is the default policy.
 */
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

/**
 * A past write that the policy would have blocked or sent to approval. `amount` is in cents, null
 * if there is none or it is unknown.
 */
export type PreviewedAction = {
  id: string
  operation: ServiceOperationId
  account: string | null
  target: string | null
  amount: number | null
  actor: string
  created_at: string
}

export type PolicyPreview = {
  days: number
  looked_at: number
  held: number
  actions: PreviewedAction[]
}

/**
 * The policy in force, the proposed one, and earlier ones (newest first). `disabled_reason` is why
 * the signed-in person cannot decide on the proposed one; null if they can.
 */
export type PoliciesView = {
  active: PolicyVersion
  proposed: PolicyVersion | null
  earlier: PolicyVersion[]
  disabled_reason: string | null
}
