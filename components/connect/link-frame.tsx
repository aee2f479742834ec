'use client'

import type { KeyboardEvent, ReactNode } from 'react'
import { SheetFoot } from '@/components/kits/action/confirm-form'
import { useFormOutcome } from '@/components/kits/action/form-outcome'
import type { Outcome } from '@/components/kits/action/outcome'
import type { Making } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import type { LinkPlace } from './place'
import type { LinkId } from './use-link-form'

type LinkFrameProps = {
  operation: LinkId
  place: LinkPlace
  /** What of `useLinkForm` the frame draws. */
  write: {
    outcome: Outcome | null
    setOutcome: (outcome: Outcome | null) => void
    send: () => Promise<void>
    pending: boolean
    closed: string | null
    making: Making
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
  const { outcome, setOutcome, pending, making } = write
  const told = useFormOutcome({
    making,
    outcome,
    onDismiss: () => setOutcome(null),
    onSignedIn: () => setOutcome(null),
    onStartOver: () => {
      renewKey(operation, place.customer.id)
      onAnew()
    },
    onMade: (target) => onMade?.(target.slice('paykeys/'.length)),
  })
  const closed = write.closed ?? told.why
  const send = () => {
    if (!pending && closed === null) void write.send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown} className="grid gap-3">
      <LinkSentence place={place} />
      {children}
      {told.view}
      <SheetFoot send={label} pending={pending} closed={closed} idempotencyKey={making.key} onSend={send} />
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
