import { getUnreadableFields } from '@/lib/operations/answer'
import { requiredPaymentFields } from '@/lib/operations/define'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'

/** True if the field, a field that contains it, or a field inside it could not be read. */
export const isFieldUnreadable = (object: unknown, fieldPath: string): boolean =>
  getUnreadableFields(object).some(
    ({ field }) =>
      field === fieldPath || field.startsWith(`${fieldPath}.`) || fieldPath.startsWith(`${field}.`),
  )

/**
 * True if the service sent no value for a required payment field. The schema parses such a field as
 * an empty text.
 */
const isPaymentFieldMissing = (object: unknown, fieldName: string): boolean =>
  requiredPaymentFields.some((each) => each === fieldName) &&
  (object as Record<string, unknown> | null)?.[fieldName] === ''

/**
 * Returns why an operation is unavailable, as a sentence: it names the fields that the operation
 * needs and that could not be read. Null if all could be read.
 */
export function whyFieldsUnreadable(operation: ServiceOperationId, object: unknown): string | null {
  const { restsOn: rule } = getServiceOperation(operation)
  const unusableFields =
    rule?.fields.filter(
      (name) => isFieldUnreadable(object, name) || isPaymentFieldMissing(object, name),
    ) ?? []
  if (!rule || unusableFields.length === 0) return null
  return `The ${unusableFields.map((name) => name.replaceAll('_', ' ')).join(' and the ')} could not be read, so ${rule.so}`
}
