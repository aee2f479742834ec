import type { Page } from '@playwright/test'
import { payoutPath, payoutsPath } from '@/lib/routes'
import {
  getDecisionRegion,
  goTo,
  listAccounts,
  openPayoutList,
  toScopeParams,
  waitForPaymentData,
} from './desk'
import { expect, test } from './fixtures'

const getPayoutRows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const getPayoutRowLinks = (page: Page) => getPayoutRows(page).getByRole('link')
const getStatusTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Statuses' }).getByRole('link', { name })
const payoutPanel = (page: Page) => page.getByRole('article', { name: 'Payout' })
const getTotalLabel = (page: Page) => page.getByText(/^[\d,]+ payouts$/)

test('the rows are in the first HTML', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ amount: 777_701 })
  const page = await signIn('viewer')
  const listPageHtml = await (
    await page.request.get(
      payoutsPath('sandbox', { account: payout.account, search_text: payout.externalId }),
    )
  ).text()
  expect(listPageHtml).toContain(payoutPath(toScopeParams(payout.account), payout.id))
  expect(listPageHtml).toContain('7,777.01')
})

test('the count on each tab equals the number of its payouts', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  const [, second] = await listAccounts(page)
  await openPayoutList(page, { account: second?.id ?? '' })
  for (const name of ['On hold', 'Upcoming', 'Paid', 'Returned', 'All']) {
    await getStatusTab(page, name).click()
    await expect(getStatusTab(page, name)).toHaveAttribute('aria-current', 'page')
    const totalText = await getTotalLabel(page).textContent()
    await expect(getStatusTab(page, name)).toHaveText(
      new RegExp(`^${name}(${totalText?.replace(' payouts', '')})?$`),
    )
  }
})

test('filters, sort and size are in the URL, and Back restores the previous view', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page, { tab: 'all' })
  await page.getByText('More filters').click()
  await page.getByLabel('Amount from').fill('1,250')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/min_amount=125000/)
  await expect(
    page.getByRole('link', { name: 'Remove filter Amount from: 1,250.00' }),
  ).toBeVisible()
  await page.getByRole('columnheader').getByRole('link', { name: 'Amount' }).click()
  await expect(page).toHaveURL(/min_amount=125000.*sort=amount/)
  await expect(page.getByRole('columnheader', { name: /Amount/ })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  const shownAmounts = (await getPayoutRows(page).allInnerTexts()).map((row) =>
    Number(/([\d,]+\.\d\d)/.exec(row)?.[1]?.replaceAll(',', '')),
  )
  expect(shownAmounts.length).toBeGreaterThan(1)
  expect(shownAmounts).toEqual(shownAmounts.toSorted((a, b) => b - a))
  expect(Math.min(...shownAmounts)).toBeGreaterThanOrEqual(1250)

  await page.getByRole('link', { name: '25 rows a page' }).click()
  await expect(page).toHaveURL(/size=25/)
  await expect(getPayoutRows(page)).toHaveCount(25)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText(/^26–50 of/)).toBeVisible()
  await page.goBack()
  await expect(page.getByText(/^1–25 of/)).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(page.getByRole('columnheader', { name: /Amount/ })).toHaveAttribute(
    'aria-sort',
    'none',
  )
  await expect(
    page.getByRole('link', { name: 'Remove filter Amount from: 1,250.00' }),
  ).toBeVisible()
})

test('an invalid amount shows an error at its field, and an invalid URL shows a message', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  await page.getByText('More filters').click()
  await page.getByLabel('Amount from').fill('a lot')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByLabel('Amount from')).toHaveAccessibleDescription(
    'Must be an amount like 1,250.00.',
  )
  await openPayoutList(page, { min_amount: 'a lot' })
  await expect(page.getByText('min_amount=a lot is not a valid filter; showing all.')).toBeVisible()
  await expect(getPayoutRows(page).first()).toBeVisible()
})

test('the open row is in the URL: Back closes it, and a link opens it', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  await getPayoutRowLinks(page).first().click()
  await expect(payoutPanel(page)).toBeVisible()
  await expect(page).toHaveURL(/open=[0-9a-f-]{36}/)
  const openRowUrl = page.url()
  await page.goBack()
  await expect(payoutPanel(page)).toHaveCount(0)
  await goTo(page, openRowUrl)
  await expect(payoutPanel(page)).toBeVisible()
  await page.getByRole('button', { name: 'Close the payout' }).click()
  await expect(payoutPanel(page)).toHaveCount(0)
  await expect(page).not.toHaveURL(/open=/)
})

test('j and k move through the rows, Enter opens one, and typing in a field does neither', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  const linkTexts = await getPayoutRowLinks(page).allInnerTexts()
  for (const key of ['j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
  await expect(payoutPanel(page)).toBeVisible()
  // Waits for the URL, because it changes later than the panel if the list is being refetched.
  await expect(page).toHaveURL(/open=/)
  const [openedId] = new URL(page.url()).searchParams.getAll('open')
  expect(linkTexts[1]).toContain(openedId?.slice(-6))
  await page.getByRole('searchbox', { name: 'Search payouts' }).pressSequentially('jk')
  await expect(page.getByRole('searchbox', { name: 'Search payouts' })).toHaveValue('jk')
  await expect(page).toHaveURL(new RegExp(`open=${openedId}`))
})

test('a list without matches names the filters and can clear them', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await openPayoutList(page, { search_text: 'no such payout' })
  await expect(
    page.getByRole('heading', { name: 'Nothing matches among payouts “On hold”' }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Clear the filters' }).click()
  await expect(getPayoutRows(page).first()).toBeVisible()
})

test('a page past the end links to the last page', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page, { tab: 'all', page: '9999' })
  await expect(page.getByRole('heading', { name: 'Page 9999 is past the end' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to the last page' }).click()
  await expect(getPayoutRows(page).first()).toBeVisible()
})

test('an account is chosen by name, and the list shows only its payouts', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  const account = (await listAccounts(page))[2]
  await openPayoutList(page)
  const totalTextBefore = await getTotalLabel(page).textContent()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByLabel('Find an account by name or ID').fill(account?.name ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`account=${account?.id}`))
  await expect(page.getByRole('button', { name: /^Account/ })).toContainText(account?.name ?? '')
  await expect(getTotalLabel(page)).not.toHaveText(totalTextBefore ?? '')
  await expect(page.getByRole('columnheader', { name: 'Account', exact: true })).toHaveCount(0)
})

test('without a scope, a payout shows its account and can be released', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const payoutAccount = (await listAccounts(page)).find((account) => account.id === payout.account)
  await goTo(page, payoutPath('sandbox', payout.id))
  await expect(payoutPanel(page)).toContainText(`for ${payoutAccount?.name} in SANDBOX`)
  await waitForPaymentData(page)
  await expect(getDecisionRegion(page).getByRole('button', { name: 'Release…' })).toBeEnabled()
  await openPayoutList(page, { search_text: payout.externalId })
  await expect(getPayoutRows(page).first()).toContainText(payoutAccount?.name ?? '')
})

test('a list names the filters and parameters that it does not follow, and shows its rows', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page, { min_amount: 'much', paymnt_status: 'paid' })
  const ignored = page.getByRole('status', { name: 'Ignored in the URL' })
  await expect(ignored).toContainText('min_amount=much is not a valid filter; showing all.')
  await expect(ignored).toContainText('paymnt_status is not a filter of this list; showing all.')
  await expect(getStatusTab(page, 'Paid')).toBeVisible()
  await expect(getPayoutRows(page).first()).toBeVisible()
})

test('on a phone the rows are cards that open on their own page', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await page.setViewportSize({ width: 390, height: 844 })
  await openPayoutList(page)
  await expect(page.getByRole('columnheader', { name: /Amount/ })).toBeHidden()
  const firstRowCard = getPayoutRows(page).first()
  expect((await firstRowCard.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await firstRowCard.getByRole('link').click()
  await expect(page).toHaveURL(/payouts\/[0-9a-f-]{36}/)
  await expect(payoutPanel(page)).toBeVisible()
})
