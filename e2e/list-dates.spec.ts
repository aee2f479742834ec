import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { formatDayRange, toNewYorkDate } from '@/lib/dates'
import { addDays } from '@/lib/domain/bank-time'
import { listPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessibleAt } from './look'

const getActiveFilterList = (page: Page) => page.getByRole('list', { name: 'Active filters' })
const readParameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

const datedLists = [
  'payouts',
  'charges',
  'payments',
  'paykeys',
  'customers',
  'funding_events',
] as const

for (const list of datedLists) {
  test(`${list}: the period “7 days” is chosen by keyboard, shown with its dates, and removed`, {
    tag: '@full',
  }, async ({ signIn }) => {
    const page = await signIn('viewer')
    await goTo(page, listPath('sandbox', list, { tab: 'all' }))
    await page.getByRole('button', { name: 'Dates', exact: true }).focus()
    await page.keyboard.press('Enter')
    const createdRegion = page.getByRole('region', { name: 'Created' })
    await expect(createdRegion.getByRole('link', { name: 'Today' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => readParameter(page, 'created')).toBe('7-days')
    const today = toNewYorkDate(Date.now())
    await expect(getActiveFilterList(page)).toContainText(
      `Created: 7 days, ${formatDayRange(addDays(today, -6), today)}, New York`,
    )
    await getActiveFilterList(page).getByRole('link').first().click()
    await expect.poll(() => readParameter(page, 'created')).toBeNull()
  })
}

test('a saved view keeps the name of its period, and typed dates replace a period', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  const savedViewName = `Last week ${randomUUID().slice(0, 6)}`
  await goTo(page, listPath('sandbox', 'payments', { created: '7-days', date: 'today' }))
  await page.getByRole('button', { name: 'Save view…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(savedViewName)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  const savedViewLink = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: savedViewName })
  await expect(savedViewLink).toHaveAttribute(
    'href',
    listPath('sandbox', 'payments', { created: '7-days', date: 'today' }),
  )
  await page.getByText('More filters').click()
  await page.getByLabel('Created from').fill('2024-01-31')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(getActiveFilterList(page)).toContainText('Created from: Jan 31, 2024 ET')
  expect([readParameter(page, 'created'), readParameter(page, 'date')]).toEqual([null, 'today'])
  await savedViewLink.click()
  await expect.poll(() => readParameter(page, 'created')).toBe('7-days')
  await expectAccessibleAt(page, 'narrow')
})

test('an unknown period is named and left out', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await goTo(page, listPath('sandbox', 'payments', { created: 'yesterday' }))
  await expect(
    page.getByText('created=yesterday is not a valid filter; showing all.'),
  ).toBeVisible()
})
