'use client'

import { lazy, Suspense, useState } from 'react'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { Skeleton } from '@/components/ui/skeleton'
import type { Decision } from '@/lib/domain/decision-reasons'
import { statusWords } from '@/lib/domain/status'
import type { ActionView } from '@/lib/operations/answer'
import type { Payout } from '@/lib/operations/payouts.schema'
import { dropDecision, renewKey } from './decision-draft'
import { decisionWords } from './decision-words'
import type { Outcome } from './outcome'
import type { ClosedReasons } from './use-closed-reasons'

const DecisionForm = lazy(() => import('./decision-form').then((module) => ({ default: module.DecisionForm })))
const OutcomePanel = lazy(() => import('./outcome-panel').then((module) => ({ default: module.OutcomePanel })))
const LiveAction = lazy(() => import('./live-action').then((module) => ({ default: module.LiveAction })))

const decisions: readonly Decision[] = ['release', 'hold', 'cancel']

type DecisionAreaProps = {
  payout: Payout
  account: string | null
  snapshot: string | undefined
  correlationId: string
  cautions: readonly string[]
  closed: ClosedReasons
  live: ActionView | undefined
  outcome: Outcome | null
  open: Decision | null
  onOpen: (decision: Decision | null) => void
  onOutcome: (outcome: Outcome | null) => void
  onSettled: (action: ActionView) => void
  onSignedIn: () => void
  onUpload: () => void
}

/** Where the decision is made: the buttons, the confirm sheet in their place, and what came of it. It stays in sight while the rest scrolls. */
export function DecisionArea(props: DecisionAreaProps) {
  const { payout, closed, live, outcome, open, onOpen, onOutcome, onUpload } = props
  const choose = (decision: Decision) => {
    onOutcome(null)
    onOpen(decision)
  }
  useShortcut(['r', 'h', 'x', 'u'], (event) => {
    const decision = decisions.find((each) => decisionWords[each].key === event.key)
    if (decision && closed[decision] === null) choose(decision)
    if (event.key === 'u' && closed.authorize === null) onUpload()
    event.preventDefault()
  })
  // A safety stop was acknowledged: the form is made anew around a new key.
  const [again, setAgain] = useState(0)
  const startOver = () => {
    if (open) renewKey(open, payout.id)
    onOutcome(null)
    setAgain(again + 1)
  }
  return (
    <section
      aria-label="Decision"
      className="sticky bottom-0 z-10 grid max-h-[70dvh] gap-3 overflow-y-auto border-line border-t bg-surface px-4 py-2.5 lg:px-6"
    >
      <Suspense fallback={<Skeleton className="h-24" />}>
        {live && <LiveAction key={live.id} action={live} onSettled={(action) => settle(props, action)} />}
        {!live && outcome && (
          <OutcomePanel
            outcome={outcome}
            now={nowText(payout)}
            onStartOver={startOver}
            onSignedIn={props.onSignedIn}
            onDismiss={() => onOutcome(null)}
          />
        )}
        {live || !open ? (
          <DecisionBar closed={closed} onChoose={choose} onUpload={onUpload} />
        ) : (
          <OpenForm key={`${open} ${again}`} {...props} open={open} />
        )}
      </Suspense>
    </section>
  )
}

function OpenForm({
  payout,
  account,
  snapshot,
  correlationId,
  cautions,
  closed,
  open,
  onOpen,
  onOutcome,
}: DecisionAreaProps & { open: Decision }) {
  if (account === null) return null
  const onDone = (next: Outcome | null) => {
    if (next && !next.error) onOpen(null)
    onOutcome(next)
  }
  return (
    <DecisionForm
      decision={open}
      payout={payout}
      account={account}
      snapshot={snapshot}
      correlationId={correlationId}
      cautions={open === 'release' ? cautions : []}
      closed={closed[open]}
      onOutcome={onDone}
      onBack={() => onOpen(null)}
    />
  )
}

/** A decision that was settled while we watched: its draft is done with, or gets a new key for the next try. */
function settle({ payout, onOpen, onSettled }: DecisionAreaProps, action: ActionView) {
  const decision = decisions.find((each) => action.operation === `payouts.${each}`)
  if (decision && action.own && action.state === 'applied') {
    dropDecision(decision, payout.id)
    onOpen(null)
  } else if (decision && action.own) renewKey(decision, payout.id)
  onSettled(action)
}

function nowText(payout: Payout): string {
  const words = statusWords('payment', payout.status)
  const message = payout.status_details?.message
  return message ? `${words.label} — ${message}` : words.label
}

type DecisionBarProps = { closed: ClosedReasons; onChoose: (decision: Decision) => void; onUpload: () => void }

/** The actions. One that is closed stays in its place and says why, to the eye and to a screen reader. */
const DecisionBar = ({ closed, onChoose, onUpload }: DecisionBarProps) => (
  <div className="flex flex-wrap items-center gap-2">
    {decisions.map((decision) => (
      <Button
        key={decision}
        variant={decision === 'release' ? 'primary' : decision === 'cancel' ? 'quiet' : 'secondary'}
        disabledReason={closed[decision]}
        onClick={() => onChoose(decision)}
      >
        {decisionWords[decision].opens}
        {closed[decision] === null && <Kbd className="max-sm:hidden">{decisionWords[decision].key}</Kbd>}
      </Button>
    ))}
    <span className="sm:ml-auto">
      <Button disabledReason={closed.authorize} onClick={onUpload}>
        Upload proof
        {closed.authorize === null && <Kbd className="max-sm:hidden">u</Kbd>}
      </Button>
    </span>
    {closed.release !== null && <p className="w-full text-ink-3 text-xs">Release is closed: {closed.release}</p>}
  </div>
)
