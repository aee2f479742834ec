'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import type { useDraftForm } from '@/components/kits/form/use-draft-form'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { createStaleReadsFilter, invalidateReads } from '@/lib/client/query/client'
import { pendingCreationsQuery } from '@/lib/client/query/reads'
import type { ActionView } from '@/lib/operations/answer'
import {
  getAccountHeaderRule,
  getServiceOperation,
  type WriteId,
} from '@/lib/operations/service-operations'
import { targetPath } from '@/lib/routes'
import { isOpenAction, type Outcome, useOpenOrUnreportedAction, type useOutcome } from './outcome'
import { OutcomePanel } from './outcome-panel'

/** While there is an earlier action, or Paydesk checks for one, `disabledReason` is not null. */
type EarlierRequestState = {
  action: ActionView | undefined
  disabledReason: string | null
  /**
   * Hides the earlier request, after the person has declared that the form is for a different one.
   * If the draft has the same idempotency key as that request, it gets a new one.
   */
  ignore: () => void
  /** Hides an action once the form shows its outcome. */
  forget: (id: string) => void
}

/**
 * Returns the person's own creation request that is still in progress. After a reload the form has
 * a new idempotency key, so sending it could create a second object.
 */
function useEarlierRequest({
  operation,
  account,
  draft,
  state,
  isElsewhere,
}: FormOutcomeOptions): EarlierRequestState {
  const { environment, integration } = usePageContext()
  const { path, verbPhrase, credential } = getServiceOperation(operation)
  const needsAccount = getAccountHeaderRule(operation, integration) === 'required'
  const [ignoredIds, setForgotten] = useState<readonly string[]>([])
  // Only creations (their path has no `:id`) look for an earlier request in progress. The page of
  // an existing object allows one action at a time. An operation with `credential` creates only a
  // temporary token for a hosted page.
  const isCreationCheckNeeded =
    !isElsewhere && !path.includes(':') && !credential && (!needsAccount || account !== null)
  const creationCheckQuery = useQuery({
    ...pendingCreationsQuery({ environment, account }, operation),
    enabled: isCreationCheckNeeded,
    staleTime: 0,
    refetchInterval: ({ state: { error } }) => (error ? 5000 : false),
  })
  const isShownOrIgnored = (id: string) =>
    id === state.outcome?.action?.id || ignoredIds.includes(id)
  const earlierAction = useOpenOrUnreportedAction(
    creationCheckQuery.data?.data.find((each) => isOpenAction(each) && !isShownOrIgnored(each.id)),
    isShownOrIgnored,
  )
  const ignoreAction = (id: string) => setForgotten([...ignoredIds, id])
  const ignoreEarlierRequest = () => {
    if (!earlierAction) return
    if (earlierAction.idempotency_key === draft.key) draft.renew()
    ignoreAction(earlierAction.id)
  }
  if (earlierAction)
    return {
      action: earlierAction,
      ignore: ignoreEarlierRequest,
      forget: ignoreAction,
      disabledReason: `Your earlier request to ${verbPhrase} is still in progress.`,
    }
  return {
    action: earlierAction,
    ignore: ignoreEarlierRequest,
    forget: ignoreAction,
    disabledReason:
      isCreationCheckNeeded && !creationCheckQuery.data
        ? formatCreationCheckReason(creationCheckQuery.isError)
        : null,
  }
}

const formatCreationCheckReason = (hasCheckFailed: boolean) =>
  hasCheckFailed
    ? 'Paydesk could not check for an earlier unfinished request. The check repeats automatically.'
    : 'Checking for an earlier unfinished request…'

const LiveAction = lazy(() =>
  import('./live-action').then((module) => ({ default: module.LiveAction })),
)

type FormOutcomeOptions = {
  operation: WriteId
  account: string | null
  draft: Pick<ReturnType<typeof useDraftForm>, 'key' | 'renew' | 'startOver' | 'drop'>
  state: Pick<ReturnType<typeof useOutcome>, 'outcome' | 'setOutcome' | 'signedIn'>
  /** True if the outcome is shown outside of the form, as in the action area of a record. */
  isElsewhere: boolean
  /** Called with the object's id if an action is applied after the form had shown it as open. */
  onMade?: ((id: string) => void) | undefined
}

/**
 * Returns the view of the form's outcome, or of an earlier action of the same operation that is
 * still in progress. While the view shows an open action, the form is closed, and `disabledReason`
 * is the reason. Otherwise it is null.
 */
export function useFormOutcome(options: FormOutcomeOptions): {
  disabledReason: string | null
  view: ReactNode
} {
  const { account, draft, state, isElsewhere } = options
  const { outcome } = state
  const [settledOutcome, setSettled] = useState<Outcome | null>(null)
  const ownOpenAction = getOpenActionOfOutcome(outcome)
  const earlierRequest = useEarlierRequest(options)
  const handleSettledAction = useSettledActionHandler(options)
  const showSettledAction = (action: ActionView) => {
    state.setOutcome(null)
    earlierRequest.forget(action.id)
    setSettled({ operation: action.operation, action })
    handleSettledAction(action)
  }
  const dismissOutcome = () => {
    setSettled(null)
    state.setOutcome(null)
  }
  const startNewRequest = () => {
    draft.startOver()
    dismissOutcome()
  }
  if (isElsewhere) return { disabledReason: null, view: null }
  const shownOpenAction = ownOpenAction ?? earlierRequest.action
  const outcomePanels = (
    <Boundary fallback={<Skeleton className="h-24" />}>
      {shownOpenAction && (
        <LiveAction
          key={shownOpenAction.id}
          action={shownOpenAction}
          onSettled={showSettledAction}
        />
      )}
      {earlierRequest.action && !ownOpenAction && (
        <StartDifferentRequestButton onIgnore={earlierRequest.ignore} />
      )}
      <FormOutcomePanel
        outcome={ownOpenAction ? null : (outcome ?? settledOutcome)}
        account={account}
        onStartOver={startNewRequest}
        onSignedIn={state.signedIn}
        onDismiss={dismissOutcome}
      />
    </Boundary>
  )
  return {
    disabledReason: ownOpenAction
      ? explainOpenAction(ownOpenAction)
      : earlierRequest.disabledReason,
    view: outcomePanels,
  }
}

const getOpenActionOfOutcome = (outcome: Outcome | null) =>
  outcome?.action && isOpenAction(outcome.action) ? outcome.action : undefined

const explainOpenAction = ({ own, actor, operation }: ActionView) =>
  `${own ? 'You' : actor} asked to ${getServiceOperation(operation).verbPhrase}, and that is still in progress.`

/**
 * Returns a function for an action that the form had shown as open and that has now settled. It
 * refreshes reads and updates the draft, as the form does after a response with a known outcome.
 */
function useSettledActionHandler({
  draft,
  onMade,
}: FormOutcomeOptions): (action: ActionView) => void {
  const { environment } = usePageContext()
  const client = useQueryClient()
  return ({ operation, idempotency_key, state, target }) => {
    void invalidateReads(client, createStaleReadsFilter(environment, operation))
    // The action of another form must not change this form's draft.
    if (idempotency_key !== draft.key) return
    if (state !== 'applied') return void draft.renew()
    draft.drop()
    if (target) onMade?.(target.slice(target.indexOf('/') + 1))
  }
}

const StartDifferentRequestButton = ({ onIgnore }: { onIgnore: () => void }) => (
  <p className="flex flex-wrap items-center gap-2 text-ink-2 text-xs">
    This form is closed so that nothing is created twice.
    <Button size="small" onClick={onIgnore}>
      This is a different request: open the form
    </Button>
  </p>
)

type FormOutcomePanelProps = {
  outcome: Outcome | null
  account: string | null
  onStartOver: () => void
  onSignedIn: () => void
  onDismiss: () => void
}

function FormOutcomePanel({ outcome, account, ...panel }: FormOutcomePanelProps) {
  const context = usePageContext()
  if (!outcome) return null
  const { action } = outcome
  const actionTargetPath =
    action?.state === 'applied' ? targetPath(context, action.target, { account }) : null
  const targetLink = actionTargetPath && (
    <Link href={actionTargetPath} className="text-accent hover:underline">
      Open it
    </Link>
  )
  return <OutcomePanel outcome={outcome} {...panel} actions={targetLink} />
}
