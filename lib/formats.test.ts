import { expect, test } from 'vitest'
import { canonicalZone, dateFormat, numberFormat } from './formats'

test('equal formats are the same object, and another zone or shape is another object', () => {
  const format = dateFormat('en-US', { timeZone: 'UTC', month: 'short' })
  expect(dateFormat('en-US', { timeZone: 'UTC', month: 'short' })).toBe(format)
  expect(dateFormat('en-US', { timeZone: 'Asia/Tokyo', month: 'short' })).not.toBe(format)
  expect(dateFormat('en-US', { timeZone: 'UTC', month: 'long' })).not.toBe(format)
  expect(numberFormat('en-US', { notation: 'compact' })).toBe(numberFormat('en-US', { notation: 'compact' }))
})

test('an invalid time zone is rejected each time', () => {
  for (let time = 0; time < 2; time += 1) expect(() => dateFormat('en-US', { timeZone: 'Mars/Base' })).toThrow(RangeError)
  expect(canonicalZone('Mars/Base')).toBeNull()
  expect(canonicalZone('america/new_york')).toBe('America/New_York')
})

test('hundreds of zones do not stay in the cache', () => {
  const first = dateFormat('en-US', { timeZone: 'Asia/Tokyo' })
  for (const timeZone of Intl.supportedValuesOf('timeZone')) dateFormat('en-US', { timeZone })
  const recreated = dateFormat('en-US', { timeZone: 'Asia/Tokyo' })
  expect(recreated).not.toBe(first)
  expect(dateFormat('en-US', { timeZone: 'Asia/Tokyo' })).toBe(recreated)
})
