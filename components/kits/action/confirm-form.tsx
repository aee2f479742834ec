'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Kbd } from '@/components/ui/kbd'
import { rowOf, type WriteId } from '@/lib/operations/rows'
import { KeyLine } from './key-line'
import type { Outcome } from './outcome'
import { ReasonFields, type ReasonValues } from './reason-fields'
import { useWriteForm } from './use-write-form'
import { useWarnings, WarningTicks } from './warning-ticks'
import type { ReasonAsked, ReasonsFor } from './with-reason'

export type ConfirmFormProps<K extends WriteId, V extends FieldValues> = ReasonsFor<K> & {
  operation: K
  id: string
  /** Names what is typed; the id where one form of the operation is all there is. */
  draft?: string
  account: string | null
  snapshot: string | undefined
  correlationId: string
  /** Why it cannot be sent now; null where it can. */
  closed: string | null
  /** The whole decision in one sentence: what, how much, to whom, for which account, in which environment; it may follow what is typed. */
  sentence: ReactNode | ((values: V) => ReactNode)
  /** What the button that sends says, with the amount or the name in it. */
  send: string | ((values: V) => string)
  danger?: boolean
  /** Names on the screen, which do not belong in a reason. */
  names?: readonly (string | undefined)[]
  /** What must be ticked before it is sent. */
  cautions?: readonly string[]
  /** Something to type out, for what cannot be taken back. */
  typed?: { label: string; expected: string }
  schema: z.ZodType
  /** The operation's own fields, with what they hold at first. */
  values: V
  toInput: (values: V) => Record<string, unknown>
  /** Further faults of these fields, which the schema cannot know. */
  check?: (values: V) => Readonly<Record<string, string>>
  children?: (form: UseFormReturn<V & ReasonValues>) => ReactNode
  onOutcome: (outcome: Outcome | null) => void
  onBack: () => void
}

/** The confirm sheet of an action, inside the panel. Ctrl or Cmd and Enter sends; Enter alone never does. */
export function ConfirmForm<K extends WriteId, V extends FieldValues>(props: ConfirmFormProps<K, V>) {
  const { operation, id, account, snapshot, correlationId, closed, typed, toInput, onOutcome, onBack } = props
  // Which of the two it is hangs on the operation, which is open in here.
  const { reasons } = props as { reasons?: ReasonAsked['reasons'] }
  type All = V & ReasonValues
  const isTyped = (values: All) => typed === undefined || values.typed.trim() === typed.expected.trim()
  const { form, send, pending, idempotencyKey, ...filled } = useWriteForm<K, All>({
    operation,
    target: props.draft ?? id,
    account,
    snapshot,
    correlationId,
    values: { ...props.values, code: '', text: '', typed: '' },
    schema: props.schema,
    toInput: (values) => ({ id, ...toInput(values) }),
    check: (values) => ({ ...props.check?.(values), ...(isTyped(values) ? {} : { typed: 'does not match yet' }) }),
    ready: () => warnings.allTicked(),
    reasons,
    onOutcome,
  })
  const warnings = useWarnings(reasons ? (filled.typed.text ?? '') : '', props.names ?? [], props.cautions ?? [])
  const sheet = useRef<HTMLFormElement>(null)
  useEffect(() => sheet.current?.querySelector<HTMLElement>('select, input, textarea')?.focus({ preventScroll: true }), [])

  const sendChecked = () => {
    if (closed === null && !pending) void send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !pending) onBack()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    sendChecked()
  }
  return (
    <form ref={sheet} noValidate onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown} className="grid gap-3">
      <div className="text-base text-ink-2">{said(props.sentence, filled.typed)}</div>
      {props.children?.(form)}
      {reasons && (
        <ReasonFields reasons={reasons} form={form as unknown as UseFormReturn<ReasonValues>} where={rowOf(operation).reason ?? 'kept'} />
      )}
      {typed && <TypedField typed={typed} form={form as unknown as UseFormReturn<ReasonValues>} />}
      <WarningTicks warnings={warnings} />
      <SheetFoot
        send={said(props.send, filled.typed)}
        danger={props.danger}
        pending={pending}
        closed={closed}
        idempotencyKey={idempotencyKey}
        onSend={sendChecked}
        onBack={onBack}
      />
    </form>
  )
}

/** A text that may follow what is typed. */
const said = <V, T extends ReactNode>(text: T | ((values: V) => T), values: V): T => (typeof text === 'function' ? text(values) : text)

/** What cannot be taken back is written out once, so that no hand does it by habit. */
const TypedField = ({ typed, form }: { typed: { label: string; expected: string }; form: UseFormReturn<ReasonValues> }) => (
  <Field
    label={typed.label}
    hint={<bdi className="select-none font-mono">{typed.expected}</bdi>}
    error={form.formState.errors.typed?.message}
  >
    {(control) => <Input {...control} {...form.register('typed')} autoComplete="off" spellCheck={false} />}
  </Field>
)

type SheetFootProps = {
  send: string
  does?: string
  danger?: boolean
  pending: boolean
  closed: string | null
  idempotencyKey: string
  onSend: () => void
  onBack?: () => void
}

/** The end of every form that writes: the button that says what will happen, the way back, and the key in sight. */
export const SheetFoot = ({ send, does = 'sends', danger, pending, closed, idempotencyKey, onSend, onBack }: SheetFootProps) => (
  <>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        variant={danger ? 'danger' : 'primary'}
        // What it will do may name a whole business, and on a phone that takes two lines.
        className="max-w-full max-sm:h-auto max-sm:min-h-control max-sm:whitespace-normal max-sm:py-1"
        loading={pending}
        disabledReason={closed}
        onClick={onSend}
      >
        {pending ? 'Sending…' : send}
      </Button>
      {onBack && (
        <Button onClick={onBack} variant="quiet">
          Back
        </Button>
      )}
      <span className="text-ink-3 text-xs max-sm:hidden">
        <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> {does}
      </span>
      <KeyLine idempotencyKey={idempotencyKey} />
    </div>
    {closed !== null && <p className="text-ink-3 text-xs">Closed: {closed}</p>}
  </>
)
