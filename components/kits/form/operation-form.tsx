'use client'

import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useHydrated } from '@/components/kits/layout/browser-state'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { useEscape } from '@/components/kits/layout/use-escape'
import { Button, Kbd } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyButton } from '@/components/ui/copy-button'
import { shortKey } from '@/lib/client/drafts'

/**
 * The visible idempotency key: the same key is the same request, however often it is sent. The browser creates it, so the server renders
 * none.
 */
function KeyLine({ idempotencyKey }: { idempotencyKey: string }) {
  if (!useHydrated()) return null
  return (
    <span className="ml-auto flex items-center gap-1 text-ink-3 text-xs">
      Key <code className="font-mono">{shortKey(idempotencyKey)}</code>
      <CopyButton text={idempotencyKey} what="idempotency key" />
    </span>
  )
}

type SheetFormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'onKeyDown' | 'noValidate'> & { onSend: () => void }

/**
 * A form sent by its button or by Ctrl+Enter (⌘+Enter), never by Enter in a field, because it may move money. `onSend` must check whether
 * sending is allowed.
 */
export function SheetForm({ onSend, ...props }: SheetFormProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSend()
  }
  return <form noValidate onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown} {...props} />
}

type OperationFormProps = {
  label?: string
  className?: string
  /** Validates the fields and sends; not called while the form is pending or disabled. */
  onSubmit: () => unknown
  submitLabel: string
  /** Verb for the Ctrl+Enter hint if the form does not send, such as "reveals". */
  does?: string
  danger?: boolean
  pending: boolean
  disabledReason: string | null
  /** Leave it out if the request has no key. */
  idempotencyKey?: string
  onBack?: () => void
  /** Opened in the place of a button: the first field takes the focus, and Escape goes back. */
  isPanel?: boolean
  outcome?: ReactNode
  /** Keeps the form's footer visible while the fields scroll. */
  footClassName?: string
  children: ReactNode
}

/**
 * The frame of every form that writes: fields, last outcome, and a submit button that names the action. It cannot be sent twice while
 * pending, and a rejected submit focuses the first invalid field.
 */
export function OperationForm(props: OperationFormProps) {
  const { onSubmit, pending, disabledReason, onBack, isPanel = false } = props
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isPanel) form.current?.querySelector<HTMLElement>('select, input, textarea')?.focus({ preventScroll: true })
  }, [isPanel])
  useEscape(() => pending || onBack?.(), isPanel && onBack !== undefined, form)
  const faults = useRef(0)
  useEffect(() => {
    const wrong = form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? []
    if (wrong.length > 0 && faults.current === 0) wrong[0]?.focus()
    faults.current = wrong.length
  })
  const submit = () => {
    if (disabledReason === null && !pending) onSubmit()
  }
  return (
    <SheetForm ref={form} aria-label={props.label} onSend={submit} className={cn('grid gap-3', props.className)}>
      {props.children}
      <div className={props.footClassName ?? 'contents'}>
        {props.outcome}
        <Foot {...props} onSubmit={submit} />
      </div>
    </SheetForm>
  )
}

const Foot = ({ submitLabel, does = 'sends', danger, pending, disabledReason, idempotencyKey, onSubmit, onBack }: OperationFormProps) => (
  <>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        variant={danger ? 'danger' : 'primary'}
        // The label may contain a business name and take two lines on a phone.
        className="max-w-full max-sm:h-auto max-sm:min-h-control max-sm:whitespace-normal max-sm:py-1"
        loading={pending}
        disabledReason={disabledReason}
        onClick={onSubmit}
      >
        {pending ? 'Sending…' : <OutsideText>{submitLabel}</OutsideText>}
      </Button>
      {onBack && (
        <Button onClick={onBack} variant="quiet">
          Back
        </Button>
      )}
      <span className="text-ink-3 text-xs max-sm:hidden">
        <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> {does}
      </span>
      {idempotencyKey && <KeyLine idempotencyKey={idempotencyKey} />}
    </div>
    {disabledReason !== null && <p className="text-ink-3 text-xs">Unavailable: {disabledReason}</p>}
  </>
)
