import { expect, test } from 'vitest'
import { canOpenPage, type DeskPage, findPageByKey, listPages, pageGroups, pages } from './pages'

const allPages: readonly DeskPage[] = pages

test('pages have unique IDs, paths, names and letters', () => {
  for (const field of ['id', 'path', 'name', 'key'] as const)
    expect(new Set(allPages.map((page) => page[field])).size).toBe(allPages.length)
})

test('every letter is a lower-case letter that finds its page', () => {
  for (const page of allPages) {
    expect(page.key).toMatch(/^[a-z]$/)
    expect(findPageByKey(page.key, 'saas')).toBe(page)
  }
  expect(findPageByKey('z', 'saas')).toBeUndefined()
  expect(findPageByKey('P', 'saas')).toBeUndefined()
})

test('the pages are sorted by group', () => {
  const groupOrder = allPages.map((page) => pageGroups.indexOf(page.group))
  expect(groupOrder).toEqual([...groupOrder].sort((a, b) => a - b))
})

test('only permitted roles may open the log, webhooks, people, policies, audit and settings', () => {
  const listForbiddenPageIds = (...roles: string[]) =>
    allPages.filter((page) => !canOpenPage(page, roles)).map((page) => page.id)
  expect(listForbiddenPageIds('viewer')).toEqual([
    'activity',
    'webhooks',
    'people',
    'policies',
    'audit',
    'settings',
  ])
  expect(listForbiddenPageIds()).toEqual([
    'activity',
    'webhooks',
    'people',
    'policies',
    'audit',
    'settings',
  ])
  expect(listForbiddenPageIds('viewer', 'operator')).toEqual([
    'webhooks',
    'people',
    'policies',
    'audit',
    'settings',
  ])
  expect(listForbiddenPageIds('reviewer')).toEqual(['webhooks', 'people', 'settings'])
  expect(listForbiddenPageIds('admin')).toEqual([])
})

test('the groups have a fixed order, and each has a page', () => {
  expect(pageGroups).toEqual(['Queue', 'Payments', 'Customers', 'Platform', 'Developers', 'Admin'])
  for (const group of pageGroups) expect(allPages.some((page) => page.group === group)).toBe(true)
})

test('forbidden pages are not offered, and unknown roles see all pages', () => {
  const listOfferedPageIds = (...roles: string[]) =>
    listPages({ person: { roles }, integration: 'saas' }).map((page) => page.id)
  expect(listOfferedPageIds('viewer')).not.toContain('activity')
  expect(listOfferedPageIds('operator')).toContain('activity')
  expect(listOfferedPageIds('operator')).not.toContain('settings')
  expect(listOfferedPageIds('admin')).toEqual(pages.map(({ id }) => id))
  expect(listOfferedPageIds()).toEqual(pages.map(({ id }) => id))
})

test('a direct account has no pages of accounts and organizations', () => {
  const pagesOf = (integration: string) =>
    listPages({ person: { roles: ['admin'] }, integration }).map((page) => page.id)
  expect(pagesOf('marketplace')).toEqual(pagesOf('saas'))
  expect(pagesOf('saas').filter((id) => !pagesOf('account').includes(id))).toEqual([
    'accounts',
    'organizations',
  ])
  expect(findPageByKey('a', 'account')).toBeUndefined()
})
