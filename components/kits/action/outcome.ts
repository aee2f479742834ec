'use client'

import { useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { WaitContext } from '@/components/kits/unreadable/unreadable-parts'
import { invalidate, staleAfter } from '@/lib/client/query/client'
import { timeOf } from '@/lib/dates'
import type { Happened } from '@/lib/domain/changed-by'
import type { ErrorCode, WireError } from '@/lib/errors'
import { type ActionView, openStates } from '@/lib/operations/answer'
import type { OperationId } from '@/lib/operations/operations'
import type { WriteId } from '@/lib/operations/service-operations'

/** What came of a write, as far as it is known. */
export type Outcome = {
  operation: ActionView['operation']
  action?: ActionView
  error?: Pick<WireError, 'code' | 'title' | 'detail' | 'items'> & { requestId?: string; local?: boolean }
  replayed?: boolean
  /** What was done, where one operation does several things. */
  done?: string | undefined
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

/** Whether an action still waits for its outcome, or for its approval. */
export const isOpen = ({ state }: Pick<ActionView, 'state'>): boolean => state === 'awaiting_approval' || openStates.includes(state)

/** An outcome brought up to date by the action log: an action that was settled elsewhere meanwhile tells its end. */
export function withLatest(outcome: Outcome | null, actions: readonly ActionView[]): Outcome | null {
  const waiting = outcome?.action
  if (!outcome || !waiting || !isOpen(waiting) || outcome.error?.code === 'action_open') return outcome
  const latest = actions.find((action) => action.id === waiting.id)
  return latest && !isOpen(latest) ? { operation: outcome.operation, action: latest, done: outcome.done } : outcome
}

/** The action on this object that still waits for its outcome: what the action log says, or what our own write just came back with. */
export function openAction(outcome: Outcome | null, actions: readonly ActionView[]): ActionView | undefined {
  const listed = actions.find(isOpen)
  const waiting = outcome?.action
  if (listed || !waiting || !isOpen(waiting)) return listed
  return actions.some((action) => action.id === waiting.id) ? undefined : waiting
}

/**
 * Keeps an open action until its outcome is shown (`isShown`). The refetched action log may list it as settled before `LiveAction` has reported the
 * outcome; without this `LiveAction` would unmount and the outcome would never appear.
 */
export function useUnreported(open: ActionView | undefined, isShown: (id: string) => boolean): ActionView | undefined {
  const [kept, setKept] = useState(open)
  if (open && open.id !== kept?.id) setKept(open)
  if (open || !kept) return open
  return isShown(kept.id) ? undefined : kept
}

type UseOutcomeOptions = {
  actions: readonly ActionView[]
  /** `refresh` fetches the reads that this write makes stale. */
  operation: WriteId
  /** The list beside the record is reconciled too. */
  onChanged?: () => void
}

/** The outcome of the last write and the action that is still open, kept in step with the action log. */
export function useOutcome({ actions, operation, onChanged }: UseOutcomeOptions) {
  const context = usePageContext()
  const client = useQueryClient()
  const [last, setLast] = useState<Outcome | null>(null)
  const [shownId, setShownId] = useState<string>()
  const live = useUnreported(openAction(last, actions), (id) => id === shownId)
  const refreshAfter = (id: OperationId) => {
    void invalidate(client, staleAfter(context.environment, id))
    onChanged?.()
  }
  const refresh = () => refreshAfter(operation)
  const setOutcome = (outcome: Outcome | null) => {
    setLast(outcome)
    // The list is reconciled after a failure as well: only a reading tells what is there. Without a session the server would lead to the
    // sign-in page instead, with another person's it would draw theirs, and what was typed would be gone.
    const code = outcome?.error?.code
    if (outcome && code !== 'unauthenticated' && code !== 'other_person') onChanged?.()
  }
  const settle = (action: ActionView) => {
    setLast({ operation: action.operation, action, done: last?.action?.id === action.id ? last.done : undefined })
    setShownId(action.id)
    refreshAfter(action.operation)
  }
  const signedIn = () => {
    setLast(null)
    refresh()
  }
  return { outcome: withLatest(last, actions), live, setOutcome, settle, refresh, signedIn }
}

const noHistory: Happened['history'] = []

/**
 * What tells who changed a record since it came on the screen: what was done with it, and its history where the service keeps one. `readAt` (ISO) is
 * when it was read; the first reading counts, because what followed it is what the reader did not see.
 */
export function useHappened(readAt: string | undefined, actions: readonly ActionView[], history = noHistory): Happened {
  return { history, actions, since: useOpenedAt(readAt) }
}

/**
 * When a record was first shown (milliseconds): when the service was asked for it, or, where it came from the mirror, now. What the service then says otherwise is
 * listed at its head.
 */
export function useOpenedAt(readAt: string | undefined): number {
  const wait = use(WaitContext)
  const [openedAt] = useState(() => (wait ? null : timeOf(readAt)) ?? Date.now())
  return openedAt
}
