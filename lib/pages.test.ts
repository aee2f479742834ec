import { expect, test } from 'vitest'
import { type DeskPage, mayOpen, pageGroups, pageOfKey, pages, pagesFor } from './pages'

const all: readonly DeskPage[] = pages

test('no two pages share an id, a path, a name or a letter', () => {
  for (const field of ['id', 'path', 'name', 'key'] as const) expect(new Set(all.map((page) => page[field])).size).toBe(all.length)
})

test('every letter is one small letter, and finds its page', () => {
  for (const page of all) {
    expect(page.key).toMatch(/^[a-z]$/)
    expect(pageOfKey(page.key)).toBe(page)
  }
  expect(pageOfKey('z')).toBeUndefined()
  expect(pageOfKey('P')).toBeUndefined()
})

test('the pages are listed group by group, so that the side bar needs no sorting', () => {
  const order = all.map((page) => pageGroups.indexOf(page.group))
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('the request log, the policy and the audit are closed to viewers, the latter two to operators, people, webhooks and settings to all but admins', () => {
  const closedTo = (...roles: string[]) => all.filter((page) => !mayOpen(page, roles)).map((page) => page.id)
  expect(closedTo('viewer')).toEqual(['activity', 'webhooks', 'people', 'policies', 'audit', 'settings'])
  expect(closedTo()).toEqual(['activity', 'webhooks', 'people', 'policies', 'audit', 'settings'])
  expect(closedTo('viewer', 'operator')).toEqual(['webhooks', 'people', 'policies', 'audit', 'settings'])
  expect(closedTo('reviewer')).toEqual(['webhooks', 'people', 'settings'])
  expect(closedTo('admin')).toEqual([])
})

test('the groups are by use, and each has a page', () => {
  expect(pageGroups).toEqual(['Queue', 'Payments', 'Customers', 'Platform', 'Developers', 'Admin'])
  for (const group of pageGroups) expect(all.some((page) => page.group === group)).toBe(true)
})

test('what a person may not use is not offered; where no role is known yet everything is', () => {
  const offeredTo = (...roles: string[]) => pagesFor(roles).map((page) => page.id)
  expect(offeredTo('viewer')).not.toContain('activity')
  expect(offeredTo('operator')).toContain('activity')
  expect(offeredTo('operator')).not.toContain('settings')
  expect(offeredTo('admin')).toEqual(pages.map(({ id }) => id))
  expect(offeredTo()).toEqual(pages.map(({ id }) => id))
})
