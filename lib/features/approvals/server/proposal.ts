import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { Environment } from '@/lib/operations/define'
import { getOperation } from '@/lib/operations/operations'
import type { PolicyVersion } from '@/lib/operations/policies'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { loadPoliciesView } from './policies'

/** `disabledReason`: why the person cannot decide on the proposal, or null. */
export type WaitingProposal = {
  active: PolicyVersion
  proposed: PolicyVersion
  disabledReason: string | null
}

/** Null if no proposed policy waits, or if the person cannot read the policy. */
export async function loadWaitingProposal(
  actor: Actor,
  environment: Environment,
): Promise<WaitingProposal | null> {
  const platformRoles = getRolesIn(actor.grants, environment, null)
  if (whyNotAllowed(platformRoles, getOperation('policies.read'))) return null
  const { active, proposed, disabled_reason } = await loadPoliciesView(actor)
  if (!proposed) return null
  const disabledReason =
    whyNotAllowed(platformRoles, getOperation('policies.confirm')) ?? disabled_reason
  return { active, proposed, disabledReason }
}

/** Null also if the person cannot decide on the proposal. */
export async function loadDecidableProposal(
  actor: Actor,
  environment: Environment,
): Promise<PolicyVersion | null> {
  const proposal = await loadWaitingProposal(actor, environment)
  return proposal?.disabledReason === null ? proposal.proposed : null
}
