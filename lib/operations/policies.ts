import type { Environment, Role } from './define'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from './service-operations'

/** The writes for which the approval policy can have rules. */
export const governedOperationIds: readonly ServiceOperationId[] = serviceOperationIds.filter(
  (id) => {
    const { effect, body, internal, only } = getServiceOperation(id)
    return effect !== 'read' && !body && !internal && !only
  },
)

/**
 * True if the response is a credential, which only the browser that sends the request gets. Such a
 * request cannot wait for a second person, so a rule can only block it.
 */
export const isBlockOnlyOperation = (id: ServiceOperationId): boolean =>
  getServiceOperation(id).credential === true

/**
 * Amounts are cents.
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

export function listConditionKinds(id: ServiceOperationId): readonly PolicyCondition['is'][] {
  const { amount } = getServiceOperation(id)
  if (!amount) return []
  return amount === 'larger' ? conditionKinds : conditionKinds.filter((kind) => kind !== 'raise')
}

/** Allowed length of texts that people write about a request, in characters. */
export const requestTextBounds = { min: 10, max: 300 } as const

/** `approve` requires the approval of another person, `block` stops the write for everyone. */
export const ruleControls = ['approve', 'block'] as const

export type RuleControl = (typeof ruleControls)[number]

/**
 * Applies if all conditions of at least one group in `when` are true, and always if `when` is
 * empty. Null `environment` or `account` (`acct_…`) means all. People with a role in `ask` can
 * request the operation, and people with a role in `second` can approve it. An empty `second` means
 * that no approval is needed. With `approvers`, two people other than the requester must approve. A
 * rule that blocks ignores `ask`, `second` and `approvers`.
 */
export type PolicyRule = {
  operation: ServiceOperationId
  environment: Environment | null
  account: string | null
  when: readonly (readonly PolicyCondition[])[]
  control: RuleControl
  ask: readonly Role[]
  second: readonly Role[]
  approvers?: 2 | undefined
}

/**
 * `cooling_off_hours`: hours that a deletion waits after its request. `proof_minutes`: how long a
 * step-up proof is valid for `stepUp: 'recent'`. With 0, each operation requires its own proof.
 */
export type Policy = {
  rules: readonly PolicyRule[]
  cooling_off_hours: Readonly<Record<Environment, number>>
  proof_minutes: number
}

/** `proposed_by` and `decided_by` are names. Version 0 is the default policy. */
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

/** A past write that the policy would have stopped. `amount`: cents; null if none or unknown. */
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

/** `disabled_reason`: why the signed-in person cannot decide on the proposed policy, or null. */
export type PoliciesView = {
  active: PolicyVersion
  proposed: PolicyVersion | null
  earlier: PolicyVersion[]
  disabled_reason: string | null
}
