import { expect, test } from 'vitest'
import { canOpenPage, type DeskPage, findPageByKey, listPages, pageGroups, pages } from './pages'

const allPages: readonly DeskPage[] = pages

const holdRoles = (...roles: string[]) => ({ platformRoles: roles, allRoles: roles })
const holdAccountRoles = (...roles: string[]) => ({ platformRoles: [], allRoles: roles })
const platformAdmin = { person: holdRoles('admin'), integration: 'saas' }

test('pages have unique IDs, paths, names and letters', () => {
  for (const field of ['id', 'path', 'name', 'key'] as const)
    expect(new Set(allPages.map((page) => page[field])).size).toBe(allPages.length)
})

test('every letter is a lower-case letter that finds its page', () => {
  for (const page of allPages) {
    expect(page.key).toMatch(/^[a-z]$/)
    expect(findPageByKey(page.key, platformAdmin)).toBe(page)
  }
  expect(findPageByKey('z', platformAdmin)).toBeUndefined()
  expect(findPageByKey('P', platformAdmin)).toBeUndefined()
})

test('the pages are sorted by group', () => {
  const groupOrder = allPages.map((page) => pageGroups.indexOf(page.group))
  expect(groupOrder).toEqual([...groupOrder].sort((a, b) => a - b))
})

test('only permitted roles may open the log, webhooks, people, policies, audit and settings', () => {
  const listForbiddenPageIds = (...roles: string[]) =>
    allPages.filter((page) => !canOpenPage(page, holdRoles(...roles))).map((page) => page.id)
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

test('pages that refuse the person are not offered', () => {
  const listOfferedPageIds = (person: ReturnType<typeof holdRoles>) =>
    listPages({ person, integration: 'saas' }).map((page) => page.id)
  expect(listOfferedPageIds(holdRoles('viewer'))).not.toContain('activity')
  expect(listOfferedPageIds(holdRoles('operator'))).toContain('activity')
  expect(listOfferedPageIds(holdRoles('operator'))).not.toContain('settings')
  expect(listOfferedPageIds(holdRoles('admin'))).toEqual(pages.map(({ id }) => id))
})

test('an admin of single accounts is offered no page that needs a role for the platform', () => {
  const accountAdmin = { person: holdAccountRoles('admin'), integration: 'saas' }
  const offeredPageIds = listPages(accountAdmin).map(({ id }) => id)
  expect(pages.map(({ id }) => id).filter((id) => !offeredPageIds.includes(id))).toEqual([
    'webhooks',
    'people',
    'policies',
    'settings',
  ])
  expect(findPageByKey('s', accountAdmin)).toBeUndefined()
  const platformViewer = { platformRoles: ['viewer'], allRoles: ['viewer', 'admin'] }
  expect(findPageByKey('s', { person: platformViewer, integration: 'saas' })).toBeUndefined()
})

test('a direct account has no pages of accounts and organizations', () => {
  const pagesOf = (integration: string) =>
    listPages({ person: holdRoles('admin'), integration }).map((page) => page.id)
  expect(pagesOf('marketplace')).toEqual(pagesOf('saas'))
  expect(pagesOf('saas').filter((id) => !pagesOf('account').includes(id))).toEqual([
    'accounts',
    'organizations',
  ])
  expect(findPageByKey('a', { ...platformAdmin, integration: 'account' })).toBeUndefined()
})
