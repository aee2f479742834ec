import { expect, test } from 'vitest'
import { formatFileSize, getDateFormat, getNumberFormat, toCanonicalTimeZone } from './formats'

test('equal formats are the same object, and another zone or shape is another object', () => {
  const dateFormat = getDateFormat('en-US', { timeZone: 'UTC', month: 'short' })
  expect(getDateFormat('en-US', { timeZone: 'UTC', month: 'short' })).toBe(dateFormat)
  expect(getDateFormat('en-US', { timeZone: 'Asia/Tokyo', month: 'short' })).not.toBe(dateFormat)
  expect(getDateFormat('en-US', { timeZone: 'UTC', month: 'long' })).not.toBe(dateFormat)
  expect(getNumberFormat('en-US', { notation: 'compact' })).toBe(
    getNumberFormat('en-US', { notation: 'compact' }),
  )
})

test('an invalid time zone is rejected each time', () => {
  for (let time = 0; time < 2; time += 1)
    expect(() => getDateFormat('en-US', { timeZone: 'Mars/Base' })).toThrow(RangeError)
  expect(toCanonicalTimeZone('Mars/Base')).toBeNull()
  expect(toCanonicalTimeZone('america/new_york')).toBe('America/New_York')
})

test('hundreds of zones do not stay in the cache', () => {
  const firstFormat = getDateFormat('en-US', { timeZone: 'Asia/Tokyo' })
  for (const timeZone of Intl.supportedValuesOf('timeZone')) getDateFormat('en-US', { timeZone })
  const recreatedFormat = getDateFormat('en-US', { timeZone: 'Asia/Tokyo' })
  expect(recreatedFormat).not.toBe(firstFormat)
  expect(getDateFormat('en-US', { timeZone: 'Asia/Tokyo' })).toBe(recreatedFormat)
})

test.each([
  [1023, '1023 bytes'],
  [1024, '1 kB'],
  [1_048_063, '1023 kB'],
  [1_048_064, '1.0 MB'],
  [10_485_760, '10.0 MB'],
])('a file of %i bytes has the size %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text)
})
