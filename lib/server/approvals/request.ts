import 'server-only'
import { AppError } from '@/lib/errors'
import type { Action } from '@/lib/server/actions/action-log'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { type ApprovalCriteria, listConcernedTargets } from './approvers'

/** Throws `changed` if the action does not wait for approval. */
export function toApprovalCriteria(action: Action): ApprovalCriteria {
  const { environment, accountId, actorId, rule, state, firstApproval } = action
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
    firstApprover: firstApproval?.by ?? null,
  }
}
