import { expect, test } from 'vitest'
import { findTotal, isFullPage, isFullyRead, type ListPage } from './list-count'

const unreadableRows = [{ id: 'pay_1', raw: '"?"' }]
const page = (rows: number, meta: ListPage['meta'] = {}): ListPage => ({ data: Array.from({ length: rows }, () => ({})), meta })

test.each<[string, ListPage, number, number | null]>([
  ['the service’s own count', page(2, { total_items: 77 }), 1, 77],
  ['a page that is not full ends the list', page(2), 1, 2],
  ['and a later one says how many came before', page(2), 3, 22],
  ['a full page may have others after it', page(10), 1, null],
  ['a row that could not be read fills the page like any other', page(9, { unreadable_rows: unreadableRows }), 1, null],
  ['and is counted', page(1, { unreadable_rows: unreadableRows }), 1, 2],
  ['a service that gives fewer rows at once than were asked for', page(5, { page_size: 5 }), 1, null],
  ['nothing on a later page says nothing of the earlier ones', page(0), 2, null],
  ['an empty first page', page(0), 1, 0],
])('%s', (_, given, number, total) => {
  expect(findTotal(given, { size: 10, number })).toBe(total)
})

test.each<[string, ListPage, boolean]>([
  ['every row', page(3, { total_items: 3 }), true],
  ['no other page', page(3), true],
  ['more than were read', page(3, { total_items: 4 }), false],
  ['one that could not be read', page(3, { unreadable_rows: unreadableRows }), false],
  ['a full page', page(10), false],
])('the list is complete: %s', (_, given, whole) => {
  expect(isFullyRead(given, 10)).toBe(whole)
})

test('another page is read after a full page', () => {
  expect(isFullPage(page(10), 10)).toBe(true)
  expect(isFullPage(page(9, { unreadable_rows: unreadableRows }), 10)).toBe(true)
  expect(isFullPage(page(9), 10)).toBe(false)
})
