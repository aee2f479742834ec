import type { ErrorCode, WireError } from '@/lib/errors'
import { type ActionView, openStates } from '@/lib/operations/answer'

/** What came of a write, as far as it is known. */
export type Outcome = {
  operation: ActionView['operation']
  action?: ActionView
  error?: Pick<WireError, 'code' | 'title' | 'detail' | 'items'> & { requestId?: string; local?: boolean }
  replayed?: boolean
}

const unclear: readonly ErrorCode[] = [
  'outcome_unknown',
  'in_progress',
  'needs_human',
  'service_failed',
  'internal',
  'unavailable',
  'too_many',
  'action_open',
  'unauthenticated',
  'key_reused',
  // It was done, so a new key would do it again.
  'answer_not_kept',
]

/** Whether a refusal is certain, so that the next try is a new request and needs a new key. Everything else keeps its key. */
export const isDefinite = (code: ErrorCode): boolean => !unclear.includes(code)

/** Whether an action still waits for its outcome. */
export const isOpen = (action: Pick<ActionView, 'state'>): boolean => openStates.includes(action.state)

/** An outcome brought up to date by the action book: an action that was settled elsewhere meanwhile tells its end. */
export function withLatest(outcome: Outcome | null, actions: readonly ActionView[]): Outcome | null {
  const waiting = outcome?.action
  if (!outcome || !waiting || !isOpen(waiting) || outcome.error?.code === 'action_open') return outcome
  const latest = actions.find((action) => action.id === waiting.id)
  return latest && !isOpen(latest) ? { operation: outcome.operation, action: latest } : outcome
}

/** The action on this object that still waits for its outcome: what the action book says, or what our own write just came back with. */
export function openAction(outcome: Outcome | null, actions: readonly ActionView[]): ActionView | undefined {
  const listed = actions.find(isOpen)
  const waiting = outcome?.action
  if (listed || !waiting || !isOpen(waiting)) return listed
  return actions.some((action) => action.id === waiting.id) ? undefined : waiting
}
