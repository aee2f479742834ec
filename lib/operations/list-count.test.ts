import { expect, test } from 'vitest'
import { findTotalRowCount, isFullPage, isWholeListRead, type ListPage } from './list-count'

const unreadableRows = [{ id: 'pay_1', raw: '"?"' }]
const createPage = (rowCount: number, meta: ListPage['meta'] = {}): ListPage => ({
  data: Array.from({ length: rowCount }, () => ({})),
  meta,
})

test.each<[string, ListPage, number, number | null]>([
  ['the service’s own count', createPage(2, { total_items: 77 }), 1, 77],
  ['a page that is not full ends the list', createPage(2), 1, 2],
  ['and a later one says how many came before', createPage(2), 3, 22],
  ['a full page may have others after it', createPage(10), 1, null],
  [
    'a row that could not be read fills the page like any other',
    createPage(9, { unreadable_rows: unreadableRows }),
    1,
    null,
  ],
  ['and is counted', createPage(1, { unreadable_rows: unreadableRows }), 1, 2],
  [
    'a service that gives fewer rows at once than were asked for',
    createPage(5, { page_size: 5 }),
    1,
    null,
  ],
  ['nothing on a later page says nothing of the earlier ones', createPage(0), 2, null],
  ['an empty first page', createPage(0), 1, 0],
])('%s', (_, given, number, total) => {
  expect(findTotalRowCount(given, { size: 10, number })).toBe(total)
})

test.each<[string, ListPage, boolean]>([
  ['every row', createPage(3, { total_items: 3 }), true],
  ['no other page', createPage(3), true],
  ['more than were read', createPage(3, { total_items: 4 }), false],
  ['one that could not be read', createPage(3, { unreadable_rows: unreadableRows }), false],
  ['a full page', createPage(10), false],
])('the list is complete: %s', (_, given, whole) => {
  expect(isWholeListRead(given, 10)).toBe(whole)
})

test('another page is read after a full page', () => {
  expect(isFullPage(createPage(10), 10)).toBe(true)
  expect(isFullPage(createPage(9, { unreadable_rows: unreadableRows }), 10)).toBe(true)
  expect(isFullPage(createPage(9), 10)).toBe(false)
})
