'use client'

import { lazy } from 'react'
import type { NextQueueRecord } from '@/components/kits/queue/next-context'
import { deleteDraft } from '@/lib/client/drafts'
import type { ChangeSources } from '@/lib/domain/latest-change'
import type { ActionView } from '@/lib/operations/answer'
import { type ActionChoice, getDraftName } from './action-choices'
import type { useOutcome } from './outcome'
import { renewStoredDraftKey } from './write-draft'

const OutcomePanel = lazy(() =>
  import('./outcome-panel').then((module) => ({ default: module.OutcomePanel })),
)
const NextRecordButton = lazy(() =>
  import('./outcome-panel').then((module) => ({ default: module.NextRecordButton })),
)
const LiveAction = lazy(() =>
  import('./live-action').then((module) => ({ default: module.LiveAction })),
)

type LatestActionProps<N extends string> = {
  /** The record's id. Drafts are stored under it. */
  id: string
  choices: readonly ActionChoice<N>[]
  state: Pick<
    ReturnType<typeof useOutcome>,
    'outcome' | 'live' | 'setOutcome' | 'settle' | 'signedIn'
  >
  onOpen: (name: N | null) => void
  /** The record's current state as text. */
  now: string
  /** The record's history and actions, from which the author of a change is found. */
  happened?: ChangeSources
  /** The next record of the queue; null if none is offered. */
  nextStep: NextQueueRecord | null
  onStartOver: () => void
}

/** Shows the open action or, if none is open, the last outcome. */
export function LatestAction<N extends string>(props: LatestActionProps<N>) {
  const { state, now, happened, nextStep, onStartOver } = props
  const { outcome, live, setOutcome, signedIn } = state
  return (
    <>
      {live && (
        <LiveAction
          key={live.id}
          action={live}
          onSettled={(action) => handleSettledAction(props, action)}
        />
      )}
      {live && nextStep && <NextRecordButton next={nextStep} />}
      {!live && outcome && (
        <OutcomePanel
          outcome={outcome}
          now={now}
          happened={happened}
          actions={nextStep && <NextRecordButton next={nextStep} />}
          onStartOver={onStartOver}
          onSignedIn={signedIn}
          onDismiss={() => setOutcome(null)}
        />
      )}
    </>
  )
}

/**
 * Handles an open action whose outcome became known while it was shown. If the action was applied,
 * deletes its draft. Otherwise gives the draft a new idempotency key, so that the next request is a
 * new one.
 */
function handleSettledAction<N extends string>(
  { id, onOpen, choices, state }: LatestActionProps<N>,
  action: ActionView,
) {
  const matchingChoices = action.own
    ? choices.filter(({ operation }) => operation === action.operation)
    : []
  for (const choice of matchingChoices) {
    if (action.state === 'applied') deleteDraft(getDraftName(id, choice))
    else renewStoredDraftKey(getDraftName(id, choice))
  }
  if (matchingChoices.length > 0 && action.state === 'applied') onOpen(null)
  state.settle(action)
}
