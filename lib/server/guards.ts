import 'server-only'
import type { OperationId } from '@/lib/operations/rows'
import type { Beside, Draft } from './actions/book'
import { refuseUncleared } from './deletion-guard'
import { limitRequestBeside } from './limit-guard'
import { refuseDecisionByUpdate } from './status-guard'

/**
 * What one operation asks of a draft before it is booked, beyond what the service checks. Gives what is written together with the action, the
 * answer to send instead of booking it, or null; throws what refuses it.
 */
type Guard = (draft: Draft) => Promise<Beside | Response | null>

const guards: { readonly [K in OperationId]?: Guard } = {
  'customers.delete': refuseUncleared,
  'customers.update': refuseDecisionByUpdate,
  'capability_requests.create': limitRequestBeside,
}

/** Runs the guard of the draft's operation, where it has one; nothing is booked by then. */
export const guarded: Guard = async (draft) => (await guards[draft.operation]?.(draft)) ?? null
