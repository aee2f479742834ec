'use client'

import { lazy, type ReactNode, use, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { NextQueueRecordContext, useNextQueueRecord } from '@/components/kits/queue/next-context'
import { PendingRecordContext } from '@/components/kits/unreadable/unreadable-fields'
import { Boundary } from '@/components/ui/boundary'
import { Skeleton } from '@/components/ui/skeleton'
import type { ChangeSources } from '@/lib/domain/latest-change'
import type { ActionView } from '@/lib/operations/answer'
import type { ClaimableResource } from '@/lib/operations/claims'
import type { WriteId } from '@/lib/operations/service-operations'
import {
  ActionButtons,
  type ActionChoice,
  getChoiceName,
  getDraftName,
  getDraftTarget,
  useChoiceShortcuts,
} from './action-choices'
import { LatestAction } from './latest-action'
import type { Outcome, useOutcome } from './outcome'
import { renewStoredDraftKey } from './write-draft'

// The next two components are optional: the notice about a changed record, and the claim, which
// shows who works on the record. If their script fails to load, nothing is rendered in their place.
const createEmptyModule = () => ({ default: () => null })
const RecordChangedNotice = lazy(() =>
  import('./outcome-panel').then(
    (module) => ({ default: module.RecordChangedNotice }),
    createEmptyModule,
  ),
)
const ClaimLine = lazy(() =>
  import('@/components/kits/queue/claims').then(
    (module) => ({ default: module.ClaimLine }),
    createEmptyModule,
  ),
)

/** `target` identifies the record and the choice in the name of the form's draft. */
export type OpenedFormProps<N extends string = WriteId> = {
  operation: WriteId
  name: N
  target: string
  disabledReason: string | null
  onOutcome: (outcome: Outcome | null) => void
  onBack: () => void
}

type ActionAreaProps<N extends string> = {
  /** The record's id. Drafts are stored under it. */
  id: string
  label?: string
  /**
   * The kind of record under which the record can be claimed. A claim shows who works on the
   * record. Undefined if the record does not wait for a decision.
   */
  claimed?: ClaimableResource | undefined
  choices: readonly ActionChoice<N>[]
  state: Pick<
    ReturnType<typeof useOutcome>,
    'outcome' | 'live' | 'setOutcome' | 'settle' | 'signedIn' | 'refresh'
  >
  open: N | null
  onOpen: (name: N | null) => void
  /**
   * The record's current state as text. It is shown if the record changed while a form was open,
   * and if an action was refused because of such a change.
   */
  now: string
  /**
   * The record's history and actions, from which the author of a change is found. If undefined,
   * changes are not reported.
   */
  happened?: ChangeSources
  /** Renders the form of an action. Load the form lazily. */
  form: (open: OpenedFormProps<N>) => ReactNode
  /** Content after the outcome, for example the next step. */
  after?: ReactNode
}

/**
 * Returns the outcome after which the queue offers its next record, or null. An action that awaits
 * approval counts as an outcome. Any other open action does not, because its result is unknown.
 */
function toOutcomeForQueue(
  openAction: ActionView | null | undefined,
  outcome: Outcome | null,
): Outcome | null {
  if (openAction?.state === 'awaiting_approval')
    return { operation: openAction.operation, action: openAction }
  return openAction ? null : outcome
}

/**
 * The action bar of a record: its buttons, the open form and the last outcome. It is sticky at the
 * bottom of the page.
 */
export function ActionArea<N extends string = WriteId>(props: ActionAreaProps<N>) {
  const { id, label = 'Decision', claimed, choices, state, onOpen, after } = props
  const pendingRecord = use(PendingRecordContext)
  // While the page shows only Paydesk's stored copy of the record, no form opens, even if a link
  // requests it. A decision must depend on the service's current response.
  const activeChoiceName = pendingRecord ? null : props.open
  const { outcome, live, setOutcome } = state
  const openChoice = (choice: ActionChoice<N>) => {
    setOutcome(null)
    if (choice.press) choice.press()
    else onOpen(getChoiceName(choice))
  }
  useChoiceShortcuts(label, choices, openChoice)
  const [isExpanded, setIsExpanded] = useState(false)
  // Part of the form's React key. Incremented when the person starts over with a new idempotency
  // key, so that the form remounts.
  const [formVersion, setFormVersion] = useState(0)
  const startOverWithNewKey = () => {
    const openedChoice = choices.find((choice) => getChoiceName(choice) === activeChoiceName)
    if (openedChoice) renewStoredDraftKey(getDraftName(id, openedChoice))
    setOutcome(null)
    setFormVersion(formVersion + 1)
  }
  const nextQueueRecord = useNextQueueRecord(
    id,
    toOutcomeForQueue(live, outcome),
    activeChoiceName !== null || outcome !== null,
  )
  // The record's claim is shown if the record was opened from a queue or if a form is open.
  const isClaimShown = use(NextQueueRecordContext) !== null || activeChoiceName !== null
  const areaRef = useRef<HTMLElement>(null)
  const closeForm = () => {
    flushSync(() => onOpen(null))
    // `flushSync` has replaced the form by the action buttons. The button that opened the form
    // exists again and takes the focus.
    areaRef.current
      ?.querySelector<HTMLElement>(`[data-choice="${activeChoiceName}"] button`)
      ?.focus()
  }
  const isFormOpen = !live && activeChoiceName !== null
  // The key keeps the claim mounted when it changes places with the buttons. An unmount would give
  // the claim back.
  const claimLine = claimed && isClaimShown && (
    <Boundary key="claim" fallback={null}>
      <ClaimLine
        resource={claimed}
        id={id}
        deciding={activeChoiceName !== null}
        onEnded={state.refresh}
      />
    </Boundary>
  )
  return (
    <section
      ref={areaRef}
      aria-label={label}
      data-deciding={isFormOpen || undefined}
      className="sticky bottom-0 z-10 grid max-h-[50dvh] grid-cols-1 content-start gap-3 overflow-y-auto border-line border-t bg-surface px-4 py-2.5 lg:px-6 print:hidden"
    >
      <Boundary fallback={<Skeleton className="h-24" />}>
        <LatestAction {...props} nextStep={nextQueueRecord} onStartOver={startOverWithNewKey} />
        {after}
        {isFormOpen ? (
          <div key="decision" className="grid grid-cols-1 gap-3">
            {claimLine}
            <OpenActionForm
              key={`${activeChoiceName} ${formVersion}`}
              {...props}
              open={activeChoiceName}
              onBack={closeForm}
            />
          </div>
        ) : (
          <div key="decision" className="flex flex-wrap items-start gap-2">
            <ActionButtons
              key="buttons"
              id={id}
              choices={choices}
              onChoose={openChoice}
              expanded={isExpanded}
              onExpand={setIsExpanded}
            />
            {claimLine}
          </div>
        )}
      </Boundary>
    </section>
  )
}

type OpenActionFormProps<N extends string> = ActionAreaProps<N> & { onBack: () => void }

function OpenActionForm<N extends string>({
  id,
  choices,
  form,
  open,
  onOpen,
  onBack,
  state,
  now,
  happened,
}: OpenActionFormProps<N>) {
  const choice = choices.find((each) => getChoiceName(each) === open)
  const handleOutcome = (newOutcome: Outcome | null) => {
    if (newOutcome && !newOutcome.error) onOpen(null)
    state.setOutcome(newOutcome && { ...newOutcome, done: choice?.done })
  }
  if (!choice) return null
  const { operation, disabledReason } = choice
  return (
    <>
      {happened && !state.outcome && (
        <Boundary fallback={null}>
          <RecordChangedNotice happened={happened} now={now} />
        </Boundary>
      )}
      {form({
        operation,
        name: getChoiceName(choice),
        target: getDraftTarget(id, choice),
        disabledReason,
        onOutcome: handleOutcome,
        onBack,
      })}
    </>
  )
}
