'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { Button, type ButtonProps } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { Skeleton } from '@/components/ui/skeleton'
import type { ActionView } from '@/lib/operations/answer'
import type { WriteId } from '@/lib/operations/rows'
import type { Outcome } from './outcome'
import type { useOutcome } from './use-outcome'
import { dropWrite, renewKey } from './write-draft'

const OutcomePanel = lazy(() => import('./outcome-panel').then((module) => ({ default: module.OutcomePanel })))
const LiveAction = lazy(() => import('./live-action').then((module) => ({ default: module.LiveAction })))

/** Something a person can do with a record. */
export type ActionChoice = {
  operation: WriteId
  /** What its button says; a form that opens first ends in an ellipsis. */
  opens: string
  key?: string
  variant?: ButtonProps['variant']
  /** Why it cannot be done now; null where it can. */
  closed: string | null
  /** At the far end of the bar. */
  aside?: boolean
  /** Done elsewhere on the page instead of in a form of this area. */
  press?: () => void
}

/** What a form in the area is told. */
export type OpenForm = { operation: WriteId; closed: string | null; onOutcome: (outcome: Outcome | null) => void; onBack: () => void }

type ActionAreaProps = {
  /** The record's id, which names the drafts. */
  id: string
  label?: string
  choices: readonly ActionChoice[]
  state: Pick<ReturnType<typeof useOutcome>, 'outcome' | 'live' | 'setOutcome' | 'settle' | 'signedIn'>
  open: WriteId | null
  onOpen: (operation: WriteId | null) => void
  /** What is there now, in words, for a record that changed meanwhile. */
  now: string
  /** The form of an action; draw it lazily. */
  form: (open: OpenForm) => ReactNode
  /** What follows from the last outcome, for example the next step. */
  after?: ReactNode
}

/** Where things are decided: the buttons, the confirm sheet in their place, and what came of it. It stays in sight while the rest scrolls. */
export function ActionArea(props: ActionAreaProps) {
  const { id, label = 'Decision', choices, state, open, onOpen, now, after } = props
  const { outcome, live, setOutcome, signedIn } = state
  const choose = (choice: ActionChoice) => {
    setOutcome(null)
    if (choice.press) choice.press()
    else onOpen(choice.operation)
  }
  const keys = choices.flatMap(({ key }) => (key ? [key] : []))
  useShortcut(keys, (event) => {
    const choice = choices.find(({ key }) => key === event.key)
    if (choice && choice.closed === null) choose(choice)
    event.preventDefault()
  })
  // A safety stop was acknowledged: the form is made anew around a new key.
  const [again, setAgain] = useState(0)
  const startOver = () => {
    if (open) renewKey(open, id)
    setOutcome(null)
    setAgain(again + 1)
  }
  return (
    <section
      aria-label={label}
      className="sticky bottom-0 z-10 grid max-h-[70dvh] gap-3 overflow-y-auto border-line border-t bg-surface px-4 py-2.5 lg:px-6 print:hidden"
    >
      <Suspense fallback={<Skeleton className="h-24" />}>
        {live && <LiveAction key={live.id} action={live} onSettled={(action) => settle(props, action)} />}
        {!live && outcome && (
          <OutcomePanel outcome={outcome} now={now} onStartOver={startOver} onSignedIn={signedIn} onDismiss={() => setOutcome(null)} />
        )}
        {after}
        {live || !open ? <Bar choices={choices} onChoose={choose} /> : <Opened key={`${open} ${again}`} {...props} open={open} />}
      </Suspense>
    </section>
  )
}

function Opened({ choices, form, open, onOpen, state }: ActionAreaProps & { open: WriteId }) {
  const onOutcome = (next: Outcome | null) => {
    if (next && !next.error) onOpen(null)
    state.setOutcome(next)
  }
  const closed = choices.find((choice) => choice.operation === open)?.closed ?? null
  return form({ operation: open, closed, onOutcome, onBack: () => onOpen(null) })
}

/** An action that was settled while we watched: its draft is done with, or gets a new key for the next try. */
function settle({ id, onOpen, choices, state }: ActionAreaProps, action: ActionView) {
  const choice = choices.find(({ operation }) => operation === action.operation)
  if (choice && action.own && action.state === 'applied') {
    dropWrite(choice.operation, id)
    onOpen(null)
  } else if (choice && action.own) renewKey(choice.operation, id)
  state.settle(action)
}

/** The actions. One that is closed stays in its place and says why, to the eye and to a screen reader. */
function Bar({ choices, onChoose }: { choices: readonly ActionChoice[]; onChoose: (choice: ActionChoice) => void }) {
  const [first] = choices
  return (
    <div className="flex flex-wrap items-center gap-2">
      {choices.map((choice) => (
        <span key={choice.operation} className={choice.aside ? 'sm:ml-auto' : undefined}>
          <Button variant={choice.variant ?? 'secondary'} disabledReason={choice.closed} onClick={() => onChoose(choice)}>
            {choice.opens}
            {choice.key && choice.closed === null && <Kbd className="max-sm:hidden">{choice.key}</Kbd>}
          </Button>
        </span>
      ))}
      {first?.closed && (
        <p className="w-full text-ink-3 text-xs">
          {first.opens.replace(/…$/, '')} is closed: {first.closed}
        </p>
      )}
    </div>
  )
}
