'use client'

import { useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PendingRecordContext } from '@/components/kits/unreadable/unreadable-fields'
import { createStaleReadsFilter, invalidateReads } from '@/lib/client/query/client'
import { parseTime } from '@/lib/dates'
import type { ChangeSources } from '@/lib/domain/latest-change'
import type { ErrorCode, WireError } from '@/lib/errors'
import { type ActionView, openActionStates } from '@/lib/operations/answer'
import type { OperationId } from '@/lib/operations/operations'
import type { WriteId } from '@/lib/operations/service-operations'

export type Outcome = {
  operation: ActionView['operation']
  action?: ActionView
  error?: Pick<WireError, 'code' | 'title' | 'detail' | 'items'> & {
    requestId?: string
    local?: boolean
  }
  replayed?: boolean
  /** The success title, for an operation with several uses, such as verify and reject. */
  done?: string | undefined
}

const uncertainRefusalCodes: readonly ErrorCode[] = [
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

/**
 * True if the error proves that the write was not executed. The next request then needs a new
 * idempotency key. After any other error the key is kept, because a new one could execute the write
 * twice.
 */
export const isCertainRefusal = (code: ErrorCode): boolean => !uncertainRefusalCodes.includes(code)

export const isOpenAction = ({ state }: Pick<ActionView, 'state'>): boolean =>
  state === 'awaiting_approval' || openActionStates.includes(state)

/** Replaces the outcome's open action with its settled version from the action log (`actions`). */
export function replaceSettledAction(
  outcome: Outcome | null,
  actions: readonly ActionView[],
): Outcome | null {
  const actionOfOutcome = outcome?.action
  if (
    !outcome ||
    !actionOfOutcome ||
    !isOpenAction(actionOfOutcome) ||
    outcome.error?.code === 'action_open'
  )
    return outcome
  const refreshedAction = actions.find((action) => action.id === actionOfOutcome.id)
  return refreshedAction && !isOpenAction(refreshedAction)
    ? { operation: outcome.operation, action: refreshedAction, done: outcome.done }
    : outcome
}

/**
 * Returns the open action of the action log. The log may not list the person's last write yet; if
 * the log has no open action, returns the open action of that write.
 */
export function findOpenAction(
  outcome: Outcome | null,
  actions: readonly ActionView[],
): ActionView | undefined {
  const listedAction = actions.find(isOpenAction)
  const outcomeAction = outcome?.action
  if (listedAction || !outcomeAction || !isOpenAction(outcomeAction)) return listedAction
  return actions.some((action) => action.id === outcomeAction.id) ? undefined : outcomeAction
}

/**
 * Returns the open action. After it has settled, keeps returning it until `isShown` is true for its
 * id: the action log may list it as settled before `LiveAction` reports the outcome, and without
 * the action `LiveAction` would unmount.
 */
export function useOpenOrUnreportedAction(
  openAction: ActionView | undefined,
  isShown: (id: string) => boolean,
): ActionView | undefined {
  const [lastOpenAction, setLastOpen] = useState(openAction)
  if (openAction && openAction.id !== lastOpenAction?.id) setLastOpen(openAction)
  if (openAction || !lastOpenAction) return openAction
  return isShown(lastOpenAction.id) ? undefined : lastOpenAction
}

type UseOutcomeOptions = {
  actions: readonly ActionView[]
  /** `refresh` invalidates the queries that a write of this operation makes stale. */
  operation: WriteId
  /** Called when the object may have changed, for example to refetch the list beside its record. */
  onChanged?: () => void
}

/** Returns the last outcome and the open action, both updated from the action log (`actions`). */
export function useOutcome({ actions, operation, onChanged }: UseOutcomeOptions) {
  const context = usePageContext()
  const client = useQueryClient()
  const [lastOutcome, setLastOutcome] = useState<Outcome | null>(null)
  const [shownId, setShownId] = useState<string>()
  const unreportedAction = useOpenOrUnreportedAction(
    findOpenAction(lastOutcome, actions),
    (id) => id === shownId,
  )
  const refreshReadsAfter = (operationId: OperationId) => {
    void invalidateReads(client, createStaleReadsFilter(context.environment, operationId))
    onChanged?.()
  }
  const refreshStaleReads = () => refreshReadsAfter(operation)
  const setOutcome = (outcome: Outcome | null) => {
    setLastOutcome(outcome)
    // `onChanged` is also called after an error, because only a new read shows the current state.
    // The two exceptions would lose the person's entries: without a session the server redirects to
    // sign-in, and with another person's session it renders that person's page.
    const errorCode = outcome?.error?.code
    if (outcome && errorCode !== 'unauthenticated' && errorCode !== 'other_person') onChanged?.()
  }
  const showSettledAction = (action: ActionView) => {
    setLastOutcome({
      operation: action.operation,
      action,
      done: lastOutcome?.action?.id === action.id ? lastOutcome.done : undefined,
    })
    setShownId(action.id)
    refreshReadsAfter(action.operation)
  }
  const handleSignedIn = () => {
    setLastOutcome(null)
    refreshStaleReads()
  }
  return {
    outcome: replaceSettledAction(lastOutcome, actions),
    live: unreportedAction,
    setOutcome,
    settle: showSettledAction,
    refresh: refreshStaleReads,
    signedIn: handleSignedIn,
  }
}

const noHistory: ChangeSources['history'] = []

/**
 * Returns the sources in which a change of the record and its author are found. `since` is when the
 * person opened the record: earlier changes do not count. `readAt` (ISO) is when the service
 * returned the record.
 */
export function useRecordChangeSources(
  readAt: string | undefined,
  actions: readonly ActionView[],
  history = noHistory,
): ChangeSources {
  return { history, actions, since: useRecordOpenedAt(readAt) }
}

/**
 * Milliseconds: the time of the read from the service, or now if the record came from Paydesk's
 * stored copy. Later reads do not change the result.
 */
export function useRecordOpenedAt(readAt: string | undefined): number {
  const pendingRecord = use(PendingRecordContext)
  const [openedAt] = useState(() => (pendingRecord ? null : parseTime(readAt)) ?? Date.now())
  return openedAt
}
