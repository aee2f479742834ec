import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { ReasonValues } from './reason-fields'
import { useWarnings } from './warning-ticks'
import type { ReasonAsked } from './with-reason'

type Filled<V extends FieldValues> = { form: UseFormReturn<V>; typed: V }

/** The reason of a form whose operation asks for one, as its page draws it; null where it asks for none. `names` do not belong in its text. */
export function useReason<V extends FieldValues>(
  reasons: ReasonAsked['reasons'] | undefined,
  { form, typed }: Filled<V>,
  names: readonly (string | undefined)[],
): ReasonAsked | null {
  const warnings = useWarnings(reasons ? String(typed.text ?? '') : '', names, [])
  // The form holds the two fields and more; its type does not say so by itself.
  return reasons ? { reasons, form: form as unknown as UseFormReturn<ReasonValues>, warnings } : null
}
