import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { composeReason, type DecisionReason } from '@/lib/domain/decision-reasons'
import { reason } from '@/lib/operations/reason.schema'
import { type ReasonedId, rowOf, type WriteId } from '@/lib/operations/rows'
import type { ReasonTyped, ReasonValues } from './reason-fields'
import type { Warnings } from './warning-ticks'
import type { WriteFormOptions } from './write-form-options'

/** The reasons a form has to offer where its operation asks for one; a form of such an operation that offers none does not compile. */
export type ReasonsFor<K extends WriteId> = K extends ReasonedId ? { reasons: readonly DecisionReason[] } : { reasons?: undefined }

/** What draws the reason of a form, and warns of what does not belong in it. */
export type ReasonAsked = { reasons: readonly DecisionReason[]; form: UseFormReturn<ReasonValues>; warnings: Warnings | null }

const reasonOf = ({ code, text }: ReasonTyped) => composeReason(code, text)

function reasonFaults({ code, text }: ReasonTyped): Record<string, string> {
  const choice: Record<string, string> = code === '' ? { code: 'choose a reason' } : {}
  if (text.trim() === '') return { ...choice, text: 'add a note' }
  const fault = reason.safeParse(composeReason(code || 'NONE', text)).error?.issues[0]?.message
  return fault === undefined ? choice : { ...choice, text: fault }
}

/**
 * The form of a write with a reason in it, where `reasons` are offered: code and sentence are checked, kept with the draft and sent like its other
 * fields, in the input or beside it as the operation's row says.
 */
export function withReason<K extends WriteId, V extends FieldValues>(options: WriteFormOptions<K, V>): WriteFormOptions<K, V> {
  if (!options.reasons) return options
  const isSent = rowOf(options.operation).reason === 'sent'
  // The fields are part of the form from here on; what it was given does not know of them.
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
