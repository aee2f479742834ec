'use client'

import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import {
  ReasonFields,
  type ReasonFieldsProps,
  type ReasonValues,
  type Warnings,
  WarningTicks,
} from '@/components/kits/action/reason-fields'
import { useHydrated } from '@/components/kits/layout/browser-state'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { PageHeader } from '@/components/kits/layout/page-header'
import { useEscape } from '@/components/kits/layout/use-escape'
import { Button, Kbd } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyButton } from '@/components/ui/copy-button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
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

type Confirmation = { label: string; expected: string; form: UseFormReturn<ReasonValues> }

type ActionFormProps = {
  /**
   * `page`: a page of its own, with a heading, and a footer that stays visible. `panel`: opened in the place of a button, so the first field
   * takes the focus, and Escape goes back. `inline`: a part of a page.
   */
  layout: 'page' | 'panel' | 'inline'
  /** The heading of a page, and beside it account and environment. */
  title?: ReactNode
  meta?: ReactNode
  label?: string
  className?: string
  /** The whole decision in one sentence: action, amount, payee, account and environment. */
  sentence?: ReactNode
  notice?: ReactNode
  children?: ReactNode
  reason?: ReasonFieldsProps | null | undefined
  /** A text to type as confirmation of an irreversible action. */
  confirmation?: Confirmation | undefined
  warnings?: Warnings | null
  outcome?: ReactNode
  /** Label of the submit button, with the amount or the name. */
  send: string
  /** Verb for the Ctrl+Enter hint if the form does not send, such as "reveals". */
  does?: string
  danger?: boolean
  /** Validates the fields and sends; not called while the form is pending or disabled. */
  onSend: () => unknown
  onBack?: (() => void) | undefined
  pending: boolean
  disabledReason: string | null
  /** Leave it out if the request has no key. */
  idempotencyKey?: string
}

/**
 * The form of every write: fields, reason, ticks, last outcome, and a submit button that names the action. It cannot be sent twice while
 * pending, and a rejected submit focuses the first invalid field. `useActionForm` returns its state.
 */
export function ActionForm(props: ActionFormProps) {
  const { layout, onSend, pending, disabledReason, onBack } = props
  const isPage = layout === 'page'
  const isPanel = layout === 'panel'
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isPanel) form.current?.querySelector<HTMLElement>('select, input, textarea')?.focus({ preventScroll: true })
  }, [isPanel])
  // Covers the service's messages too, and fields that react-hook-form cannot focus, such as a combobox.
  const faults = useRef(0)
  useEffect(() => {
    const wrong = form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? []
    if (wrong.length > 0 && faults.current === 0) wrong[0]?.focus()
    faults.current = wrong.length
  })
  useEscape(() => pending || onBack?.(), isPanel && onBack !== undefined, form)
  const send = () => {
    if (disabledReason === null && !pending) onSend()
  }
  const sheet = (
    <SheetForm ref={form} aria-label={props.label} onSend={send} className={cn('grid', isPage ? 'gap-4' : 'gap-3', props.className)}>
      {props.sentence && <div className="text-base text-ink-2">{props.sentence}</div>}
      {props.notice}
      {props.children}
      <Confirm {...props} />
      <div className={isPage ? pageFoot : 'contents'}>
        {props.outcome}
        <Foot {...props} onSend={send} />
      </div>
    </SheetForm>
  )
  if (!isPage) return sheet
  return (
    <div className="mx-auto grid max-w-4xl gap-3 pt-2">
      <PageHeader title={props.title} meta={props.meta} />
      {sheet}
    </div>
  )
}

const pageFoot = 'sticky bottom-0 z-10 -mx-4 grid gap-3 border-line border-t bg-surface px-4 py-2.5 sm:mx-0 sm:rounded sm:border'

/** The fields that confirm the write: the reason, the text to type, and the ticks. */
function Confirm({ layout, reason, confirmation, warnings }: ActionFormProps) {
  const fields = (
    <>
      {reason && <ReasonFields {...reason} />}
      {confirmation && <TypedField {...confirmation} />}
      {warnings && <WarningTicks warnings={warnings} />}
    </>
  )
  return layout === 'page' && reason ? <div className="grid gap-3 rounded border border-line bg-surface p-3">{fields}</div> : fields
}

/** An irreversible action requires typing a given text, so that it cannot be confirmed by habit. */
const TypedField = ({ label, expected, form }: Confirmation) => (
  <Field
    label={label}
    hint={<OutsideText className="select-none font-mono">{expected}</OutsideText>}
    error={form.formState.errors.typed?.message}
  >
    {(control) => <Input {...control} {...form.register('typed')} autoComplete="off" spellCheck={false} />}
  </Field>
)

const Foot = ({ send, does = 'sends', danger, pending, disabledReason, idempotencyKey, onSend, onBack }: ActionFormProps) => (
  <>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        variant={danger ? 'danger' : 'primary'}
        // The label may contain a business name and take two lines on a phone.
        className="max-w-full max-sm:h-auto max-sm:min-h-control max-sm:whitespace-normal max-sm:py-1"
        loading={pending}
        disabledReason={disabledReason}
        onClick={onSend}
      >
        {pending ? 'Sending…' : <OutsideText>{send}</OutsideText>}
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
