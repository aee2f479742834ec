import type { Page } from '@playwright/test'
import { listPath } from '@/lib/routes'
import { goTo, waitUntilLoaded } from './desk'
import { expect, test } from './fixtures'
import { getTableRows } from './lookup'
import { holdRequests } from './request-faults'

type Resource = Parameters<typeof listPath>[1]

/** Each list. `search` is its search filter and `sort` a second sort column, if it has them. */
const listCases: readonly {
  resource: Resource
  many: string
  search?: string
  sort?: { name: string; head: RegExp }
}[] = [
  {
    resource: 'payouts',
    many: 'payouts',
    search: 'search_text',
    sort: { name: 'amount', head: /^Amount/ },
  },
  {
    resource: 'charges',
    many: 'charges',
    search: 'search_text',
    sort: { name: 'amount', head: /^Amount/ },
  },
  {
    resource: 'payments',
    many: 'payments',

    search: 'search_text',
    sort: { name: 'amount', head: /^Amount/ },
  },
  {
    resource: 'paykeys',
    many: 'paykeys',

    search: 'search_text',
    sort: { name: 'institution_name', head: /^Bank/ },
  },
  {
    resource: 'customers',
    many: 'customers',
    search: 'search_text',
    sort: { name: 'name', head: /^Name/ },
  },
  {
    resource: 'accounts',
    many: 'accounts',

    search: 'search_text',
    sort: { name: 'created_at', head: /^Created/ },
  },
  { resource: 'organizations', many: 'organizations', search: 'name' },
  { resource: 'representatives', many: 'representatives', sort: { name: 'name', head: /^Name/ } },
  { resource: 'linked_bank_accounts', many: 'linked bank accounts' },
  {
    resource: 'funding_events',
    many: 'funding events',

    search: 'search_text',
    sort: { name: 'amount', head: /^Amount/ },
  },
]

const openResourceList = (page: Page, resource: Resource, search: Record<string, string> = {}) =>
  goTo(page, listPath('sandbox', resource, { tab: 'all', size: '25', ...search }))

const readParameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

for (const { resource, many, sort } of listCases) {
  const testTags = resource === 'payouts' ? [] : '@full'
  test(`${many}: has a count, keeps sort, page and open row in the URL, and Back restores each`, {
    tag: testTags,
  }, async ({ signIn }) => {
    const page = await signIn('viewer')
    await openResourceList(page, resource)
    const totalRowCount = Number(
      (
        await page
          .getByText(/^\d[\d,]* (?!of)/)
          .first()
          .textContent()
      )?.replace(/\D/g, ''),
    )
    // A list with one tab has no tabs.
    if (resource !== 'organizations')
      await expect(
        page.getByRole('navigation', { name: 'Statuses' }).getByRole('link', { name: /^All/ }),
      ).toHaveText(new RegExp(`^All${totalRowCount.toLocaleString('en-US')}$`))
    await expect(getTableRows(page)).toHaveCount(Math.min(25, totalRowCount))
    if (sort) {
      const sortHeader = page.getByRole('columnheader', { name: sort.head })
      await sortHeader.getByRole('link').click()
      await expect(page).toHaveURL(new RegExp(`sort=${sort.name}`))
      await expect(sortHeader).toHaveAttribute('aria-sort', /ending$/)
    }
    if (totalRowCount > 25) {
      await page.getByRole('link', { name: 'Next', exact: true }).click()
      await expect(page.getByText(/^26–\d+ of/)).toBeVisible()
    }
    await waitUntilLoaded(page)
    const listUrl = page.url()
    const id = await getTableRows(page).nth(1).getAttribute('data-row')
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
    await expect(page).toHaveURL(new RegExp(`open=${id}`))
    await expect(page.getByRole('article')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(listUrl)
    await expect(page.getByRole('article')).toHaveCount(0)
    if (totalRowCount > 25) {
      await page.goBack()
      await expect(page.getByText(/^1–25 of/)).toBeVisible()
    }
    if (sort) {
      await page.goBack()
      await expect.poll(() => readParameter(page, 'sort')).toBeNull()
    }
  })
}

for (const { resource, many } of listCases) {
  test(`${many}: columns are toggled by keyboard, kept in the URL and remembered`, {
    tag: '@full',
  }, async ({ signIn }) => {
    const page = await signIn('viewer')
    // Wide enough for each column that is shown by default.
    await page.setViewportSize({ width: 1440, height: 900 })
    await openResourceList(page, resource)
    const readHeaders = () => page.getByRole('columnheader').allTextContents()
    const allHeaders = await readHeaders()
    await page.getByRole('button', { name: 'Columns', exact: true }).focus()
    await page.keyboard.press('Enter')
    const firstColumnCheckbox = page
      .getByRole('dialog', { name: 'Columns' })
      .getByRole('checkbox')
      .first()
    await expect(firstColumnCheckbox).toBeFocused()
    await expect(firstColumnCheckbox).toBeChecked()
    await page.keyboard.press('Space')
    await expect(firstColumnCheckbox).not.toBeChecked()
    await expect.poll(() => readParameter(page, 'cols')).not.toBeNull()
    await expect.poll(readHeaders).toHaveLength(allHeaders.length - 1)
    const fewerHeaders = await readHeaders()
    expect([fewerHeaders[0], fewerHeaders.at(-1)]).toEqual([allHeaders[0], allHeaders.at(-1)])
    await page.reload()
    await expect.poll(readHeaders).toEqual(fewerHeaders)
    // The same list opened without the parameter `cols` shows the same columns, because Paydesk
    // remembers the last choice.
    await openResourceList(page, resource)
    await expect.poll(readHeaders).toEqual(fewerHeaders)
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('link', { name: 'Reset columns' }).click()
    await expect.poll(readHeaders).toEqual(allHeaders)
    expect(readParameter(page, 'cols')).toBeNull()
  })
}

test('Back returns from a row to its list, even if the row was opened during a refresh', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openResourceList(page, 'payouts', { sort: 'amount' })
  await waitUntilLoaded(page)
  const listUrl = page.url()
  const continueHeldRequests = await holdRequests(page, '*_rsc=*')
  await Promise.all([
    page.waitForRequest(/_rsc=/),
    page.getByRole('button', { name: 'Refresh', exact: true }).click(),
  ])
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByRole('article')).toBeVisible()
  await expect(page).toHaveURL(/open=/)
  await page.goBack()
  await expect(page).toHaveURL(listUrl)
  await expect(page.getByRole('article')).toHaveCount(0)
  await continueHeldRequests()
  await waitUntilLoaded(page)
  await expect(page).toHaveURL(listUrl)
  await expect(page.getByRole('article')).toHaveCount(0)
})

test('a list without matches shows a message and can clear its filters', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  for (const { resource, many, search } of listCases) {
    if (!search) continue
    await openResourceList(page, resource, { [search]: 'nothing is called like this' })
    await expect(
      page.getByRole('heading', { name: `Nothing matches among all ${many}` }),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Clear the filters' }).click()
    await expect(getTableRows(page).first()).toBeVisible()
    expect(readParameter(page, search), many).toBeNull()
  }
})

test('the popups of a list’s buttons stay within a narrow window', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  await page.setViewportSize({ width: 390, height: 844 })
  await openResourceList(page, 'payouts')
  for (const [buttonName, dialogName] of [
    ['Export', 'Export payouts'],
    ['More filters', 'Filters'],
    ['Dates', 'Dates'],
  ] as const) {
    await page.getByRole('button', { name: buttonName, exact: true }).click()
    const box = await page.getByRole('dialog', { name: dialogName }).boundingBox()
    expect(box?.x, buttonName).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0), buttonName).toBeLessThanOrEqual(390)
    await page.keyboard.press('Escape')
  }
})
