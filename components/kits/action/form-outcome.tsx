'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import type { useDraftForm } from '@/components/kits/form/use-draft-form'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { invalidateReads, staleReadsFilter } from '@/lib/client/query/client'
import { pendingCreationsQuery } from '@/lib/client/query/reads'
import type { ActionView } from '@/lib/operations/answer'
import { serviceOperation, type WriteId } from '@/lib/operations/service-operations'
import { targetPath } from '@/lib/routes'
import { isOpenAction, type Outcome, type useOutcome, useUnreportedAction } from './outcome'
import { OutcomePanel } from './outcome-panel'

/** An unsettled earlier action of the same operation, and the reason the form is closed because of it. */
type EarlierRequest = {
  action: ActionView | undefined
  disabledReason: string | null
  /**
   * Hides the earlier action after the person confirms that this form is a different request. Renews the draft's key if both have the same.
   */
  ignore: () => void
  /** Hides an action whose outcome is already shown. */
  forget: (id: string) => void
}

/**
 * Returns the person's own unsettled request to create an object of the same kind. After a reload the form is empty and has a new key, so
 * sending it could create a second object. Disabled if the outcome is shown elsewhere (`isElsewhere`).
 */
function useEarlierRequest({ operation, account, draft, state, isElsewhere }: FormOutcomeOptions): EarlierRequest {
  const { environment } = usePageContext()
  const { path, scope, verbPhrase, credential } = serviceOperation(operation)
  const [ignoredIds, setForgotten] = useState<readonly string[]>([])
  // Only creations need this check. A write to an existing object is shown on the object's page, which allows one action at a time. The
  // token of a hosted page (`credential`) creates nothing permanent.
  const isCheckNeeded = !isElsewhere && !path.includes(':') && !credential && (scope !== 'required' || account !== null)
  const query = useQuery({
    ...pendingCreationsQuery({ environment, account }, operation),
    enabled: isCheckNeeded,
    staleTime: 0,
    refetchInterval: ({ state: { error } }) => (error ? 5000 : false),
  })
  const isShownElsewhere = (id: string) => id === state.outcome?.action?.id || ignoredIds.includes(id)
  const action = useUnreportedAction(
    query.data?.data.find((each) => isOpenAction(each) && !isShownElsewhere(each.id)),
    isShownElsewhere,
  )
  const hideAction = (id: string) => setForgotten([...ignoredIds, id])
  const ignoreEarlierRequest = () => {
    if (!action) return
    if (action.idempotency_key === draft.key) draft.renew()
    hideAction(action.id)
  }
  if (action)
    return {
      action,
      ignore: ignoreEarlierRequest,
      forget: hideAction,
      disabledReason: `Your earlier request to ${verbPhrase} is still in progress.`,
    }
  return {
    action,
    ignore: ignoreEarlierRequest,
    forget: hideAction,
    disabledReason: isCheckNeeded && !query.data ? formatCheckingReason(query.isError) : null,
  }
}

const formatCheckingReason = (failed: boolean) =>
  failed ? 'Paydesk could not check for an earlier open request. The check repeats automatically.' : 'Checking for an earlier open request.'

const LiveAction = lazy(() => import('./live-action').then((module) => ({ default: module.LiveAction })))

type FormOutcomeOptions = {
  operation: WriteId
  account: string | null
  draft: Pick<ReturnType<typeof useDraftForm>, 'key' | 'renew' | 'startOver' | 'drop'>
  state: Pick<ReturnType<typeof useOutcome>, 'outcome' | 'setOutcome' | 'signedIn'>
  /** True if the outcome is shown outside of the form, for example in the action area of a record. */
  isElsewhere: boolean
  /** Called with the object's id if an open action of this form is applied later. */
  onMade?: ((id: string) => void) | undefined
}

/**
 * Returns the view of the form's outcome and of an unsettled earlier action of the same operation. `disabledReason` is the reason the form
 * is closed while one of them is open; null if the form is open.
 */
export function useFormOutcome(options: FormOutcomeOptions): { disabledReason: string | null; view: ReactNode } {
  const { account, draft, state, isElsewhere } = options
  const { outcome } = state
  const [settled, setSettled] = useState<Outcome | null>(null)
  const openOwnAction = getOpenAction(outcome)
  const earlier = useEarlierRequest(options)
  const finish = useFinishAction(options)
  const showSettled = (action: ActionView) => {
    state.setOutcome(null)
    earlier.forget(action.id)
    setSettled({ operation: action.operation, action })
    finish(action)
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
  const openActionToShow = openOwnAction ?? earlier.action
  const outcomeView = (
    <Boundary fallback={<Skeleton className="h-24" />}>
      {openActionToShow && <LiveAction key={openActionToShow.id} action={openActionToShow} onSettled={showSettled} />}
      {earlier.action && !openOwnAction && <DifferentRequestButton onIgnore={earlier.ignore} />}
      <FormOutcomePanel
        outcome={openOwnAction ? null : (outcome ?? settled)}
        account={account}
        onStartOver={startNewRequest}
        onSignedIn={state.signedIn}
        onDismiss={dismissOutcome}
      />
    </Boundary>
  )
  return { disabledReason: openOwnAction ? explainOpenAction(openOwnAction) : earlier.disabledReason, view: outcomeView }
}

const getOpenAction = (outcome: Outcome | null) => (outcome?.action && isOpenAction(outcome.action) ? outcome.action : undefined)

const explainOpenAction = ({ own, actor, operation }: ActionView) =>
  `${own ? 'You' : actor} asked to ${serviceOperation(operation).verbPhrase}, and that is still in progress.`

/** Returns the handler of an action that settled late. It does what a response in time does: invalidate, drop the draft, call `onMade`. */
function useFinishAction({ draft, onMade }: FormOutcomeOptions): (action: ActionView) => void {
  const { environment } = usePageContext()
  const client = useQueryClient()
  return ({ operation, idempotency_key, state, target }) => {
    void invalidateReads(client, staleReadsFilter(environment, operation))
    // The action of another form must not change this form's draft.
    if (idempotency_key !== draft.key) return
    if (state !== 'applied') return void draft.renew()
    draft.drop()
    if (target) onMade?.(target.slice(target.indexOf('/') + 1))
  }
}

/** A button that opens the form again, for an earlier request that was a different one. */
const DifferentRequestButton = ({ onIgnore }: { onIgnore: () => void }) => (
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
  const path = action?.state === 'applied' ? targetPath(context, action.target, { account }) : null
  const link = path && (
    <Link href={path} className="text-accent hover:underline">
      Open it
    </Link>
  )
  return <OutcomePanel outcome={outcome} {...panel} actions={link} />
}
