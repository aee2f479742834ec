import { expect, test } from 'vitest'
import type { ListSpec, ListViewState } from '@/components/kits/list/spec'
import { defaultPreferences } from '@/lib/client/preferences'
import { bankZone } from '@/lib/dates'
import { listFilterTexts } from './filter-texts'
import { parseFilterValue } from './read-form'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'

test.each([
  ['since', '2026-03-31', '2026-03-31T04:00:00.000Z'],
  ['until', '2026-03-31', '2026-04-01T03:59:59.999Z'],
  // The clocks change on this day, which has 25 hours.
  ['since', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['until', '2026-11-01', '2026-11-02T04:59:59.999Z'],
  ['until', '2026-02-31', null],
  ['since', '', ''],
  ['date', '2026-03-31', '2026-03-31'],
  ['amount', '1,250.50', '125050'],
  ['amount', 'much', null],
  [undefined, 'ron', 'ron'],
  [undefined, ` “${id}”,`, id],
  [undefined, 'Müller,', 'Müller'],
  ['id', `https://desk.example.com/sandbox/charges/${id}?account=x`, id],
  ['id', `[${id.toUpperCase()}]`, id],
  ['id', 'other', 'other'],
  ['text', '“INV-1”,', 'INV-1'],
] as const)('a %s filter of %j has the query value %j', (kind, typed, value) => {
  expect(parseFilterValue(kind, typed, bankZone)).toBe(value)
})

test('shows the label of each status, and an unknown status unchanged', () => {
  const listSpec = {
    filters: {
      status: { label: 'Status', kind: 'some', choices: { failed: 'Failed', paid: 'Paid' } },
    },
  } as unknown as ListSpec
  const view = { filters: { status: 'failed,odd' } } as unknown as ListViewState
  expect(listFilterTexts(listSpec, view, defaultPreferences)).toEqual([
    { name: 'status', text: 'Status: Failed, odd' },
  ])
})

test.each([
  ['created_from', '2026-03-31T04:00:00.000Z', 'Created from: Mar 31, 2026 ET'],
  ['created_to', '2026-04-01T03:59:59.999Z', 'Created to: Mar 31, 2026 ET'],
  ['created_from', '2026-03-31T00:00:00Z', 'Created from: Mar 30, 2026, 8:00 PM ET'],
  ['created_to', 'soon', 'Created to: soon'],
])('the filter %s=%s is shown in the time zone of the page', (name, value, text) => {
  const spec = {
    filters: {
      created_from: { label: 'Created from', kind: 'since' },
      created_to: { label: 'Created to', kind: 'until' },
    },
  } as unknown as ListSpec
  const view = { filters: { [name]: value } } as unknown as ListViewState
  const preferences = { ...defaultPreferences, zoneChoice: 'bank' as const }
  expect(listFilterTexts(spec, view, preferences)).toEqual([{ name, text }])
})
