import type { Page } from '@playwright/test'
import type { Role } from '@/lib/operations/define'
import { homePath, listPath, recordPath, signInPath } from '@/lib/routes'
import { startDashboard } from '@/tests/harness/dashboard'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import { decideThroughApi, fillRelease, getDecisionRegion, goTo, waitForPaymentData } from './desk'
import { expect, test } from './fixtures'
import { confirmPassword } from './person'
import { expectHome, getDemoButton } from './sign-in'

async function signInOnPage(page: Page, role: Role): Promise<void> {
  await page.goto(signInPath(homePath('sandbox')))
  await getDemoButton(page, role).click()
  await expectHome(page)
}

test('a release on one instance updates an open list and record on another', {
  tag: '@full',
}, async ({ browser }) => {
  test.slow()
  const wholeDesk = await startWholeDesk({ mirror: true })
  const secondDashboard = await startDashboard({
    serviceUrl: wholeDesk.sandbox.url,
    apiKey: wholeDesk.sandbox.keys.full,
    databaseUrl: wholeDesk.postgres.url,
    env: { MIRROR_SYNC: 'on', EMBEDDED_SANDBOX_WEBHOOK_SECRET: wholeDesk.webhookSecret },
  })
  const { url } = wholeDesk.dashboard
  const [firstContext, secondContext] = [
    await browser.newContext({ baseURL: url }),
    await browser.newContext({ baseURL: secondDashboard.url }),
  ]
  try {
    const [page, recordPage, secondInstancePage] = [
      await firstContext.newPage(),
      await firstContext.newPage(),
      await secondContext.newPage(),
    ]
    const payout = { kind: 'payout', ...(await wholeDesk.sandbox.makePayout()) } as const
    await wholeDesk.mirrored([payout.id])
    await signInOnPage(page, 'operator')
    await goTo(page, listPath('sandbox', 'payouts', { account: payout.account, tab: 'all' }))
    const row = page.locator(`[data-row="${payout.id}"]`)
    await expect(row).toContainText('On hold')
    const searchBox = page.getByRole('searchbox', { name: 'Search payouts' })
    await searchBox.fill('something else')
    await goTo(recordPage, recordPath('sandbox', 'payouts', payout.id, { account: payout.account }))
    await waitForPaymentData(recordPage)
    await fillRelease(recordPage, 'Half of a sentence')
    await signInOnPage(secondInstancePage, 'admin')
    await confirmPassword(secondContext.request, secondDashboard.url)
    expect(
      (await decideThroughApi(secondInstancePage, secondDashboard.url, payout, 'release')).status(),
    ).toBe(200)
    await expect(recordPage.getByRole('article')).toContainText('Scheduled')
    await expect(getDecisionRegion(recordPage).getByLabel('Note', { exact: true })).toHaveValue(
      'Half of a sentence',
    )
    await expect(
      getDecisionRegion(recordPage).getByText('This changed while the form was open'),
    ).toBeVisible()
    await expect(row).toContainText('Scheduled')
    await expect(searchBox).toBeFocused()
    await expect(searchBox).toHaveValue('something else')
    // The other direction: a change on the first instance appears on an open page of the second
    // instance.
    await goTo(
      secondInstancePage,
      recordPath('sandbox', 'payouts', payout.id, { account: payout.account }),
    )
    await waitForPaymentData(secondInstancePage)
    expect((await decideThroughApi(page, url, payout, 'hold')).status()).toBe(200)
    await expect(secondInstancePage.getByRole('article')).toContainText('On hold')
  } finally {
    // Closes the pages before the servers, because each open page keeps an event stream from its
    // server open.
    await firstContext.close()
    await secondContext.close()
    await secondDashboard.stop()
    await wholeDesk.stop()
  }
})
