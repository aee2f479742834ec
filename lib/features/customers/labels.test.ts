import { expect, test } from 'vitest'
import { kycTicks } from './labels'

test('all ten fields are there, and one nobody reported is unknown', () => {
  const ticks = kycTicks({ first_name: true, ssn: false })
  expect(ticks).toHaveLength(10)
  expect(Object.fromEntries(ticks.map(({ field, match }) => [field, match]))).toMatchObject({ first_name: true, ssn: false, email: null })
})

test('a field that came later is shown under its own name', () => {
  expect(kycTicks({ passport_number: true }).at(-1)).toEqual({ field: 'passport_number', label: 'passport number', match: true })
})

test('a name every object has is no field', () => {
  expect(kycTicks({}).some(({ match }) => match !== null)).toBe(false)
})
