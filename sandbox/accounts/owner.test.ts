import { expect, test } from 'vitest'
import { requireAccountRowNumber } from './owner'

test('an object that only an account can own must have one', () => {
  expect(requireAccountRowNumber(3)).toBe(3)
  expect(() => requireAccountRowNumber(null)).toThrow(RangeError)
})
