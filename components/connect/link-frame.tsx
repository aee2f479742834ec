'use client'

import { type KeyboardEvent, lazy, type ReactNode, Suspense } from 'react'
import { SheetFoot } from '@/components/kits/action/confirm-form'
import { isOpen, type Outcome } from '@/components/kits/action/outcome'
import { OutcomePanel } from '@/components/kits/action/outcome-panel'
import { dropWrite, renewKey } from '@/components/kits/action/write-draft'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import type { ActionView } from '@/lib/operations/answer'
import type { LinkPlace } from './place'
import type { LinkId } from './use-link-form'

const LiveAction = lazy(() => import('@/components/kits/action/live-action').then((module) => ({ default: module.LiveAction })))

type LinkFrameProps = {
  operation: LinkId
  place: LinkPlace
  /** What of `useLinkForm` the frame draws. */
  write: {
    outcome: Outcome | null
    live: ActionView | undefined
    setOutcome: (outcome: Outcome | null) => void
    settle: (action: ActionView) => void
    signedIn: () => void
    send: () => Promise<void>
    pending: boolean
    closed: string | null
    idempotencyKey: string
  }
  /** What the button that sends says. */
  label: string
  /** Told of a paykey that an action made whose outcome came late. */
  onMade?: (id: string) => void
  /** The form is to be made anew around a new key. */
  onAnew: () => void
  children: ReactNode
}

/** The form of one way: its fields, the sentence that says for whom, what came of it, and the button. */
export function LinkFrame({ operation, place, write, label, onMade, onAnew, children }: LinkFrameProps) {
  const { outcome, live, setOutcome, settle, pending, closed } = write
  const send = () => {
    if (!pending && closed === null) void write.send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  const onSettled = (action: ActionView) => {
    const applied = action.state === 'applied'
    if (applied) dropWrite(operation, place.customer.id)
    else renewKey(operation, place.customer.id)
    settle(action)
    if (applied && action.target?.startsWith('paykeys/')) onMade?.(action.target.slice('paykeys/'.length))
    else onAnew()
  }
  const startOver = () => {
    renewKey(operation, place.customer.id)
    setOutcome(null)
    onAnew()
  }
  // An open action is told by what watches it; its own refusal would say the same twice.
  const told = outcome && !(outcome.action && isOpen(outcome.action) && live) ? outcome : null
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown} className="grid gap-3">
      <LinkSentence place={place} />
      {children}
      <Suspense fallback={null}>{live && <LiveAction key={live.id} action={live} onSettled={onSettled} />}</Suspense>
      {told && <OutcomePanel outcome={told} onDismiss={() => setOutcome(null)} onSignedIn={write.signedIn} onStartOver={startOver} />}
      <SheetFoot send={label} pending={pending} closed={closed} idempotencyKey={write.idempotencyKey} onSend={send} />
    </form>
  )
}

const strong = 'font-semibold text-ink'

function LinkSentence({ place }: { place: LinkPlace }) {
  const desk = useDesk()
  return (
    <p className="text-ink-2">
      Connects a bank account of{' '}
      <strong className={strong}>
        <bdi>{place.customer.name}</bdi>
      </strong>{' '}
      for <strong className={strong}>{place.account ? accountName(desk, place.account) : 'an account that is not known yet'}</strong> in{' '}
      <strong className={strong}>{desk.environment.toUpperCase()}</strong>.
    </p>
  )
}
