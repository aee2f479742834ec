'use client'

import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useHydrated } from '@/components/kits/layout/browser-state'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { useEscape } from '@/components/kits/layout/use-escape'
import { Button, Kbd } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyButton } from '@/components/ui/copy-button'
import { shortKey } from '@/lib/client/drafts'

/** The idempotency key in sight: the same key is the same request, however often it is sent. The browser makes it, so what the server draws has none yet. */
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
 * A form that is sent by its button or by Ctrl+Enter (⌘+Enter), never by Enter in a field: what it does may move money. `onSend` sees for itself
 * whether it may be sent now.
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
  /** Checks the fields and sends; called only where nothing speaks against it. */
  onSubmit: () => unknown
  submitLabel: string
  /** What Ctrl and Enter does, where that is not sending. */
  does?: string
  danger?: boolean
  pending: boolean
  /** Why it cannot be sent now; null where it can. */
  disabledReason: string | null
  /** Left out where what is sent has no key. */
  idempotencyKey?: string
  onBack?: () => void
  /** Opened in the place of a button: its first field takes the focus, and Escape goes back. */
  isPanel?: boolean
  /** What came of the last try, above the button. */
  outcome?: ReactNode
  /** The end of the form stays in sight while the fields scroll. */
  footClassName?: string
  children: ReactNode
}

/**
 * The frame of every form that writes: fields, what came of the last try, and the button that says what will happen. It is not sent a second time while
 * the first is under way, and a rejected form leads to its first fault.
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

/** The button that says what will happen, the way back, and the key in sight. */
const Foot = ({ submitLabel, does = 'sends', danger, pending, disabledReason, idempotencyKey, onSubmit, onBack }: OperationFormProps) => (
  <>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        variant={danger ? 'danger' : 'primary'}
        // What it will do may name a whole business, and on a phone that takes two lines.
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
