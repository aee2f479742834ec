import 'server-only'
import { AppError } from '@/lib/errors'
import type { Action } from '@/lib/server/actions/action-log'
import { seenIn } from '@/lib/server/actions/seen'
import { concernedBy, type Request } from './approvers'

/** A request as far as it says who may approve it. Throws `changed` where the action does not wait for approval. */
export function requestOf(action: Action): Request {
  const { environment, accountId, actorId, rule, state } = action
  if (!rule || state !== 'awaiting_approval') {
    throw new AppError('changed', 'This request is no longer waiting for approval. Nothing was changed: refresh and review')
  }
  return { environment, accountId, actorId, rule, concerned: concernedBy(action.target, seenIn(action)) }
}
