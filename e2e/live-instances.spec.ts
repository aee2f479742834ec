import type { Page } from '@playwright/test'
import type { Role } from '@/lib/operations/define'
import { homePath, listPath, recordPath, signInPath } from '@/lib/routes'
import { startDashboard } from '@/tests/harness/dashboard'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import { decideThroughApi, decisionRegion, fillRelease, goTo, waitForPaymentData } from './desk'
import { expect, test } from './fixtures'
import { confirmPassword } from './person'
import { demoButton, expectHome } from './sign-in'

async function signInOnPage(page: Page, role: Role): Promise<void> {
  await page.goto(signInPath(homePath('sandbox')))
  await demoButton(page, role).click()
  await expectHome(page)
}

test('a release on one instance updates an open list and record on another', { tag: '@full' }, async ({ browser }) => {
  test.slow()
  const desk = await startWholeDesk({ mirror: true })
  const secondDashboard = await startDashboard({
    serviceUrl: desk.sandbox.url,
    apiKey: desk.sandbox.keys.full,
    databaseUrl: desk.postgres.url,
    env: { MIRROR_SYNC: 'on', EMBEDDED_SANDBOX_WEBHOOK_SECRET: desk.webhookSecret },
  })
  const { url } = desk.dashboard
  const [here, elsewhere] = [await browser.newContext({ baseURL: url }), await browser.newContext({ baseURL: secondDashboard.url })]
  try {
    const [page, record, other] = [await here.newPage(), await here.newPage(), await elsewhere.newPage()]
    const payout = { kind: 'payout', ...(await desk.sandbox.makePayout()) } as const
    await desk.mirrored([payout.id])
    await signInOnPage(page, 'operator')
    await goTo(page, listPath('sandbox', 'payouts', { account: payout.account, tab: 'all' }))
    const row = page.locator(`[data-row="${payout.id}"]`)
    await expect(row).toContainText('On hold')
    const box = page.getByRole('searchbox', { name: 'Search payouts' })
    await box.fill('something else')
    await goTo(record, recordPath('sandbox', 'payouts', payout.id, { account: payout.account }))
    await waitForPaymentData(record)
    await fillRelease(record, 'Half of a sentence')
    await signInOnPage(other, 'admin')
    await confirmPassword(elsewhere.request, secondDashboard.url)
    expect((await decideThroughApi(other, secondDashboard.url, payout, 'release')).status()).toBe(200)
    await expect(record.getByRole('article')).toContainText('Scheduled')
    await expect(decisionRegion(record).getByLabel('Note', { exact: true })).toHaveValue('Half of a sentence')
    await expect(decisionRegion(record).getByText('This changed while the form was open')).toBeVisible()
    await expect(row).toContainText('Scheduled')
    await expect(box).toBeFocused()
    await expect(box).toHaveValue('something else')
    // The other direction: a change by this person appears on the page at the other instance.
    await goTo(other, recordPath('sandbox', 'payouts', payout.id, { account: payout.account }))
    await waitForPaymentData(other)
    expect((await decideThroughApi(page, url, payout, 'hold')).status()).toBe(200)
    await expect(other.getByRole('article')).toContainText('On hold')
  } finally {
    // Closes the pages first, because their event streams come from the servers that stop next.
    await here.close()
    await elsewhere.close()
    await secondDashboard.stop()
    await desk.stop()
  }
})
