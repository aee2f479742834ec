import type { FieldValues } from 'react-hook-form'
import type { TypedReason } from '@/components/kits/action/reason-fields'
import { composeReason, type DecisionReason } from '@/lib/domain/reasons'
import { decisionReasonInput } from '@/lib/operations/reason.schema'
import { getServiceOperation, type WriteId } from '@/lib/operations/service-operations'
import type { FormRules } from './form-resolver'

export type ReasonOptions<V> = FormRules<V> & {
  operation: WriteId
  values: V
  /** The reasons to choose from, if the operation requires one. Adds fields for code and note. */
  reasons?: readonly DecisionReason[] | undefined
  /** Returns the reason that Paydesk stores in its action log, composed from the form's values. */
  reasonOf?: ((values: V) => string) | undefined
}

// Joins code and note. `NONE` stands for a missing code, so that only the note is validated here:
// the missing code is an error of its own field.
const composeTypedReason = ({ code, text }: TypedReason) => composeReason(code || 'NONE', text)

// A draft can contain a reason that is no longer offered, because the record changed.
function findReasonFaults(
  { code: typedCode, text }: TypedReason,
  reasons: readonly DecisionReason[],
): Record<string, string> {
  const code = reasons.find((reason) => reason.code === typedCode)?.code ?? ''
  // The message at the code covers both; the empty one only marks the note as invalid.
  if (code === '' && text.trim() === '')
    return { code: 'Choose a reason and add a note.', text: '' }
  const choiceFault: Record<string, string> = code === '' ? { code: 'Choose a reason' } : {}
  if (text.trim() === '') return { ...choiceFault, text: 'Add a note' }
  const fault = decisionReasonInput.safeParse(composeTypedReason({ code, text })).error?.issues[0]
    ?.message
  return fault === undefined ? choiceFault : { ...choiceFault, text: fault }
}

/**
 * Adds two fields for a reason, a code and a note, to a form with `reasons`. Both are validated and
 * stored in the draft like other fields. If the operation's `reason` is `sent`, the service accepts
 * a reason, so it is part of the input. Otherwise only Paydesk stores it.
 */
export function addReasonFields<V extends FieldValues, T>(
  options: T & ReasonOptions<V>,
): T & ReasonOptions<V> {
  const { reasons } = options
  if (!reasons) return options
  const isReasonSent = getServiceOperation(options.operation).reason === 'sent'
  // `values` also contains `code` and `text`, which the type `V` does not.
  const getTypedReason = (values: V) => values as unknown as TypedReason
  return {
    ...options,
    values: { ...options.values, code: '', text: '' },
    toInput: (values: V) => ({
      ...options.toInput(values),
      ...(isReasonSent ? { reason: composeTypedReason(getTypedReason(values)) } : {}),
    }),
    check: (values: V) => ({
      ...options.check?.(values),
      ...findReasonFaults(getTypedReason(values), reasons),
    }),
    reasonOf: isReasonSent ? undefined : (values: V) => composeTypedReason(getTypedReason(values)),
    fieldOf: (reference: string) =>
      reference === 'reason' ? 'text' : (options.fieldOf?.(reference) ?? reference),
  }
}
