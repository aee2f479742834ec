import { afterEach, expect, test, vi } from 'vitest'
import { parsePreferences } from '@/lib/client/preferences'
import { formatDay, toNewYorkDate, usDateStyle } from '@/lib/dates'
import {
  formatFullTime,
  formatGenericZoneName,
  formatMoment,
  formatMomentTooltip,
  formatZoneName,
} from './relative-time'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const now = Date.parse('2026-03-31T18:00:00Z')

test.each([
  ['2026-03-31T17:05:00Z', 'UTC', '5:05 PM'],
  ['2026-03-31T17:05:00Z', 'America/Los_Angeles', '10:05 AM'],
  ['2026-03-31T02:00:00Z', 'America/Los_Angeles', 'Mar 30, 7:00 PM'],
  ['2025-12-31T23:30:00Z', 'UTC', 'Dec 31, 2025, 11:30 PM'],
  ['2026-01-01T03:00:00Z', 'America/New_York', 'Dec 31, 2025, 10:00 PM'],
])('%s in %s is %s', (at, zone, text) =>
  expect(formatMoment(at, zone, now, usDateStyle)).toBe(text),
)

test('the reader can choose the day first and a clock of 24 hours', () => {
  const dateStyle = { dateOrder: 'day_first', clock: '24' } as const
  expect(formatMoment('2025-12-31T23:30:00Z', 'UTC', now, dateStyle)).toBe('31 Dec 2025, 23:30')
  expect(formatMoment('2026-03-30T09:05:00Z', 'UTC', now, dateStyle)).toBe('30 Mar, 09:05')
  expect(formatFullTime(now, 'UTC', dateStyle)).toBe('31 Mar 2026, 18:00:00 UTC')
})

test.each([null, undefined, '', 'soon'])('%j is no moment', (at) =>
  expect(formatMoment(at, 'UTC', now, usDateStyle)).toBeNull(),
)

test('the time zone name matches the season of the given time', () => {
  expect(formatZoneName('America/New_York', now)).toBe('EDT')
  expect(formatZoneName('America/New_York', Date.parse('2026-01-15T12:00:00Z'))).toBe('EST')
})

test('a zone has one name for the whole year if a common one exists', () => {
  expect(formatGenericZoneName('America/New_York', now)).toBe('ET')
  expect(formatGenericZoneName('America/Los_Angeles', now)).toBe('PT')
  expect(formatGenericZoneName('UTC', now)).toBe('UTC')
  expect(formatGenericZoneName('Europe/Berlin', now)).toBe('GMT+2')
})

test('the whole moment is told on three clocks', () => {
  expect(
    formatMomentTooltip('2026-03-31T22:05:09Z', 'Europe/Berlin', usDateStyle).split('\n'),
  ).toEqual([
    'Apr 1, 2026, 12:05:09 AM GMT+2 (mine)',
    'Mar 31, 2026, 10:05:09 PM UTC',
    'Mar 31, 2026, 6:05:09 PM EDT (New York)',
  ])
})

test('clocks that agree share a line, and what is no time stays as it is', () => {
  expect(
    formatMomentTooltip('2026-03-31T17:05:09Z', 'America/New_York', usDateStyle).split('\n'),
  ).toEqual(['Mar 31, 2026, 1:05:09 PM EDT (mine, New York)', 'Mar 31, 2026, 5:05:09 PM UTC'])
  expect(formatMomentTooltip('soon', 'UTC', usDateStyle)).toBe('soon')
})

test('a list of times creates one format, not one for each time', () => {
  const createdFormats: unknown[] = []
  class CountingDateTimeFormat extends Intl.DateTimeFormat {
    constructor(locale: string, options: Intl.DateTimeFormatOptions) {
      super(locale, options)
      createdFormats.push(this)
    }
  }
  vi.stubGlobal('Intl', { ...Intl, DateTimeFormat: CountingDateTimeFormat })
  const localeDateSpy = vi.spyOn(Date.prototype, 'toLocaleDateString')
  for (let row = 0; row < 50; row += 1) {
    const rowTime = now + row * 60_000
    const iso = new Date(rowTime).toISOString()
    const { zone } = parsePreferences('zone=Pacific/Chatham')
    formatMoment(iso, zone, rowTime, usDateStyle)
    formatMomentTooltip(iso, zone, usDateStyle)
    formatFullTime(rowTime, zone, usDateStyle)
    formatZoneName(zone, rowTime)
    formatGenericZoneName(zone, rowTime)
    formatDay(toNewYorkDate(rowTime))
  }
  expect(createdFormats.length + localeDateSpy.mock.calls.length).toBeLessThan(20)
  expect(createdFormats.length).toBeGreaterThan(0)
})
