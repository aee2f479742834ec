'use client'

import { lazy, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { NextContext, useNextStep } from '@/components/kits/queue/next-context'
import { WaitContext } from '@/components/kits/unreadable/unreadable-parts'
import { Boundary } from '@/components/ui/boundary'
import { Button, type ButtonProps, Kbd } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { Happened } from '@/lib/domain/changed-by'
import type { ActionView } from '@/lib/operations/answer'
import type { Claimable } from '@/lib/operations/claims'
import type { WriteId } from '@/lib/operations/service-operations'
import type { Outcome, useOutcome } from './outcome'
import { dropWrite, hasDraft, renewKey } from './write-draft'

const OutcomePanel = lazy(() => import('./outcome-panel').then((module) => ({ default: module.OutcomePanel })))
const NextLine = lazy(() => import('./outcome-panel').then((module) => ({ default: module.NextLine })))
// What is said beside a decision: where its script does not come, nothing stands in for it.
const nothing = () => ({ default: () => null })
const ChangedMeanwhile = lazy(() => import('./outcome-panel').then((module) => ({ default: module.ChangedMeanwhile }), nothing))
const ClaimLine = lazy(() => import('@/components/kits/queue/claims').then((module) => ({ default: module.ClaimLine }), nothing))
const LiveAction = lazy(() => import('./live-action').then((module) => ({ default: module.LiveAction })))

/** Something a person can do with a record. `name` tells two choices of one operation apart, such as verify and reject. */
export type ActionChoice<N extends string = WriteId> = {
  operation: WriteId
  name?: N
  /** What its button says; a form that opens first ends in an ellipsis. */
  opens: string
  /** What was done, once it was; left out where the operation says it. */
  done?: string
  key?: string
  variant?: ButtonProps['variant']
  /** Why it cannot be done now; null where it can. */
  disabledReason: string | null
  /** At the far end of the bar. */
  aside?: boolean
  /** Done elsewhere on the page instead of in a form of this area. */
  press?: () => void
}

/** What a form in the area is told; `draft` names what is typed into it. */
export type OpenForm<N extends string = WriteId> = {
  operation: WriteId
  name: N
  draft: string
  disabledReason: string | null
  onOutcome: (outcome: Outcome | null) => void
  onBack: () => void
}

const nameOf = <N extends string>({ name, operation }: ActionChoice<N>) => (name ?? operation) as N
const draftOf = (id: string, { name }: ActionChoice<string>) => (name ? `${id}/${name}` : id)

type ActionAreaProps<N extends string> = {
  /** The record's id, which names the drafts. */
  id: string
  label?: string
  /** What it is claimed as while it waits for a decision; left out where it waits for none. */
  claimed?: Claimable | undefined
  choices: readonly ActionChoice<N>[]
  state: Pick<ReturnType<typeof useOutcome>, 'outcome' | 'live' | 'setOutcome' | 'settle' | 'signedIn' | 'refresh'>
  open: N | null
  onOpen: (name: N | null) => void
  /** What is there now, in words, for a record that changed meanwhile. */
  now: string
  /** What tells who changed it meanwhile; left out where that is not looked at. */
  happened?: Happened
  /** The form of an action; draw it lazily. */
  form: (open: OpenForm<N>) => ReactNode
  /** What follows from the last outcome, for example the next step. */
  after?: ReactNode
}

/** What became of a record as far as anybody knows: an action that waits for approval is known to wait. */
function known(live: ActionView | null | undefined, outcome: Outcome | null): Outcome | null {
  if (live?.state === 'awaiting_approval') return { operation: live.operation, action: live }
  return live ? null : outcome
}

/** Where things are decided: the buttons, the confirm sheet in their place, and the outcome. It stays in sight while the rest scrolls. */
export function ActionArea<N extends string = WriteId>(props: ActionAreaProps<N>) {
  const { id, label = 'Decision', claimed, choices, state, onOpen, now, after } = props
  const wait = use(WaitContext)
  // Nobody decides by what the mirror has: a form that a link asks for opens on the service's answer.
  const open = wait ? null : props.open
  const { outcome, live, setOutcome, signedIn } = state
  const choose = (choice: ActionChoice<N>) => {
    setOutcome(null)
    if (choice.press) choice.press()
    else onOpen(nameOf(choice))
  }
  const keys = choices.flatMap(({ key }) => (key ? [key] : []))
  const words = Object.fromEntries(
    choices.flatMap(({ key, opens, disabledReason }) => (key && disabledReason === null ? [[key, opens.replace('…', '')]] : [])),
  )
  const press = (event: KeyboardEvent) => {
    const choice = choices.find(({ key }) => key === event.key)
    if (choice && choice.disabledReason === null) choose(choice)
    event.preventDefault()
  }
  useShortcut(keys, press, true, { group: label, keys: words })
  // A safety stop was acknowledged: the form is remounted with a new key.
  const [again, setAgain] = useState(0)
  const startOver = () => {
    const opened = choices.find((choice) => nameOf(choice) === open)
    if (opened) renewKey(opened.operation, draftOf(id, opened))
    setOutcome(null)
    setAgain(again + 1)
  }
  const next = useNextStep(id, known(live, outcome), open !== null || outcome !== null)
  // Who opened it from a queue works beside others; who came another way does so once they begin to decide.
  const isShared = use(NextContext) !== null || open !== null
  // Whoever goes back from a form is at the button that opened it.
  const area = useRef<HTMLElement>(null)
  const left = useRef<N>(null)
  const goBack = () => {
    left.current = open
    onOpen(null)
  }
  useEffect(() => {
    if (open === null && left.current) area.current?.querySelector<HTMLElement>(`[data-choice="${left.current}"] button`)?.focus()
    left.current = null
  }, [open])
  return (
    <section
      ref={area}
      aria-label={label}
      className="sticky bottom-0 z-10 grid max-h-[70dvh] grid-cols-1 gap-3 overflow-y-auto border-line border-t bg-surface px-4 py-2.5 lg:px-6 print:hidden"
    >
      <Boundary fallback={<Skeleton className="h-24" />}>
        {claimed && isShared && (
          <Boundary fallback={null}>
            <ClaimLine resource={claimed} id={id} deciding={open !== null} onEnded={state.refresh} />
          </Boundary>
        )}
        {live && <LiveAction key={live.id} action={live} onSettled={(action) => settle(props, action)} />}
        {live && next && <NextLine next={next} />}
        {!live && outcome && (
          <OutcomePanel
            outcome={outcome}
            now={now}
            happened={props.happened}
            actions={next && <NextLine next={next} />}
            onStartOver={startOver}
            onSignedIn={signedIn}
            onDismiss={() => setOutcome(null)}
          />
        )}
        {after}
        {live || !open ? (
          <Bar id={id} choices={choices} onChoose={choose} />
        ) : (
          <Opened key={`${open} ${again}`} {...props} open={open} onBack={goBack} />
        )}
      </Boundary>
    </section>
  )
}

type OpenedProps<N extends string> = ActionAreaProps<N> & { onBack: () => void }

function Opened<N extends string>({ id, choices, form, open, onOpen, onBack, state, now, happened }: OpenedProps<N>) {
  const choice = choices.find((each) => nameOf(each) === open)
  const onOutcome = (next: Outcome | null) => {
    if (next && !next.error) onOpen(null)
    state.setOutcome(next && { ...next, done: choice?.done })
  }
  if (!choice) return null
  const { operation, disabledReason } = choice
  return (
    <>
      {happened && !state.outcome && (
        <Boundary fallback={null}>
          <ChangedMeanwhile happened={happened} now={now} />
        </Boundary>
      )}
      {form({ operation, name: nameOf(choice), draft: draftOf(id, choice), disabledReason, onOutcome, onBack })}
    </>
  )
}

/** An action that was settled while we watched: its draft is done with, or gets a new key for the next try. */
function settle<N extends string>({ id, onOpen, choices, state }: ActionAreaProps<N>, action: ActionView) {
  const own = action.own ? choices.filter(({ operation }) => operation === action.operation) : []
  for (const choice of own) {
    if (action.state === 'applied') dropWrite(choice.operation, draftOf(id, choice))
    else renewKey(choice.operation, draftOf(id, choice))
  }
  if (own.length > 0 && action.state === 'applied') onOpen(null)
  state.settle(action)
}

/** The actions. One that is unavailable stays in its place and says why, to the eye and to a screen reader. */
function Bar<N extends string>({
  id,
  choices,
  onChoose,
}: {
  id: string
  choices: readonly ActionChoice<N>[]
  onChoose: (choice: ActionChoice<N>) => void
}) {
  // While the service's answer is on its way: a line would be gone in a moment.
  const isAsking = use(WaitContext)?.isAsking
  const [first] = choices
  return (
    <div className="flex flex-wrap items-center gap-2">
      {choices.map((choice) => (
        <span key={nameOf(choice)} data-choice={nameOf(choice)} className={choice.aside ? 'sm:ml-auto' : undefined}>
          <Button variant={choice.variant ?? 'secondary'} disabledReason={choice.disabledReason} onClick={() => onChoose(choice)}>
            {choice.opens}
            {hasDraft(choice.operation, draftOf(id, choice)) && <span className="font-normal text-xs">draft</span>}
            {choice.key && choice.disabledReason === null && <Kbd className="max-sm:hidden">{choice.key}</Kbd>}
          </Button>
        </span>
      ))}
      {first?.disabledReason && !isAsking && (
        <p className="w-full text-ink-3 text-xs">
          {first.opens.replace(/…$/, '')} unavailable: {first.disabledReason}
        </p>
      )}
    </div>
  )
}
