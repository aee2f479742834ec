import { describe, expect, test } from 'vitest'
import {
  type InputCase,
  type InputFields,
  type InvalidField,
  inputCasesByOperation,
} from '@/tests/operations/input-violations'
import { platformInputCases } from '@/tests/operations/platform-input-violations'
import { getSchemas } from './registry'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from './service-operations'

const inputCases = { ...inputCasesByOperation, ...platformInputCases }

/**
 * Returns a copy of the fields in which the field at a dotted path has the value; undefined removes
 * the field.
 */
function setField(fields: InputFields, [path]: InvalidField, value: unknown): InputFields {
  const fieldsCopy = structuredClone(fields)
  const pathParts = path.split('.')
  const lastPathPart = pathParts.pop() ?? ''
  let parentFields = fieldsCopy
  for (const name of pathParts) {
    parentFields[name] ??= {}
    parentFields = parentFields[name] as InputFields
  }
  if (value === undefined) delete parentFields[lastPathPart]
  else parentFields[lastPathPart] = value
  return fieldsCopy
}

const parseFields = (operation: ServiceOperationId, fields: InputFields) =>
  getSchemas(operation).input.safeParse(fields)

describe.each(Object.entries(inputCases) as [ServiceOperationId, InputCase][])(
  '%s',
  (operation, { good, bad }) => {
    test('accepts valid input', () => {
      expect(parseFields(operation, good)).toMatchObject({ success: true })
    })

    test.each(bad)('rejects %s = %j', (...one) => {
      const [field, value, message] = one
      const { error } = parseFields(operation, setField(good, one, value))
      const errorMessages =
        error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
      expect(errorMessages.join('\n')).toMatch(message)
      expect(errorMessages.join('\n')).toContain(field.split('.')[0])
    })

    test('rejects an unknown field', () => {
      expect(parseFields(operation, { ...good, admin: true }).error?.issues[0]).toMatchObject({
        code: 'unrecognized_keys',
        keys: ['admin'],
      })
    })
  },
)

test('the cases cover every write with more input than an ID', () => {
  const inputOperations = serviceOperationIds.filter(
    (operation) =>
      getServiceOperation(operation).effect !== 'read' &&
      Object.keys(getSchemas(operation).input.shape).some((name) => name !== 'id'),
  )
  expect(inputOperations.filter((operation) => !inputCases[operation])).toEqual([])
})

test('the required identifiers depend on the customer type', () => {
  const validInput = inputCases['customers.create']?.good
  const invalidFields = parseFields('customers.create', {
    ...validInput,
    type: 'business',
  }).error?.issues.map((issue) => issue.path.join('.'))
  expect(invalidFields?.sort()).toEqual(
    ['ein', 'legal_business_name', 'ssn', 'dob'].map((name) => `compliance_profile.${name}`).sort(),
  )
})

test('asking compliance for nothing is refused', () => {
  expect(parseFields('capability_requests.create', {}).error?.issues[0]?.message).toBe(
    'Request at least one change.',
  )
})

test('a list page has a maximum size, and only known statuses are accepted', () => {
  expect(parseFields('customers.list', {}).data).toMatchObject({
    page_number: 1,
    page_size: 50,
    sort_by: 'created_at',
    sort_order: 'desc',
  })
  expect(parseFields('customers.list', { status: 'review,pending' }).data).toMatchObject({
    status: ['review', 'pending'],
  })
  expect(parseFields('customers.list', { page_size: '1001' }).error?.issues[0]?.message).toBe(
    'Must be at most 1000.',
  )
  expect(parseFields('customers.list', { status: 'sleeping' }).error?.issues[0]?.message).toMatch(
    /Must be one of pending/,
  )
  expect(parseFields('paykeys.list', { unblock_eligible: 'maybe' }).success).toBe(false)
  expect(parseFields('customers.list', { email: 'ann@example.com' }).success).toBe(false)
})
