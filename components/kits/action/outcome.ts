'use client'

import { useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PendingRecordContext } from '@/components/kits/unreadable/unreadable-fields'
import { invalidateReads, staleReadsFilter } from '@/lib/client/query/client'
import { parseTime } from '@/lib/dates'
import type { ChangeSources } from '@/lib/domain/latest-change'
import type { ErrorCode, WireError } from '@/lib/errors'
import { type ActionView, openStates } from '@/lib/operations/answer'
import type { OperationId } from '@/lib/operations/operations'
import type { WriteId } from '@/lib/operations/service-operations'

export type Outcome = {
  operation: ActionView['operation']
  action?: ActionView
  error?: Pick<WireError, 'code' | 'title' | 'detail' | 'items'> & { requestId?: string; local?: boolean }
  replayed?: boolean
  /** The success title, for an operation with several uses, such as verify and reject. */
  done?: string | undefined
}

const unclearCodes: readonly ErrorCode[] = [
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
  // The write was applied. A new key would apply it again.
  'answer_not_kept',
]

/** True if the write was certainly refused, so the next request needs a new key. After any other error the key is kept. */
export const isCertainRefusal = (code: ErrorCode): boolean => !unclearCodes.includes(code)

/** True if an action has no outcome yet or awaits approval. */
export const isOpenAction = ({ state }: Pick<ActionView, 'state'>): boolean => state === 'awaiting_approval' || openStates.includes(state)

/** Returns the outcome, with its open action replaced by the settled version from the action log (`actions`), if there is one. */
export function withLatestAction(outcome: Outcome | null, actions: readonly ActionView[]): Outcome | null {
  const openOutcomeAction = outcome?.action
  if (!outcome || !openOutcomeAction || !isOpenAction(openOutcomeAction) || outcome.error?.code === 'action_open') return outcome
  const latest = actions.find((action) => action.id === openOutcomeAction.id)
  return latest && !isOpenAction(latest) ? { operation: outcome.operation, action: latest, done: outcome.done } : outcome
}

/** Returns the open action on this object: from the action log, or from the last write if the log does not list it yet. */
export function findOpenAction(outcome: Outcome | null, actions: readonly ActionView[]): ActionView | undefined {
  const listedAction = actions.find(isOpenAction)
  const outcomeAction = outcome?.action
  if (listedAction || !outcomeAction || !isOpenAction(outcomeAction)) return listedAction
  return actions.some((action) => action.id === outcomeAction.id) ? undefined : outcomeAction
}

/**
 * Returns the open action. After it settled, returns it until its outcome is shown (`isShown`): the refetched action log may list it as
 * settled before `LiveAction` has reported the outcome. Without this, `LiveAction` would unmount and the outcome would never appear.
 */
export function useUnreportedAction(open: ActionView | undefined, isShown: (id: string) => boolean): ActionView | undefined {
  const [lastOpen, setLastOpen] = useState(open)
  if (open && open.id !== lastOpen?.id) setLastOpen(open)
  if (open || !lastOpen) return open
  return isShown(lastOpen.id) ? undefined : lastOpen
}

type UseOutcomeOptions = {
  actions: readonly ActionView[]
  /** The operation whose stale reads `refresh` invalidates. */
  operation: WriteId
  /** Called when the object may have changed, for example to refetch the list beside its record. */
  onChanged?: () => void
}

/** Returns the outcome of the last write and the open action. Both are updated from the action log. */
export function useOutcome({ actions, operation, onChanged }: UseOutcomeOptions) {
  const context = usePageContext()
  const client = useQueryClient()
  const [lastOutcome, setLastOutcome] = useState<Outcome | null>(null)
  const [shownId, setShownId] = useState<string>()
  const unreportedAction = useUnreportedAction(findOpenAction(lastOutcome, actions), (id) => id === shownId)
  const refreshAfter = (id: OperationId) => {
    void invalidateReads(client, staleReadsFilter(context.environment, id))
    onChanged?.()
  }
  const refresh = () => refreshAfter(operation)
  const setOutcome = (outcome: Outcome | null) => {
    setLastOutcome(outcome)
    // The list is refetched after an error too, because only a read shows the current state. The two exceptions would lose the person's
    // entries: without a session the server redirects to sign-in, with another person's session it renders that person's page.
    const code = outcome?.error?.code
    if (outcome && code !== 'unauthenticated' && code !== 'other_person') onChanged?.()
  }
  const showSettledAction = (action: ActionView) => {
    setLastOutcome({ operation: action.operation, action, done: lastOutcome?.action?.id === action.id ? lastOutcome.done : undefined })
    setShownId(action.id)
    refreshAfter(action.operation)
  }
  const handleSignedIn = () => {
    setLastOutcome(null)
    refresh()
  }
  return {
    outcome: withLatestAction(lastOutcome, actions),
    live: unreportedAction,
    setOutcome,
    settle: showSettledAction,
    refresh,
    signedIn: handleSignedIn,
  }
}

const noHistory: ChangeSources['history'] = []

/**
 * Returns the history and actions from which the author of a change is found, and the time from which changes count (`useOpenedAt`).
 * `readAt` (ISO) is the time of the read.
 */
export function useChangeSources(readAt: string | undefined, actions: readonly ActionView[], history = noHistory): ChangeSources {
  return { history, actions, since: useOpenedAt(readAt) }
}

/**
 * Returns when a record was first shown, in milliseconds: the time of the service's read (`readAt`, ISO), or now if the record came from
 * the mirror. Later reads do not change it. Differences between mirror and service are listed in the record's header.
 */
export function useOpenedAt(readAt: string | undefined): number {
  const pendingRecord = use(PendingRecordContext)
  const [openedAt] = useState(() => (pendingRecord ? null : parseTime(readAt)) ?? Date.now())
  return openedAt
}
