'use client'

import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import {
  ReasonFields,
  type ReasonFieldsProps,
  type ReasonValues,
  WarningCheckboxes,
  type WarningsState,
} from '@/components/kits/action/reason-fields'
import { useHydrated } from '@/components/kits/layout/browser-state'
import { focusIntoView } from '@/components/kits/layout/focus'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { useEscape } from '@/components/kits/layout/use-escape'
import { Button, Kbd } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyButton } from '@/components/ui/copy-button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { shortenIdempotencyKey } from '@/lib/client/drafts'

/** Renders nothing on the server, because the browser creates the idempotency key. */
function IdempotencyKeyText({ idempotencyKey }: { idempotencyKey: string }) {
  if (!useHydrated()) return null
  return (
    <span className="ml-auto flex items-center gap-1 text-ink-3 text-xs">
      Idempotency key <code className="font-mono">{shortenIdempotencyKey(idempotencyKey)}</code>
      <CopyButton text={idempotencyKey} what="idempotency key" />
    </span>
  )
}

type CtrlEnterFormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'onKeyDown' | 'noValidate'> & {
  onSend: () => void
}

/**
 * A form that is sent by its button or by Ctrl+Enter (⌘+Enter). Enter in a field does not send it,
 * because it may move money. `onSend` must check if sending is allowed.
 */
export function CtrlEnterForm({ onSend, ...props }: CtrlEnterFormProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSend()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      {...props}
    />
  )
}

type TypedConfirmation = { label: string; expected: string; form: UseFormReturn<ReasonValues> }

type ActionFormProps = {
  /**
   * `page`: has a heading and a footer that stays visible. `panel`: in place of a button; takes the
   * focus, Escape goes back. `inline`: a section of a page.
   */
  layout: 'page' | 'panel' | 'inline'
  /** The heading of a page. `meta` is shown beside it: account and environment. */
  title?: ReactNode
  meta?: ReactNode
  label?: string
  className?: string
  /** The decision in one sentence: action, amount, payee, account and environment. */
  sentence?: ReactNode
  notice?: ReactNode
  children?: ReactNode
  reason?: ReasonFieldsProps | null | undefined
  confirmation?: TypedConfirmation | undefined
  warnings?: WarningsState | null
  outcome?: ReactNode
  /** Label of the submit button. It should contain the amount or the name. */
  send: string
  /** Replaces `send` if a second person must approve, so that the button only requests the write. */
  requestLabel?: string | null
  /** Verb of the Ctrl+Enter hint, such as "reveals". The default is "sends". */
  does?: string
  danger?: boolean
  /** Validates the fields and sends the form. Not called while the form is pending or disabled. */
  onSend: () => unknown
  onBack?: (() => void) | undefined
  pending: boolean
  disabledReason: string | null
  /** Undefined if the request has no idempotency key. */
  idempotencyKey?: string
}

/**
 * The form of every write. It cannot be sent while pending. After a rejected submit the first
 * invalid field takes the focus. `useActionForm` returns its state.
 */
export function ActionForm(props: ActionFormProps) {
  const { layout, onSend, pending, disabledReason, onBack } = props
  const isPageLayout = layout === 'page'
  const isPanelLayout = layout === 'panel'
  const formRef = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isPanelLayout)
      focusIntoView(formRef.current?.querySelector<HTMLElement>('select, input, textarea') ?? null)
  }, [isPanelLayout])
  // Focuses the first invalid field. react-hook-form does not do this for errors of the service,
  // nor for some fields, such as a combobox.
  const previousInvalidFieldCount = useRef(0)
  useEffect(() => {
    const invalidFields =
      formRef.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? []
    if (invalidFields.length > 0 && previousInvalidFieldCount.current === 0)
      invalidFields[0]?.focus()
    previousInvalidFieldCount.current = invalidFields.length
  })
  useEscape(() => pending || onBack?.(), isPanelLayout && onBack !== undefined, formRef)
  const sendIfAllowed = () => {
    if (disabledReason === null && !pending) onSend()
  }
  const formElement = (
    <CtrlEnterForm
      ref={formRef}
      aria-label={props.label}
      onSend={sendIfAllowed}
      className={cn('@container grid', isPageLayout ? 'gap-4' : 'gap-3', props.className)}
    >
      {props.sentence && <div className="text-base text-ink-2">{props.sentence}</div>}
      {props.notice}
      {props.children}
      <ConfirmationFields {...props} />
      <div className={isPageLayout ? pageFooterClasses : 'contents'}>
        {props.outcome}
        <FormFooter {...props} onSend={sendIfAllowed} />
      </div>
    </CtrlEnterForm>
  )
  if (!isPageLayout) return formElement
  return (
    <div className={pageClasses.text}>
      <PageHeader title={props.title} meta={props.meta} />
      {formElement}
    </div>
  )
}

const pageFooterClasses =
  'sticky bottom-0 z-10 -mx-4 grid gap-3 border-line border-t bg-surface px-4 py-2.5 sm:mx-0 sm:rounded sm:border'

function ConfirmationFields({ layout, reason, confirmation, warnings }: ActionFormProps) {
  const confirmationFields = (
    <>
      {reason && <ReasonFields {...reason} />}
      {confirmation && <ConfirmationTextField {...confirmation} />}
      {warnings && <WarningCheckboxes warnings={warnings} />}
    </>
  )
  return layout === 'page' && reason ? (
    <div className="grid gap-3 rounded border border-line bg-surface p-3">{confirmationFields}</div>
  ) : (
    confirmationFields
  )
}

/** The person types a given text, so that an irreversible action is not confirmed by habit. */
const ConfirmationTextField = ({ label, expected, form }: TypedConfirmation) => (
  <Field
    label={label}
    hint={<ExternalText className="select-none font-mono">{expected}</ExternalText>}
    error={form.formState.errors.typed?.message}
  >
    {(control) => (
      <Input {...control} {...form.register('typed')} autoComplete="off" spellCheck={false} />
    )}
  </Field>
)

/** A reason that ends with an ellipsis names a check that is still running. */
const isRunningCheck = (disabledReason: string) => disabledReason.endsWith('…')

const FormFooter = ({
  send,
  requestLabel,
  does = 'sends',
  danger,
  pending,
  disabledReason,
  idempotencyKey,
  onSend,
  onBack,
}: ActionFormProps) => (
  <>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        variant={danger ? 'danger' : 'primary'}
        // The label may contain a business name and need two lines on a phone.
        className="max-w-full max-sm:h-auto max-sm:min-h-control max-sm:whitespace-normal max-sm:py-1"
        loading={pending}
        disabledReason={disabledReason}
        onClick={onSend}
      >
        {pending ? 'Sending…' : <ExternalText>{requestLabel ?? send}</ExternalText>}
      </Button>
      {onBack && (
        <Button onClick={onBack} variant="quiet">
          Back
        </Button>
      )}
      <span className="text-ink-3 text-xs max-sm:hidden">
        <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> {does}
      </span>
      {idempotencyKey && <IdempotencyKeyText idempotencyKey={idempotencyKey} />}
    </div>
    {disabledReason !== null && (
      <p className="text-ink-3 text-xs">
        {isRunningCheck(disabledReason) ? disabledReason : `Unavailable: ${disabledReason}`}
      </p>
    )}
  </>
)
