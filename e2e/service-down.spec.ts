import { homePath, type ListResource, listPath, signInPath } from '@/lib/routes'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import { expect, test } from './fixtures'
import { getHomeRegion } from './home'
import { expectAccessibleAt } from './look'
import { getTableRows } from './lookup'

const testedLists: readonly ListResource[] = [
  'payments',
  'payouts',
  'charges',
  'customers',
  'paykeys',
  'funding_events',
  'accounts',
]

test('lists and figures stay with their last data and its time if the service is down', {
  tag: '@full',
}, async ({ page, started }) => {
  // Starts its own Paydesk and sandbox, because the test stops the sandbox. `slow` extends the
  // timeout, because the start takes long.
  test.slow()
  const wholeDesk = await started(startWholeDesk({ mirror: true }))
  await page.goto(wholeDesk.dashboard.url + signInPath(homePath('sandbox')))
  await page.getByRole('button', { name: /^operator / }).click()
  await expect(getHomeRegion(page, 'For you')).toBeVisible()
  await wholeDesk.sandbox.stop()
  for (const list of testedLists) {
    await page.goto(wholeDesk.dashboard.url + listPath('sandbox', list, { tab: 'all' }))
    await expect(getTableRows(page).first(), list).toBeVisible()
  }
  const staleListsMessage = page.getByRole('status').filter({ hasText: 'Lists were last updated' })
  await expect(async () => {
    await page.reload()
    await expect(staleListsMessage).toContainText('Updates paused at', { timeout: 5000 })
  }).toPass({ timeout: 120_000 })
  await expect(staleListsMessage).toContainText('The payments service')
  await expectAccessibleAt(page, 'narrow')
  await page.goto(wholeDesk.dashboard.url + homePath('sandbox'))
  await expect(getHomeRegion(page, 'For you').getByRole('link').first()).toBeVisible()
  await expect(page.getByText('could not be read')).toHaveCount(0)
})
