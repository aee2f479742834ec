import { describe, expect, test } from 'vitest'
import {
  formatDay,
  formatDuration,
  formatRelativeTime,
  getMonthStart,
  isCalendarDate,
  toDayEnd,
  toDayStart,
  toNewYorkDate,
} from './dates'

const noonUtc = Date.parse('2026-03-31T12:00:00Z')

test.each([
  [40_000, '40 s'],
  [59 * 60_000, '59 min'],
  [47 * 3_600_000, '47 h'],
  [6 * 86_400_000, '6 d'],
])('%d ms has the text %s', (length, text) => {
  expect(formatDuration(length)).toBe(text)
})

describe('formatRelativeTime', () => {
  test('formats past, future and present times', () => {
    expect(formatRelativeTime('2026-03-31T09:00:00Z', noonUtc)).toBe('3 h ago')
    expect(formatRelativeTime('2026-04-02T12:00:00Z', noonUtc)).toBe('in 2 d')
    expect(formatRelativeTime('2026-03-31T11:59:58Z', noonUtc)).toBe('just now')
    expect(formatRelativeTime('2026-03-31T12:00:20Z', noonUtc)).toBe('just now')
    expect(formatRelativeTime('2026-03-31T12:00:40Z', noonUtc)).toBe('in 40 s')
  })
  test('returns null if the text is not a time', () => {
    expect(formatRelativeTime('soon', noonUtc)).toBeNull()
    expect(formatRelativeTime(undefined, noonUtc)).toBeNull()
  })
})

test('a calendar date is never shifted by a zone', () => {
  expect(formatDay('2026-03-01')).toBe('Mar 1, 2026')
  expect(formatDay('2026-09-30')).toBe('Sep 30, 2026')
  expect(formatDay('2026-09-30', 'day_first')).toBe('30 Sep 2026')
  expect(formatDay('not a date')).toBe('not a date')
})

test('only existing dates are valid days', () => {
  expect(isCalendarDate('2026-02-29')).toBe(false)
  expect(isCalendarDate('2028-02-29')).toBe(true)
  expect(isCalendarDate('2026-3-1')).toBe(false)
})

test('the bank day is the day in New York', () => {
  expect(toNewYorkDate(Date.parse('2026-03-31T03:30:00Z'))).toBe('2026-03-30')
  expect(toNewYorkDate(Date.parse('2026-03-31T04:30:00Z'))).toBe('2026-03-31')
})

test('the month starts on its first day', () => {
  expect(getMonthStart('2026-03-31')).toBe('2026-03-01')
})

test.each([
  ['2026-11-25', 'America/New_York', '2026-11-25T05:00:00.000Z', '2026-11-26T04:59:59.999Z'],
  ['2026-11-25', 'UTC', '2026-11-25T00:00:00.000Z', '2026-11-25T23:59:59.999Z'],
  ['2026-11-25', 'Asia/Kolkata', '2026-11-24T18:30:00.000Z', '2026-11-25T18:29:59.999Z'],
  ['2026-11-25', 'Pacific/Kiritimati', '2026-11-24T10:00:00.000Z', '2026-11-25T09:59:59.999Z'],
  ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
  // The clock skips the hour after midnight, or shows the hour before midnight twice.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-11-05T01:59:59.999Z'],
  ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z', '2018-02-19T02:59:59.999Z'],
])('the day %s in %s begins at %s and ends at %s', (date, zone, start, end) => {
  expect(new Date(toDayStart(date, zone)).toISOString()).toBe(start)
  expect(new Date(toDayEnd(date, zone)).toISOString()).toBe(end)
})
