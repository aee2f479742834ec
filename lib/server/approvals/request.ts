import 'server-only'
import { AppError } from '@/lib/errors'
import type { Action } from '@/lib/server/actions/action-log'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { type ApprovalCriteria, listConcernedTargets } from './approvers'

/**
 * Returns the fields of an approval request that determine who can approve it. Throws `changed` if
 * it does not wait for approval.
 */
export function toApprovalCriteria(action: Action): ApprovalCriteria {
  const { environment, accountId, actorId, rule, state } = action
  if (!rule || state !== 'awaiting_approval') {
    throw new AppError(
      'changed',
      'This request is no longer waiting for approval. Nothing was changed: refresh and review',
    )
  }
  return {
    environment,
    accountId,
    actorId,
    rule,
    concerned: listConcernedTargets(action.target, decryptSeenObject(action)),
  }
}
