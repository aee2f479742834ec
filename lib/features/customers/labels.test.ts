import { expect, test } from 'vitest'
import { kycTicks } from './labels'

test('all ten fields are listed, and an unreported field is unknown', () => {
  const ticks = kycTicks({ first_name: true, ssn: false })
  expect(ticks).toHaveLength(10)
  expect(Object.fromEntries(ticks.map(({ field, match }) => [field, match]))).toMatchObject({ first_name: true, ssn: false, email: null })
})

test('a new field is shown under its own name', () => {
  expect(kycTicks({ passport_number: true }).at(-1)).toEqual({ field: 'passport_number', label: 'passport number', match: true })
})

test('a property of every object does not count as a field', () => {
  expect(kycTicks({}).some(({ match }) => match !== null)).toBe(false)
})
