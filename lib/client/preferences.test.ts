import { expect, test } from 'vitest'
import { defaultPreferences, formatPreferences, type Preferences, parsePreferences, shownZone, viewAttributes } from './preferences'

test('what was written is read back', () => {
  const chosen: Preferences = {
    theme: 'dark',
    density: 'compact',
    shortcuts: false,
    nav: 'narrow',
    zoneChoice: 'bank',
    dateOrder: 'day_first',
    clock: '24',
    zone: 'America/Los_Angeles',
    columns: { payouts: 'bank,account', deletions: 'none' },
  }
  expect(parsePreferences(formatPreferences(chosen))).toEqual(chosen)
  expect(formatPreferences(chosen)).toMatch(/^[\w=&%+-]+$/)
})

test.each([
  undefined,
  '',
  'theme=neon&density=9&nav=%00&zone=Mars/Base&zoneChoice=mars',
  `zone=${'A'.repeat(5000)}`,
  '%%%',
  'theme=<script>',
  'cols_payouts=<b>&cols_nothing=bank&cols_charges=',
])('a cookie like %j changes nothing', (value) => expect(parsePreferences(value)).toEqual(defaultPreferences))

test('the system theme leaves the choice to the style sheet', () => {
  expect(viewAttributes(defaultPreferences)['data-theme']).toBeUndefined()
  expect(viewAttributes({ ...defaultPreferences, theme: 'dark' })['data-theme']).toBe('dark')
})

test('times are written on the chosen clock, and a cookie of before the choice keeps one’s own', () => {
  const zone = 'Europe/Berlin'
  expect((['mine', 'utc', 'bank'] as const).map((zoneChoice) => shownZone({ zoneChoice, zone }))).toEqual([zone, 'UTC', 'America/New_York'])
  expect(shownZone(parsePreferences('theme=dark&zone=Europe%2FBerlin'))).toBe(zone)
})
