import type { WireError } from '@/lib/errors'
import type { ActionState } from '@/lib/operations/answer'
import type { Tracking } from './limit-tracking'
import type { LimitUsage } from './limit-usage'
import type { LimitSet, LimitType } from './limit-words'

/**
 * A request for other limits as the desk tracks it. `before` is what held just before it was sent, `asked` what was asked for; amounts in minor
 * units. `capability` is the service's own request. `note` says what could not be read, so that the state may be older than it looks.
 */
export type LimitRequestView = {
  id: string
  account: string
  type: LimitType
  before: LimitSet
  asked: LimitSet
  justification: string
  asked_by: string
  own: boolean
  created_at: string
  action: { id: string; state: ActionState } | null
  capability: { id: string; status: string } | null
  tracking: Tracking
  /** When it was seen to have ended; null while it is open. */
  closed_at: string | null
  note: string | null
}

/** What was used of the limits of one payment type, and when that was read; or why it could not be. */
export type LimitUse = { ok: true; usage: LimitUsage; readAt: string } | { ok: false; error: WireError; requestId: string }

/** The use of both payment types. */
export type LimitUses = Record<LimitType, LimitUse>
