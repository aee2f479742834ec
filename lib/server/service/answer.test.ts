import { expect, test } from 'vitest'
import { parsePageMeta } from './answer'

test.each<[string, Record<string, unknown>, number, ReturnType<typeof parsePageMeta>]>([
  [
    'as the interface document has it',
    { page_number: 2, page_size: 50, total_items: 70 },
    20,
    { page_number: 2, page_size: 50, total_items: 70 },
  ],
  ['the other name of the total', { total_rows: 7 }, 7, { total_items: 7 }],
  [
    'figures as text',
    { page_number: '1', page_size: '50', total_items: '3' },
    3,
    { page_number: 1, page_size: 50, total_items: 3 },
  ],
  [
    'a total below what is there',
    { page_number: 1, page_size: 50, total_items: 2 },
    3,
    { page_number: 1, page_size: 50 },
  ],
  [
    'a total below what earlier pages held',
    { page_number: 3, page_size: 50, total_items: 60 },
    1,
    { page_number: 3, page_size: 50 },
  ],
  [
    'a page smaller than what is on it',
    { page_number: 1, page_size: 1, total_items: 9 },
    3,
    { page_number: 1, total_items: 9 },
  ],
  ['below zero, broken and endless', { page_number: 0, page_size: 1.5, total_items: -1 }, 0, {}],
  [
    'no numbers at all',
    { page_number: {}, page_size: [], total_items: 'many', sort_by: '<b>', sort_order: 'up' },
    0,
    {},
  ],
  ['a number nobody can count to', { total_items: 1e300 }, 0, {}],
  [
    'an order',
    { sort_by: 'created_at', sort_order: 'desc' },
    0,
    { sort_by: 'created_at', sort_order: 'desc' },
  ],
])('%s', (_, meta, here, expected) => {
  expect(parsePageMeta(meta, here)).toEqual(expected)
})
