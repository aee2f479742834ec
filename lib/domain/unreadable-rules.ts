import { unreadableIn } from '@/lib/operations/answer'
import { paymentFields } from '@/lib/operations/define'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'

/** Whether a part of an object could not be read, or what it is in, or some of it. */
export const isUnreadable = (object: unknown, name: string): boolean =>
  unreadableIn(object).some(({ field }) => field === name || field.startsWith(`${name}.`) || name.startsWith(`${field}.`))

/** What a payment always has reads as an empty text where it is missing. */
const lacks = (object: unknown, name: string): boolean =>
  paymentFields.some((each) => each === name) && (object as Record<string, unknown> | null)?.[name] === ''

/** Why an operation cannot be done on an object that was read in part only, as a sentence; null where what it rests on was read. */
export function whyUnreadable(operation: ServiceOperationId, object: unknown): string | null {
  const { restsOn: rule } = serviceOperation(operation)
  const missing = rule?.fields.filter((name) => isUnreadable(object, name) || lacks(object, name)) ?? []
  if (!rule || missing.length === 0) return null
  return `The ${missing.map((name) => name.replaceAll('_', ' ')).join(' and the ')} could not be read, so ${rule.so}`
}
