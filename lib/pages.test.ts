import { expect, test } from 'vitest'
import { canOpenPage, type DeskPage, findPageByKey, pageGroups, pages, pagesFor } from './pages'

const all: readonly DeskPage[] = pages

test('pages have unique IDs, paths, names and letters', () => {
  for (const field of ['id', 'path', 'name', 'key'] as const) expect(new Set(all.map((page) => page[field])).size).toBe(all.length)
})

test('every letter is a lower-case letter that finds its page', () => {
  for (const page of all) {
    expect(page.key).toMatch(/^[a-z]$/)
    expect(findPageByKey(page.key)).toBe(page)
  }
  expect(findPageByKey('z')).toBeUndefined()
  expect(findPageByKey('P')).toBeUndefined()
})

test('the pages are sorted by group', () => {
  const order = all.map((page) => pageGroups.indexOf(page.group))
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('only permitted roles may open the log, webhooks, people, policies, audit and settings', () => {
  const closedTo = (...roles: string[]) => all.filter((page) => !canOpenPage(page, roles)).map((page) => page.id)
  expect(closedTo('viewer')).toEqual(['activity', 'webhooks', 'people', 'policies', 'audit', 'settings'])
  expect(closedTo()).toEqual(['activity', 'webhooks', 'people', 'policies', 'audit', 'settings'])
  expect(closedTo('viewer', 'operator')).toEqual(['webhooks', 'people', 'policies', 'audit', 'settings'])
  expect(closedTo('reviewer')).toEqual(['webhooks', 'people', 'settings'])
  expect(closedTo('admin')).toEqual([])
})

test('the groups have a fixed order, and each has a page', () => {
  expect(pageGroups).toEqual(['Queue', 'Payments', 'Customers', 'Platform', 'Developers', 'Admin'])
  for (const group of pageGroups) expect(all.some((page) => page.group === group)).toBe(true)
})

test('forbidden pages are not offered, and unknown roles see all pages', () => {
  const offeredTo = (...roles: string[]) => pagesFor(roles).map((page) => page.id)
  expect(offeredTo('viewer')).not.toContain('activity')
  expect(offeredTo('operator')).toContain('activity')
  expect(offeredTo('operator')).not.toContain('settings')
  expect(offeredTo('admin')).toEqual(pages.map(({ id }) => id))
  expect(offeredTo()).toEqual(pages.map(({ id }) => id))
})
