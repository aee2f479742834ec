import type { FieldValues } from 'react-hook-form'
import type { TypedReason } from '@/components/kits/action/reason-fields'
import { composeReason, type DecisionReason } from '@/lib/domain/reasons'
import { reason } from '@/lib/operations/reason.schema'
import { serviceOperation, type WriteId } from '@/lib/operations/service-operations'
import type { FormRules } from './form-resolver'

/** The options of a form that `addReason` changes or reads. */
export type ReasonOptions<V> = FormRules<V> & {
  operation: WriteId
  values: V
  /** The reasons to choose from, if the operation requires one. The form then has fields for a code and a note. */
  reasons?: readonly DecisionReason[] | undefined
  /** Returns the reason for the action log, for a form that composes it from its own fields. */
  reasonOf?: ((values: V) => string) | undefined
}

// A missing code is reported at its own field. `NONE` takes its place, so that the note is not invalid because of the code.
const composeTypedReason = ({ code, text }: TypedReason) => composeReason(code || 'NONE', text)

function findReasonFaults({ code, text }: TypedReason): Record<string, string> {
  // Both are missing: one message at the code covers both. The empty message marks the note as invalid without a text.
  if (code === '' && text.trim() === '') return { code: 'Choose a reason and add a note.', text: '' }
  const choiceFault: Record<string, string> = code === '' ? { code: 'Choose a reason' } : {}
  if (text.trim() === '') return { ...choiceFault, text: 'Add a note' }
  const fault = reason.safeParse(composeTypedReason({ code, text })).error?.issues[0]?.message
  return fault === undefined ? choiceFault : { ...choiceFault, text: fault }
}

/**
 * Adds fields for a reason to a form, if it has `reasons`. Code and note are validated and stored in the draft like other fields. If the
 * operation's `reason` is `sent`, the reason is part of the input. Otherwise it is sent beside the input, and only Paydesk stores it.
 */
export function addReason<V extends FieldValues, T>(options: T & ReasonOptions<V>): T & ReasonOptions<V> {
  if (!options.reasons) return options
  const isReasonSent = serviceOperation(options.operation).reason === 'sent'
  // The form contains the reason's fields, which are not in `V`.
  const getTypedReason = (values: V) => values as unknown as TypedReason
  return {
    ...options,
    values: { ...options.values, code: '', text: '' },
    toInput: (values: V) => ({
      ...options.toInput(values),
      ...(isReasonSent ? { reason: composeTypedReason(getTypedReason(values)) } : {}),
    }),
    check: (values: V) => ({ ...options.check?.(values), ...findReasonFaults(getTypedReason(values)) }),
    reasonOf: isReasonSent ? undefined : (values: V) => composeTypedReason(getTypedReason(values)),
    fieldOf: (reference: string) => (reference === 'reason' ? 'text' : (options.fieldOf?.(reference) ?? reference)),
  }
}
