import { afterEach, expect, test, vi } from 'vitest'
import { parsePreferences } from '@/lib/client/preferences'
import { bankDay, dayText } from '@/lib/dates'
import { fullMomentText, momentText, wholeMomentText, zoneHeadText, zoneText } from './relative-time'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const now = Date.parse('2026-03-31T18:00:00Z')

test.each([
  ['2026-03-31T17:05:00Z', 'UTC', '17:05'],
  ['2026-03-31T17:05:00Z', 'America/Los_Angeles', '10:05'],
  ['2026-03-31T02:00:00Z', 'America/Los_Angeles', '30 Mar, 19:00'],
  ['2025-12-31T23:30:00Z', 'UTC', '31 Dec 2025, 23:30'],
  ['2026-01-01T03:00:00Z', 'America/New_York', '31 Dec 2025, 22:00'],
])('%s in %s is %s', (at, zone, text) => expect(momentText(at, zone, now)).toBe(text))

test.each([null, undefined, '', 'soon'])('%j is not a time', (at) => expect(momentText(at, 'UTC', now)).toBeNull())

test('the time zone name matches the season of the given time', () => {
  expect(zoneText('America/New_York', now)).toBe('EDT')
  expect(zoneText('America/New_York', Date.parse('2026-01-15T12:00:00Z'))).toBe('EST')
})

test('a zone has one name for the whole year if a common one exists', () => {
  expect(zoneHeadText('America/New_York', now)).toBe('ET')
  expect(zoneHeadText('America/Los_Angeles', now)).toBe('PT')
  expect(zoneHeadText('UTC', now)).toBe('UTC')
  expect(zoneHeadText('Europe/Berlin', now)).toBe('GMT+2')
})

test('the full time shows the local time, UTC and New York time', () => {
  expect(fullMomentText('2026-03-31T22:05:09Z', 'Europe/Berlin').split('\n')).toEqual([
    '1 Apr 2026, 00:05:09 GMT+2 (mine)',
    '31 Mar 2026, 22:05:09 UTC',
    '31 Mar 2026, 18:05:09 EDT (New York)',
  ])
})

test('equal clocks share a line, and an invalid time stays unchanged', () => {
  expect(fullMomentText('2026-03-31T17:05:09Z', 'America/New_York').split('\n')).toEqual([
    '31 Mar 2026, 13:05:09 EDT (mine, New York)',
    '31 Mar 2026, 17:05:09 UTC',
  ])
  expect(fullMomentText('soon', 'UTC')).toBe('soon')
})

test('a list of times creates one format, not one for each time', () => {
  const createdFormats: unknown[] = []
  class Counted extends Intl.DateTimeFormat {
    constructor(locale: string, options: Intl.DateTimeFormatOptions) {
      super(locale, options)
      createdFormats.push(this)
    }
  }
  vi.stubGlobal('Intl', { ...Intl, DateTimeFormat: Counted })
  const shortcut = vi.spyOn(Date.prototype, 'toLocaleDateString')
  for (let row = 0; row < 50; row += 1) {
    const at = now + row * 60_000
    const iso = new Date(at).toISOString()
    const { zone } = parsePreferences('zone=Pacific/Chatham')
    momentText(iso, zone, at)
    fullMomentText(iso, zone)
    wholeMomentText(at, zone)
    zoneText(zone, at)
    zoneHeadText(zone, at)
    dayText(bankDay(at))
  }
  expect(createdFormats.length + shortcut.mock.calls.length).toBeLessThan(20)
  expect(createdFormats.length).toBeGreaterThan(0)
})
