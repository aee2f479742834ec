import { describe, expect, test } from 'vitest'
import {
  type Fields,
  type InputCase,
  type InvalidField,
  inputViolations,
  platformInputViolations,
} from '@/tests/operations/input-violations'
import { getSchemas } from './registry'
import { type ServiceOperationId, serviceOperation, serviceOperationIds } from './service-operations'

const cases = { ...inputViolations, ...platformInputViolations }

/** Returns a copy with one field, given by its dotted path, set or removed. */
function setField(fields: Fields, [path]: InvalidField, value: unknown): Fields {
  const copy = structuredClone(fields)
  const names = path.split('.')
  const last = names.pop() ?? ''
  let at = copy
  for (const name of names) {
    at[name] ??= {}
    at = at[name] as Fields
  }
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

const parse = (operation: ServiceOperationId, fields: Fields) => getSchemas(operation).input.safeParse(fields)

describe.each(Object.entries(cases) as [ServiceOperationId, InputCase][])('%s', (operation, { good, bad }) => {
  test('accepts valid input', () => {
    expect(parse(operation, good)).toMatchObject({ success: true })
  })

  test.each(bad)('rejects %s = %j', (...one) => {
    const [field, value, message] = one
    const { error } = parse(operation, setField(good, one, value))
    const messages = error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
    expect(messages.join('\n')).toMatch(message)
    expect(messages.join('\n')).toContain(field.split('.')[0])
  })

  test('rejects an unknown field', () => {
    expect(parse(operation, { ...good, admin: true }).error?.issues[0]).toMatchObject({ code: 'unrecognized_keys', keys: ['admin'] })
  })
})

test('the cases cover every write with more input than an ID', () => {
  const inputOperations = serviceOperationIds.filter(
    (operation) =>
      serviceOperation(operation).effect !== 'read' && Object.keys(getSchemas(operation).input.shape).some((name) => name !== 'id'),
  )
  expect(inputOperations.filter((operation) => !cases[operation])).toEqual([])
})

test('the required identifiers depend on the customer type', () => {
  const validInput = cases['customers.create']?.good
  const invalidFields = parse('customers.create', { ...validInput, type: 'business' }).error?.issues.map((issue) => issue.path.join('.'))
  expect(invalidFields?.sort()).toEqual(['ein', 'legal_business_name', 'ssn', 'dob'].map((name) => `compliance_profile.${name}`).sort())
})

test('asking compliance for nothing is refused', () => {
  expect(parse('capability_requests.create', {}).error?.issues[0]?.message).toBe('Request at least one change.')
})

test('a list page has a maximum size, and only known statuses are accepted', () => {
  expect(parse('customers.list', {}).data).toMatchObject({ page_number: 1, page_size: 50, sort_by: 'created_at', sort_order: 'desc' })
  expect(parse('customers.list', { status: 'review,pending' }).data).toMatchObject({ status: ['review', 'pending'] })
  expect(parse('customers.list', { page_size: '1001' }).error?.issues[0]?.message).toBe('Must be at most 1000.')
  expect(parse('customers.list', { status: 'sleeping' }).error?.issues[0]?.message).toMatch(/Must be one of pending/)
  expect(parse('paykeys.list', { unblock_eligible: 'maybe' }).success).toBe(false)
  expect(parse('customers.list', { email: 'ann@example.com' }).success).toBe(false)
})
