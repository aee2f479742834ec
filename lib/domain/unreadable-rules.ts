import { listUnreadable } from '@/lib/operations/answer'
import { paymentFields } from '@/lib/operations/define'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'

/** True if the field, one of its parents or a part of it could not be read. */
export const isUnreadable = (object: unknown, name: string): boolean =>
  listUnreadable(object).some(({ field }) => field === name || field.startsWith(`${name}.`) || name.startsWith(`${field}.`))

/** True if a required payment field is missing. The schema then returns an empty text for it. */
const isMissing = (object: unknown, name: string): boolean =>
  paymentFields.some((each) => each === name) && (object as Record<string, unknown> | null)?.[name] === ''

/** Returns why an operation is unavailable, because a field that it needs could not be read, as a sentence; null if all could be read. */
export function whyUnreadable(operation: ServiceOperationId, object: unknown): string | null {
  const { restsOn: rule } = serviceOperation(operation)
  const unusableFields = rule?.fields.filter((name) => isUnreadable(object, name) || isMissing(object, name)) ?? []
  if (!rule || unusableFields.length === 0) return null
  return `The ${unusableFields.map((name) => name.replaceAll('_', ' ')).join(' and the ')} could not be read, so ${rule.so}`
}
