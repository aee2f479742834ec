import { unreadableIn } from '@/lib/operations/answer'
import { paymentFields } from '@/lib/operations/define'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'

/** True if the field, a parent or a part of it could not be read. */
export const isUnreadable = (object: unknown, name: string): boolean =>
  unreadableIn(object).some(({ field }) => field === name || field.startsWith(`${name}.`) || name.startsWith(`${field}.`))

/** True if a required payment field is missing; it is then parsed as an empty text. */
const lacks = (object: unknown, name: string): boolean =>
  paymentFields.some((each) => each === name) && (object as Record<string, unknown> | null)?.[name] === ''

/** Why an operation is unavailable on a partly unreadable object, as a sentence, or null if the fields it needs were read. */
export function whyUnreadable(operation: ServiceOperationId, object: unknown): string | null {
  const { restsOn: rule } = serviceOperation(operation)
  const missing = rule?.fields.filter((name) => isUnreadable(object, name) || lacks(object, name)) ?? []
  if (!rule || missing.length === 0) return null
  return `The ${missing.map((name) => name.replaceAll('_', ' ')).join(' and the ')} could not be read, so ${rule.so}`
}
