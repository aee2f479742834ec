'use client'

import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, set, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { isDefinite, type Outcome } from '@/components/kits/action/outcome'
import type { ReasonTyped, ReasonValues, Warnings } from '@/components/kits/action/reason-fields'
import { draftOf, dropWrite, keepWrite, renewKey } from '@/components/kits/action/write-draft'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { CallAnswer } from '@/lib/client/call'
import { asCallError } from '@/lib/client/call-error'
import { type OperationRequest, useOperation } from '@/lib/client/query/writes'
import { composeReason, type DecisionReason } from '@/lib/domain/reasons'
import { toldWarnings } from '@/lib/domain/warnings'
import type { ErrorItem } from '@/lib/errors'
import { reason } from '@/lib/operations/reason.schema'
import type { Input, Output } from '@/lib/operations/registry'
import { type ReasonedId, serviceOperation, type WriteId } from '@/lib/operations/service-operations'
import { type FormRules, formResolver } from './form-resolver'

export type OperationFormOptions<K extends WriteId, V extends FieldValues> = FormRules<V> & {
  operation: K
  /** Names the draft: the object's id, or `new`. */
  target: string
  account: string | null
  correlationId: string
  snapshot?: string
  /** Fields that are never stored in a draft: numbers and tokens that must not outlast their form. Nested names have dots. */
  secret?: readonly string[]
  values: V
  /** Warnings to tick before sending. They are checked after the fields are valid, and stored with the action. */
  warnings?: () => Warnings | null | undefined
  /** The reasons to choose from, if the operation requires a reason. The form then has a code and a sentence (see `withReason`). */
  reasons?: readonly DecisionReason[]
  /** Returns the reason for the action log, for a form that composes it from its own fields. */
  reasonOf?: (values: V) => string
  /** Called with the outcome; null clears the last one when a new try starts. */
  onOutcome: (outcome: Outcome | null) => void
  onDone?: (answer: CallAnswer<Output<K>>) => void
}

/** The reasons a form must offer if its operation requires one. Such a form does not compile without them. */
export type ReasonsFor<K extends WriteId> = K extends ReasonedId ? { reasons: readonly DecisionReason[] } : { reasons?: undefined }

/** Props of the reason fields, and the warnings about their text. */
export type ReasonAsked = { reasons: readonly DecisionReason[]; form: UseFormReturn<ReasonValues>; warnings: Warnings | null }

// A missing code is reported at its own field and is not an error of the note.
const reasonOf = ({ code, text }: ReasonTyped) => composeReason(code || 'NONE', text)

function reasonFaults({ code, text }: ReasonTyped): Record<string, string> {
  // Both are missing: one message at the choice covers both. The empty message suppresses further errors of the note.
  if (code === '' && text.trim() === '') return { code: 'Choose a reason and add a note', text: '' }
  const choice: Record<string, string> = code === '' ? { code: 'Choose a reason' } : {}
  if (text.trim() === '') return { ...choice, text: 'Add a note' }
  const fault = reason.safeParse(reasonOf({ code, text })).error?.issues[0]?.message
  return fault === undefined ? choice : { ...choice, text: fault }
}

/**
 * Adds the reason to a form, if `reasons` are offered. Code and sentence are validated and stored in the draft like other fields. They are
 * sent in the input or beside it, depending on the operation.
 */
export function withReason<K extends WriteId, V extends FieldValues>(options: OperationFormOptions<K, V>): OperationFormOptions<K, V> {
  if (!options.reasons) return options
  const isSent = serviceOperation(options.operation).reason === 'sent'
  // The form now holds the reason fields, but `V` does not include them.
  const typed = (values: V) => values as unknown as ReasonTyped
  return {
    ...options,
    values: { ...options.values, code: '', text: '' },
    toInput: (values) => ({ ...options.toInput(values), ...(isSent ? { reason: reasonOf(typed(values)) } : {}) }),
    check: (values) => ({ ...options.check?.(values), ...reasonFaults(typed(values)) }),
    reasonOf: isSent ? undefined : (values) => reasonOf(typed(values)),
    fieldOf: (reference) => (reference === 'reason' ? 'text' : (options.fieldOf?.(reference) ?? reference)),
  }
}

/** A form's write as its outcome needs it: operation, key, and callbacks for when it settles. */
export type PendingWrite = {
  operation: WriteId
  account: string | null
  key: string
  /** Drops the draft: the write was applied. */
  done: () => void
  /** Sets a new key: the write certainly failed, so the next try is a new request. */
  renew: () => void
}

/** Fields, key and sending of one write. Entries outlast errors and a closed panel. The service's messages are set at their fields. */
export function useOperationForm<K extends WriteId, V extends FieldValues>(given: OperationFormOptions<K, V>) {
  const options = withReason(given)
  const { operation, target, values, onOutcome, onDone } = options
  const context = usePageContext()
  const [draft] = useState(() => draftOf(operation, target, values))
  const [key, setKey] = useState(draft.key)
  const form = useForm<V>({
    resolver: formResolver<V>(options),
    defaultValues: draft.values as DefaultValues<V>,
  })
  const typed = useWatch({ control: form.control })
  const write = useOperation<K>({ environment: context.environment, account: options.account })
  const secret = options.secret?.join(' ') ?? ''
  const isTyped = draft.typed === true || form.formState.isDirty
  useEffect(
    () => keepWrite(operation, target, { values: withoutSecrets(typed as V, secret), key, typed: isTyped }),
    [operation, target, typed, key, secret, isTyped],
  )

  const fail = (cause: unknown) => {
    const error = asCallError(cause)
    if (isDefinite(error.code)) setKey(renewKey(operation, target))
    const found = toldWarnings(error.items)
    const warnings = found.length > 0 ? options.warnings?.() : null
    if (warnings) return warnings.tell(found)
    const unplaced = placeErrors(options, error.items, typed as V, (name, message) => form.setError(name, { type: 'server', message }))
    const wire = { ...error.toWire(), items: unplaced.length > 0 ? unplaced : undefined }
    onOutcome({ operation, action: error.action, error: { ...wire, requestId: error.requestId, local: error.local } })
  }
  const send = form.handleSubmit(async (filled) => {
    const warnings = options.warnings?.()
    if (write.isPending || warnings?.allTicked() === false) return
    onOutcome(null)
    const { correlationId, snapshot, toInput, reasonOf } = options
    const reason = reasonOf?.(filled as unknown as V)
    const input = toInput(filled as unknown as V) as Input<K>
    const ask = (idempotencyKey: string) =>
      write.mutateAsync({
        operation,
        input,
        idempotencyKey,
        correlationId,
        snapshot,
        reason,
        warnings: warnings?.names(),
      } as OperationRequest<K>)
    const askAgain = (cause: unknown) => {
      // The credential was returned to an earlier try of this form and that response was lost. A second request creates no duplicate, so it
      // is sent automatically.
      if (!serviceOperation(operation).credential || asCallError(cause).code !== 'answer_not_kept') throw cause
      const next = renewKey(operation, target)
      setKey(next)
      return ask(next)
    }
    const answer = await ask(key).catch(askAgain).catch(fail)
    if (!answer) return
    dropWrite(operation, target)
    onOutcome({ operation, action: answer.action, replayed: answer.replayed })
    onDone?.(answer)
  })
  const pendingWrite: PendingWrite = {
    operation,
    account: options.account,
    key,
    done: () => dropWrite(operation, target),
    renew: () => setKey(renewKey(operation, target)),
  }
  return { form, typed: typed as V, send, pending: write.isPending, idempotencyKey: key, pendingWrite }
}

function withoutSecrets<V extends FieldValues>(values: V, secret: string): V {
  if (secret === '') return values
  const publicValues = structuredClone(values)
  for (const name of secret.split(' ')) set(publicValues, name, '')
  return publicValues
}

const fieldOf = (options: Pick<OperationFormOptions<never, never>, 'fieldOf'>, reference: string) =>
  options.fieldOf?.(reference) ?? reference

/** Sets the service's messages at their fields and returns those without a field. */
function placeErrors<V extends FieldValues>(
  options: Pick<OperationFormOptions<never, never>, 'fieldOf'>,
  items: readonly ErrorItem[],
  values: V,
  place: (name: Path<V>, message: string) => void,
): ErrorItem[] {
  return items.filter((item) => {
    const name = fieldOf(options, item.reference)
    const hasField = name !== '' && Object.hasOwn(values, name.split('.')[0] ?? '')
    if (hasField) place(name as Path<V>, item.detail)
    return !hasField
  })
}
