'use client'

import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import { OperationForm } from '@/components/kits/form/operation-form'
import { type ReasonAsked, type ReasonsFor, useOperationForm } from '@/components/kits/form/use-operation-form'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { Warning } from '@/lib/domain/warnings'
import { serviceOperation, type WriteId } from '@/lib/operations/service-operations'
import type { Outcome } from './outcome'
import { ReasonFields, type ReasonValues, useWarnings, WarningTicks } from './reason-fields'
import { useSecondPerson } from './second-person'

export type ConfirmFormProps<K extends WriteId, V extends FieldValues> = ReasonsFor<K> & {
  operation: K
  id: string
  /** The draft's key. Defaults to the id, which is enough if the operation has one form only. */
  draft?: string
  account: string | null
  snapshot: string | undefined
  correlationId: string
  disabledReason: string | null
  /**
   * The whole decision in one sentence: action, amount, payee, account and environment. As a function it receives the typed values and the
   * warnings as an "although" clause.
   */
  sentence: ReactNode | ((values: V, although: string) => ReactNode)
  /** Label of the submit button, with the amount or the name. */
  send: string | ((values: V) => string)
  danger?: boolean
  /** Names on the screen, which do not belong in a reason. */
  names?: readonly (string | undefined)[]
  /** Warnings that each need a tick before the form can be sent. */
  warnings?: readonly Warning[]
  /** A text to type as confirmation of an irreversible action. */
  typed?: { label: string; expected: string }
  schema: z.ZodType
  /** Initial values of the operation's own fields. */
  values: V
  toInput: (values: V) => Record<string, unknown>
  /** Returns further field errors that the schema cannot find. */
  check?: (values: V) => Readonly<Record<string, string>>
  children?: (form: UseFormReturn<V & ReasonValues>) => ReactNode
  onOutcome: (outcome: Outcome | null) => void
  onBack: () => void
}

/**
 * Keeps the snapshot hash from when the form opened. An open record is refetched after changes, and a decision must not rest on a change
 * the person has not noticed. A `changed` refusal reports the change; after it the current snapshot counts.
 */
function useSeen(snapshot: string | undefined) {
  const [seen, setSeen] = useState(snapshot)
  const [isTold, setTold] = useState(false)
  if (isTold && seen !== snapshot) {
    setSeen(snapshot)
    setTold(false)
  }
  return { seen, tell: () => setTold(true) }
}

/** The confirm form of an action, inside the panel. Ctrl+Enter or Cmd+Enter sends it; Enter alone never does. */
export function ConfirmForm<K extends WriteId, V extends FieldValues>(props: ConfirmFormProps<K, V>) {
  const { operation, id, account, correlationId, typed, toInput, onBack } = props
  const second = useSecondPerson(props)
  const { seen, tell } = useSeen(props.snapshot)
  // TypeScript cannot narrow `reasons` here because `K` is generic.
  const { reasons } = props as { reasons?: ReasonAsked['reasons'] }
  type All = V & ReasonValues
  const isTyped = (values: All) => typed === undefined || values.typed.trim() === typed.expected.trim()
  const { form, send, pending, idempotencyKey, ...filled } = useOperationForm<K, All>({
    operation,
    target: props.draft ?? id,
    account,
    snapshot: seen,
    correlationId,
    values: { ...props.values, code: '', text: '', typed: '' },
    schema: props.schema,
    toInput: (values) => ({ id, ...toInput(values) }),
    check: (values) => ({ ...props.check?.(values), ...(isTyped(values) ? {} : { typed: 'does not match yet' }) }),
    warnings: () => warnings,
    reasons,
    onOutcome: (outcome) => {
      if (outcome?.error?.code === 'changed') tell()
      props.onOutcome(outcome)
    },
  })
  const warnings = useWarnings(reasons ? (filled.typed.text ?? '') : '', props.names ?? [], props.warnings ?? [])
  return (
    <OperationForm
      isPanel
      onSubmit={send}
      submitLabel={typeof props.send === 'function' ? props.send(filled.typed) : props.send}
      danger={props.danger}
      pending={pending}
      disabledReason={second.disabledReason}
      idempotencyKey={idempotencyKey}
      onBack={onBack}
    >
      <div className="text-base text-ink-2">
        {typeof props.sentence === 'function' ? props.sentence(filled.typed, warnings.although) : props.sentence}
      </div>
      {second.notice}
      {props.children?.(form)}
      {reasons && (
        <ReasonFields
          reasons={reasons}
          form={form as unknown as UseFormReturn<ReasonValues>}
          where={serviceOperation(operation).reason ?? 'kept'}
        />
      )}
      {typed && <TypedField typed={typed} form={form as unknown as UseFormReturn<ReasonValues>} />}
      <WarningTicks warnings={warnings} />
    </OperationForm>
  )
}

/** An irreversible action requires typing a given text, so that it cannot be confirmed by habit. */
const TypedField = ({ typed, form }: { typed: { label: string; expected: string }; form: UseFormReturn<ReasonValues> }) => (
  <Field
    label={typed.label}
    hint={<OutsideText className="select-none font-mono">{typed.expected}</OutsideText>}
    error={form.formState.errors.typed?.message}
  >
    {(control) => <Input {...control} {...form.register('typed')} autoComplete="off" spellCheck={false} />}
  </Field>
)
