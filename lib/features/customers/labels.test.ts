import { expect, test } from 'vitest'
import { toKycFieldResults } from './labels'

test('all ten fields are listed, and an unreported field is unknown', () => {
  const fieldResults = toKycFieldResults({ first_name: true, ssn: false })
  expect(fieldResults).toHaveLength(10)
  expect(Object.fromEntries(fieldResults.map(({ field, match }) => [field, match]))).toMatchObject({
    first_name: true,
    ssn: false,
    email: null,
  })
})

test('a new field is shown under its own name', () => {
  expect(toKycFieldResults({ passport_number: true }).at(-1)).toEqual({
    field: 'passport_number',
    label: 'passport number',
    match: true,
  })
})

test('a property of every object does not count as a field', () => {
  expect(toKycFieldResults({}).some(({ match }) => match !== null)).toBe(false)
})
