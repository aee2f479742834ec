import { getUnreadableFields } from '@/lib/operations/answer'
import { requiredPaymentFields } from '@/lib/operations/define'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'

/** True if the field, a field that contains it, or a field inside it could not be read. */
export const isFieldUnreadable = (object: unknown, fieldPath: string): boolean =>
  getUnreadableFields(object).some(
    ({ field }) =>
      field === fieldPath || field.startsWith(`${fieldPath}.`) || fieldPath.startsWith(`${field}.`),
  )

/** The schema parses a missing required payment field as an empty text. */
const isPaymentFieldMissing = (object: unknown, fieldName: string): boolean =>
  requiredPaymentFields.some((each) => each === fieldName) &&
  (object as Record<string, unknown> | null)?.[fieldName] === ''

/** Returns a sentence that names the unreadable fields the operation needs, or null. */
export function whyFieldsUnreadable(operation: ServiceOperationId, object: unknown): string | null {
  const { restsOn: rule } = getServiceOperation(operation)
  const unusableFields =
    rule?.fields.filter(
      (name) => isFieldUnreadable(object, name) || isPaymentFieldMissing(object, name),
    ) ?? []
  if (!rule || unusableFields.length === 0) return null
  return `The ${unusableFields.map((name) => name.replaceAll('_', ' ')).join(' and the ')} could not be read, so ${rule.so}`
}
