import type { Page } from '@playwright/test'
import { activityPath, serviceApiPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { getTableRows } from './lookup'
import { makeSettledPayout, waitUntilRequestsLogged } from './request-log'

const openActivity = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, activityPath('sandbox', search))

test('the log has the tools of every list: periods, columns that are remembered, and views that come back to it', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await makeSettledPayout(sandbox)
  const page = await signIn('operator')
  const payoutResponse = await page.request.get(
    serviceApiPath('sandbox', `/payouts/${payout.id}`, '', payout.account),
  )
  const requestId = ((await payoutResponse.json()) as { meta: { request_id: string } }).meta
    .request_id
  await waitUntilRequestsLogged(page, { target: `payouts/${payout.id}` }, 1)
  await openActivity(page, { tab: 'requests', target: `payouts/${payout.id}` })
  await expect(getTableRows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Dates', exact: true }).click()
  await page.getByRole('link', { name: 'Today' }).click()
  await expect(page).toHaveURL(/at=today/)
  await expect(getTableRows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Request ID' }).click()
  await expect(page.getByRole('columnheader', { name: 'Request ID' })).toBeVisible()
  await expect(getTableRows(page)).toContainText(requestId.slice(-4))
  await page.keyboard.press('Escape')
  const savedViewName = `Today ${payout.id.slice(-6)}`
  await page.getByRole('button', { name: 'Save view…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(savedViewName)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  const savedViewLink = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: savedViewName })
  await expect(savedViewLink).toHaveAttribute('aria-current', 'true')
  await openActivity(page, { tab: 'requests' })
  await expect(page.getByRole('columnheader', { name: 'Request ID' })).toBeVisible()
  await savedViewLink.click()
  await expect(page).toHaveURL(/at=today/)
  await expect(getTableRows(page)).toHaveCount(1)
  await expectAccessible(page)
})

test('an invalid filter of the request log is named and left out', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  // Sends a request to the service, so that the request log is not empty. Opening a list sends
  // none, because lists are read from our stored copy.
  expect((await page.request.get(serviceApiPath('sandbox', '/accounts', ''))).ok()).toBe(true)
  await openActivity(page, { tab: 'requests', from: 'yesterday' })
  await expect(page.getByText('is not a valid filter; showing all.')).toBeVisible()
  await expect(getTableRows(page).first()).toBeVisible()
})
