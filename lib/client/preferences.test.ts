import { expect, test } from 'vitest'
import { defaultPreferences, formatPreferences, type Preferences, parsePreferences, viewAttributes } from './preferences'

test('what was written is read back', () => {
  const chosen: Preferences = { theme: 'dark', density: 'compact', shortcuts: false, nav: 'narrow', zone: 'America/Los_Angeles' }
  expect(parsePreferences(formatPreferences(chosen))).toEqual(chosen)
  expect(formatPreferences(chosen)).toMatch(/^[\w=&%+-]+$/)
})

test.each([undefined, '', 'theme=neon&density=9&nav=%00&zone=Mars/Base', `zone=${'A'.repeat(5000)}`, '%%%', 'theme=<script>'])(
  'a cookie like %j changes nothing',
  (value) => expect(parsePreferences(value)).toEqual(defaultPreferences),
)

test('the system theme leaves the choice to the style sheet', () => {
  expect(viewAttributes(defaultPreferences)['data-theme']).toBeUndefined()
  expect(viewAttributes({ ...defaultPreferences, theme: 'dark' })['data-theme']).toBe('dark')
})
