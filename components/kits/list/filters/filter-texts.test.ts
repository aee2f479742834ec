import { expect, test } from 'vitest'
import type { ListSpec, ListViewState } from '@/components/kits/list/spec'
import { listFilterTexts, parseFilterValue } from './filter-texts'

test.each([
  ['since', '2026-03-31', '2026-03-31T00:00:00Z'],
  ['until', '2026-03-31', '2026-03-31T23:59:59Z'],
  ['since', '', ''],
  ['date', '2026-03-31', '2026-03-31'],
  ['amount', '1,250.50', '125050'],
  ['amount', 'much', null],
  [undefined, 'ron', 'ron'],
] as const)('a %s filter of %j has the query value %j', (kind, typed, value) => {
  expect(parseFilterValue(kind, typed)).toBe(value)
})

test('shows the label of each status, and an unknown status unchanged', () => {
  const listSpec = {
    filters: {
      status: { label: 'Status', kind: 'some', choices: { failed: 'Failed', paid: 'Paid' } },
    },
  } as unknown as ListSpec
  const view = { filters: { status: 'failed,odd' } } as unknown as ListViewState
  expect(listFilterTexts(listSpec, view)).toEqual([{ name: 'status', text: 'Status: Failed, odd' }])
})

test('a day that stands for a timestamp names its time zone', () => {
  const spec = {
    filters: { created_from: { label: 'Created from', kind: 'since' } },
  } as unknown as ListSpec
  const view = { filters: { created_from: '2026-03-31T00:00:00Z' } } as unknown as ListViewState
  expect(listFilterTexts(spec, view)).toEqual([
    { name: 'created_from', text: 'Created from: Mar 31, 2026 UTC' },
  ])
})
