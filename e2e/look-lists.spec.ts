import type { Page } from '@playwright/test'
import { auditPath, listPath, payoutsPath } from '@/lib/routes'
import { goTo, openPayoutList, waitUntilLoaded } from './desk'
import { expect, test } from './fixtures'
import { getTableRows } from './lookup'
import { findCutNames, findOverflowingTables, measureRowHeights } from './measure-table'
import { getPersonOfPage } from './person'

const allLists = [
  'payouts',
  'charges',
  'payments',
  'paykeys',
  'customers',
  'accounts',
  'organizations',
  'representatives',
  'linked_bank_accounts',
  'funding_events',
  'webhooks',
  'requests',
] as const

/** The lists that show names of accounts and banks. */
const paymentLists = ['payouts', 'charges', 'payments', 'paykeys'] as const

const getMoreFilters = (page: Page) => page.getByRole('button', { name: 'More filters' })
const getFiltersPanel = (page: Page) => page.getByRole('dialog', { name: 'Filters' })

const openWholeList = async (page: Page, list: (typeof allLists)[number]) => {
  const tab = list === 'requests' ? 'requests' : 'all'
  await goTo(page, listPath('sandbox', list, { tab }))
  await waitUntilLoaded(page)
}

const measureFirstRow = async (page: Page): Promise<number | undefined> =>
  (await page.getByRole('row').first().boundingBox())?.y

test('the first row of every list is at one height, and its controls are of one height', {
  tag: '@full',
}, async ({ signIn }) => {
  test.slow()
  const page = await signIn('admin')
  await page.setViewportSize({ width: 1280, height: 800 })
  const rowHeights: Record<string, number | undefined> = {}
  const controlHeights: Record<string, number[]> = {}
  for (const list of allLists) {
    await openWholeList(page, list)
    rowHeights[list] = await measureFirstRow(page)
    controlHeights[list] = await page.evaluate(() => [
      ...new Set(
        [...document.querySelectorAll('main form, main nav[aria-label="Views"]')]
          .flatMap((part) => [...(part.parentElement?.querySelectorAll('button, input') ?? [])])
          .filter((control) => control.checkVisibility() && !control.closest('[popover]'))
          .map((control) => Math.round(control.getBoundingClientRect().height)),
      ),
    ])
  }
  const y = rowHeights.payouts
  expect(rowHeights).toEqual(Object.fromEntries(allLists.map((list) => [list, y])))
  expect(controlHeights).toEqual(Object.fromEntries(allLists.map((list) => [list, [32]])))
})

test('the toolbar of a list stays on its lines when its numbers grow', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  for (const width of [390, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await openPayoutList(page, { tab: 'all' })
    const total = page.getByText(/^[\d,]+ payouts$/)
    const getRow = () => page.locator('[data-row]').first().boundingBox()
    const before = await getRow()
    await total.evaluate((element) => {
      element.textContent = '12,345 no longer match · 12,345 new · Update list'
    })
    await page.getByText(/^as of/).evaluate((element) => {
      element.textContent = 'as of 23 h 59 min ago'
    })
    expect((await getRow())?.y, `at ${width}`).toBe(before?.y)
  }
})

test('more filters close on Escape and on a click outside, which opens no row', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  await openPayoutList(page, { tab: 'all' })
  await getMoreFilters(page).click()
  await expect(getFiltersPanel(page).getByRole('button', { name: 'Apply' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(getFiltersPanel(page)).toBeHidden()
  await expect(getMoreFilters(page)).toBeFocused()

  await getMoreFilters(page).click()
  await expect(getFiltersPanel(page).getByRole('button', { name: 'Apply' })).toBeVisible()
  const rowBox = await getTableRows(page).nth(3).boundingBox()
  const clickRow = () => page.mouse.click((rowBox?.x ?? 0) + 40, (rowBox?.y ?? 0) + 8)
  await clickRow()
  await expect(getFiltersPanel(page)).toBeHidden()
  await expect(page.getByRole('article')).toHaveCount(0)
  await expect(page).not.toHaveURL(/open=/)
  await clickRow()
  await expect(page.getByRole('article')).toBeVisible()
  await expect(page).toHaveURL(/open=/)
})

test('on a phone an opened row covers the list and its toolbar', { tag: '@full' }, async ({
  signIn,
  openBrowser,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const phone = await openBrowser({
    storageState: getPersonOfPage(page).state,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await openPayoutList(phone, { account: payout.account })
  await expect(phone.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()
  await expect(getMoreFilters(phone)).toBeVisible()
  expect((await phone.locator('[data-row]').first().boundingBox())?.y).toBeLessThanOrEqual(220)
  await openPayoutList(phone, { account: payout.account, open: payout.id })
  await expect(phone.getByRole('article')).toBeVisible()
  await expect(getMoreFilters(phone)).toBeHidden()
  const articleBox = await phone.getByRole('article').boundingBox()
  expect(844 - (articleBox?.y ?? 844)).toBeGreaterThanOrEqual(600)
  await phone.getByRole('button', { name: 'Close the payout' }).click()
  await expect(getMoreFilters(phone)).toBeVisible()
})

/** Each list with its default tab and with all its rows. */
const listViews = paymentLists.flatMap((list) => [
  { list, tab: undefined },
  { list, tab: 'all' },
])

/** Returns what is wrong with the table in the page at this width of the window. */
async function findTableFaults(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 })
  const heights = await measureRowHeights(page)
  const isUneven = heights.length > 0 && Math.max(...heights) - Math.min(...heights) > 1
  // A list of all payments has a column for the status, and no room for all names at 1440 px.
  const roomyWidth = /payments|tab=all/.test(page.url()) ? 1920 : 1440
  const cutNames = width >= roomyWidth ? await findCutNames(page, ['Account', 'Bank account']) : []
  return [
    ...(await findOverflowingTables(page)).map((text) => `wider than the page: ${text}`),
    ...(isUneven ? [`uneven rows: ${heights}`] : []),
    ...cutNames.map((name) => `cut name: ${name}`),
  ]
}

test('names of accounts and banks are not cut, and rows are even', { tag: '@full' }, async ({
  signIn,
}) => {
  test.slow()
  const page = await signIn('operator')
  for (const { list, tab } of listViews) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await goTo(page, listPath('sandbox', list, { tab }))
    await waitUntilLoaded(page)
    for (const width of [768, 1024, 1280, 1440, 1920])
      expect
        .soft(await findTableFaults(page, width), `${list}, tab ${tab}, at ${width}`)
        .toEqual([])
  }
})

test('printed lists have no filters', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('admin')
  for (const path of [payoutsPath('sandbox', { tab: 'all' }), auditPath('sandbox')]) {
    await goTo(page, path)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('table')).toBeVisible()
    const main = page.getByRole('main')
    await expect(main.locator('form').filter({ visible: true }), path).toHaveCount(0)
    await expect(main.getByRole('navigation', { name: 'Views' }), path).toHaveCount(0)
  }
})
