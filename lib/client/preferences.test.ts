import { expect, test } from 'vitest'
import {
  defaultPreferences,
  formatPreferences,
  getShownTimeZone,
  type Preferences,
  parsePreferences,
  toHtmlDataAttributes,
} from './preferences'

test('formatted preferences are parsed back without loss', () => {
  const chosenPreferences: Preferences = {
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
  expect(parsePreferences(formatPreferences(chosenPreferences))).toEqual(chosenPreferences)
  expect(formatPreferences(chosenPreferences)).toMatch(/^[\w=&%+-]+$/)
})

test.each([
  undefined,
  '',
  'theme=neon&density=9&nav=%00&zone=Mars/Base&zoneChoice=mars',
  `zone=${'A'.repeat(5000)}`,
  '%%%',
  'theme=<script>',
  'cols_payouts=<b>&cols_nothing=bank&cols_charges=',
])('the cookie %j yields the default preferences', (value) =>
  expect(parsePreferences(value)).toEqual(defaultPreferences),
)

test('the system theme sets no data-theme attribute', () => {
  expect(toHtmlDataAttributes(defaultPreferences)['data-theme']).toBeUndefined()
  expect(toHtmlDataAttributes({ ...defaultPreferences, theme: 'dark' })['data-theme']).toBe('dark')
})

test('times use the chosen zone, and an older cookie keeps the browser’s zone', () => {
  const timeZone = 'Europe/Berlin'
  expect(
    (['mine', 'utc', 'bank'] as const).map((zoneChoice) =>
      getShownTimeZone({ zoneChoice, zone: timeZone }),
    ),
  ).toEqual([timeZone, 'UTC', 'America/New_York'])
  expect(getShownTimeZone(parsePreferences('theme=dark&zone=Europe%2FBerlin'))).toBe(timeZone)
})
