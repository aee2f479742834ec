import type { Page } from '@playwright/test'
import { listPath, recordPath, serviceApiPath } from '@/lib/routes'
import { goTo, listAccounts } from './desk'
import { expect, test } from './fixtures'
import { getHomeRegion, openHome } from './home'
import { getTableRows } from './lookup'

const openPaymentList = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, listPath('sandbox', 'payments', search))
const getStatusTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Statuses' }).getByRole('link', { name })
const getFilterRemovalLink = (page: Page, text: string) =>
  page.getByRole('link', { name: `Remove filter ${text}` })
const readColumnHeaders = (page: Page) => page.getByRole('columnheader').allTextContents()

/**
 * Returns how many payments of the service match a query. Reads the number through Paydesk's API.
 */
async function countPayments(page: Page, query: string, account?: string): Promise<number> {
  const paymentsResponse = await page.request.get(
    serviceApiPath('sandbox', '/payments', `${query}&page_size=1`, account),
  )
  return ((await paymentsResponse.json()) as { meta: { total_items: number } }).meta.total_items
}

const expectPaymentCount = (page: Page, count: number) =>
  expect(page.getByText(new RegExp(`^${count.toLocaleString('en-US')} payments?$`))).toBeVisible()

test('one search finds charges and payouts, and each opens as its own kind', async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('viewer')
  for (const [payment, title] of [
    [await sandbox.makeCharge(), 'Charge'],
    [await sandbox.makePayout(), 'Payout'],
  ] as const) {
    await openPaymentList(page, { external_id: payment.externalId })
    await expect(getTableRows(page)).toHaveCount(1)
    await getTableRows(page).getByRole('link').first().click()
    await expect(page.getByRole('article', { name: title })).toContainText(payment.customer)
    await expect(page).toHaveURL(new RegExp(`open=${payment.id}`))
  }
})

test('statuses, amounts and dates are combined and stay when another filter is added', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  const [, second] = await listAccounts(page)
  await openPaymentList(page, { account: second?.id ?? '' })
  await page.getByText('More filters').click()
  await page.getByRole('checkbox', { name: 'Failed' }).check()
  await page.getByRole('checkbox', { name: 'Reversed' }).check()
  await page.getByLabel('Amount from').fill('10')
  await page.getByLabel('Created from').fill('2024-01-31')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(getFilterRemovalLink(page, 'Status: Failed, Reversed')).toBeVisible()
  await expect(getFilterRemovalLink(page, 'Created from: Jan 31, 2024 ET')).toBeVisible()
  const filteredPaymentsQuery =
    'payment_status=failed,reversed&min_amount=1000&min_created_at=2024-01-31T05:00:00.000Z'
  await expectPaymentCount(page, await countPayments(page, filteredPaymentsQuery, second?.id))
  for (const row of await getTableRows(page).allTextContents())
    expect(row).toMatch(/Failed|Reversed/)

  await page.getByText('More filters').click()
  await page.getByLabel('Source').selectOption({ label: 'The bank' })
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(getFilterRemovalLink(page, 'Source: The bank')).toBeVisible()
  await expectPaymentCount(
    page,
    await countPayments(page, `${filteredPaymentsQuery}&status_source=bank_decline`, second?.id),
  )

  await getStatusTab(page, 'On hold').click()
  await expect(getFilterRemovalLink(page, 'Status: Failed, Reversed')).toHaveCount(0)
  await expect(getFilterRemovalLink(page, 'Source: The bank')).toBeVisible()
})

test('columns are chosen by keyboard, and Back and a reload keep them', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await openPaymentList(page)
  expect((await readColumnHeaders(page)).join()).toContain('Type')
  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'External ID' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('columnheader', { name: 'External ID' })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Charge or payout' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('columnheader', { name: 'Type', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.reload()
  await getStatusTab(page, 'On hold').click()
  await expect(getStatusTab(page, 'On hold')).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(getStatusTab(page, 'All')).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('columnheader', { name: 'External ID' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Type', exact: true })).toHaveCount(0)
})

test('the queue of returned payments on the home page links to exactly those payments', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const [, second] = await listAccounts(page)
  await openHome(page, { account: second?.id ?? '' })
  const failedPaymentsQueue = getHomeRegion(page, 'Failed and reversed, last 7 days')
  const queuedPaymentCount = Number.parseInt(
    (await failedPaymentsQueue.getByText(/^\d+ waiting$/).textContent()) ?? '',
    10,
  )
  await failedPaymentsQueue.getByRole('link', { name: /in Failed and reversed/ }).click()
  await expect(page).toHaveURL(/min_updated_at=/)
  await expect(getFilterRemovalLink(page, 'Status: Failed, Reversed')).toBeVisible()
  await expectPaymentCount(page, queuedPaymentCount)
  expect(queuedPaymentCount).toBeLessThan(
    await countPayments(page, 'payment_status=failed,reversed', second?.id),
  )
})

test('a link to a resubmission opens the form once', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const charge = await sandbox.makeCharge({
    status: 'failed',
    reason: 'insufficient_funds',
    source: 'bank_decline',
  })
  const page = await signIn('operator')
  // The link contains no account, so Paydesk must first look up which account the charge belongs
  // to.
  await goTo(page, recordPath('sandbox', 'charges', charge.id, { do: 'resubmit' }))
  const decisionRegion = page.getByRole('region', { name: 'Decision' })
  await expect(decisionRegion.getByLabel('Payment date')).toBeVisible()
  await expect(decisionRegion.getByRole('button', { name: 'Resubmit $123.45' })).toBeEnabled()
  await decisionRegion.getByRole('button', { name: 'Back' }).click()
  await expect(page).not.toHaveURL(/do=/)
  await page.reload()
  await expect(decisionRegion.getByRole('button', { name: 'Resubmit…' })).toBeVisible()
  await expect(decisionRegion.getByLabel('Payment date')).toHaveCount(0)
})
