'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { SheetFoot } from '@/components/kits/action/confirm-form'
import { useFormOutcome } from '@/components/kits/action/form-outcome'
import type { Outcome } from '@/components/kits/action/outcome'
import type { Making } from '@/components/kits/action/use-write-form'
import type { ReasonAsked } from '@/components/kits/action/with-reason'
import { PageHeader } from '@/components/kits/layout/page-header'
import { ReasonGroup } from './reason-group'

type FormPageProps = {
  title: ReactNode
  /** For which account, in which environment. */
  meta?: ReactNode
  actions?: ReactNode
  /** The write of the form, as `useWriteForm` gives it. */
  making: Making
  outcome: Outcome | null
  onDismiss: () => void
  onSignedIn: () => void
  /** Called when a safety stop was acknowledged; the form is to be made anew around a new key. */
  onStartOver?: () => void
  send: string
  /** What Ctrl and Enter does, where that is not sending. */
  does?: string
  danger?: boolean
  pending: boolean
  closed: string | null
  onSend: () => void
  onBack?: () => void
  /** Why, where the operation asks for it. */
  reason?: ReasonAsked | null
  children: ReactNode
}

/** A page that makes or edits something: fields in groups, the outcome in place, the button that says what will happen. What is typed stays. */
export function FormPage(props: FormPageProps) {
  const { onSend, pending, making, outcome, onDismiss, onSignedIn, onStartOver } = props
  const told = useFormOutcome({ making, outcome, onDismiss, onSignedIn, onStartOver })
  const closed = props.closed ?? told.why
  const form = useRef<HTMLFormElement>(null)
  // A rejected form leads to its first fault, wherever that is on the page.
  const faults = useRef<number>(0)
  useEffect(() => {
    const wrong = form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? []
    if (wrong.length > 0 && faults.current === 0) wrong[0]?.focus()
    faults.current = wrong.length
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!pending && closed === null) onSend()
  }
  return (
    <div className="mx-auto grid max-w-4xl gap-3 pt-2">
      <PageHeader title={props.title} meta={props.meta} actions={props.actions} />
      <form ref={form} noValidate onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown} className="grid gap-4">
        {props.children}
        {props.reason && <ReasonGroup operation={making.operation} {...props.reason} />}
        <div className="sticky bottom-0 z-10 -mx-4 grid gap-3 border-line border-t bg-surface px-4 py-2.5 sm:mx-0 sm:rounded sm:border">
          {told.view}
          <SheetFoot
            send={props.send}
            does={props.does}
            danger={props.danger}
            pending={pending}
            closed={closed}
            idempotencyKey={making.key}
            onSend={onSend}
            onBack={props.onBack}
          />
        </div>
      </form>
    </div>
  )
}
