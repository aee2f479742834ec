import type { Environment, Role } from './define'
import { type ServiceOperationId, serviceOperation, serviceOperationIds } from './service-operations'

/** Writes a policy may ask a second person for: no file, nothing that answers with a credential, nothing of the sandbox alone. */
export const governedIds: readonly ServiceOperationId[] = serviceOperationIds.filter((id) => {
  const { effect, body, credential, internal, only } = serviceOperation(id)
  return effect !== 'read' && !body && !credential && !internal && !only
})

/**
 * When a second person is needed. `environment` and `account` (`acct_…`) null are all; `from` is the least amount in cents, null is any; `second` are the
 * roles whose people may approve, and empty where nobody needs to.
 */
export type PolicyRule = {
  operation: ServiceOperationId
  environment: Environment | null
  account: string | null
  from: number | null
  ask: readonly Role[]
  second: readonly Role[]
}

/** All rules, and how long a deletion waits after it was requested (hours). */
export type Policy = { rules: readonly PolicyRule[]; cooling_off_hours: Readonly<Record<Environment, number>> }

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
