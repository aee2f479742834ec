import type { Page } from '@playwright/test'
import { payoutPath } from '@/lib/routes'
import { goTo, openList, openPayout } from './desk'
import { expect, test } from './fixtures'
import { expectSoundAt } from './look'

const settings = (page: Page) => page.getByRole('dialog', { name: 'You and your settings' })

async function choose(page: Page, zone: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Vic Viewer' }).click()
  await settings(page).getByRole('group', { name: 'Times' }).getByText(zone).click()
  await page.keyboard.press('Escape')
}

const head = (page: Page) => page.getByRole('columnheader', { name: /^Created/ })
const firstTime = (page: Page) => page.getByRole('row').nth(1).locator('time').first()

test.describe('a person in Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('chooses whose clock times are written in, and the server writes the first HTML in it', async ({ browser, signIn, deskUrl }) => {
    const state = await (await signIn('viewer')).context().storageState()
    const context = await browser.newContext({ storageState: state, baseURL: deskUrl, timezoneId: 'Europe/Berlin' })
    const page = await context.newPage()
    await openList(page)
    await expect(head(page)).toContainText(/GMT\+[12]/)
    const at = (await firstTime(page).getAttribute('datetime')) ?? ''
    await expect(firstTime(page)).toHaveAttribute('title', /GMT\+[12] \(mine\)\n.* UTC\n.* E[SD]T \(New York\)/)

    await choose(page, /^UTC$/)
    await expect(head(page)).toContainText('UTC')
    await expect(firstTime(page)).toContainText(at.slice(11, 16))

    await choose(page, /^New York$/)
    await expect(head(page)).toContainText('ET')
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' }).format(
      new Date(at),
    )
    await expect(firstTime(page)).toContainText(clock)

    const html = await (await context.request.get(page.url())).text()
    expect(html).toContain(clock)
    expect(html).toContain('title="America/New_York"')
    await page.reload()
    await expect(head(page)).toContainText('ET')
    await context.close()
  })
})

test('the settings are accessible', async ({ signIn }) => {
  const page = await signIn('viewer')
  await openList(page)
  await page.getByRole('button', { name: 'Vic Viewer' }).click()
  await expect(settings(page).getByRole('group', { name: 'Times' })).toBeVisible()
  await expectSoundAt(page, 'wide')
})

test('a date without a time is the same day on every clock', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayout(page, payout)
  const day = page.getByText('Payment date', { exact: true }).last().locator('xpath=following-sibling::dd[1]')
  const before = await day.textContent()
  await choose(page, /^UTC$/)
  await expect(day).toHaveText(before ?? '')
  await choose(page, /^New York$/)
  await expect(day).toHaveText(before ?? '')
})

test('a record prints as a document: no buttons, light, whole ids, and who printed what, where and when', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await page.emulateMedia({ colorScheme: 'dark' })
  await goTo(page, payoutPath('sandbox', payout.id, { account: payout.account }))
  await expect(page.getByRole('list', { name: 'Timeline, newest first' })).toBeVisible()
  await expect(page.getByText(/^Printed /)).toBeHidden()

  await page.emulateMedia({ media: 'print' })
  const paper = page.getByRole('main')
  await expect(paper.getByText(/^Printed \d+ \w+ \d{4}, \d\d:\d\d:\d\d E[SD]T by Vic Viewer$/)).toBeVisible()
  await expect(paper.getByText('Paydesk · SANDBOX')).toBeVisible()
  await expect(paper.getByText(payout.id, { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Desk' })).toBeHidden()
  await expect(page.getByRole('banner').first()).toBeHidden()
  expect(await page.locator('button:visible').count()).toBe(0)
  const look = await page.evaluate(() => ({
    background: getComputedStyle(document.body).backgroundColor,
    wide: document.documentElement.scrollWidth,
  }))
  expect(look.background).toBe('rgb(255, 255, 255)')
  expect(look.wide).toBeLessThanOrEqual(1280)
  const id = page.locator(`[title="${payout.id}"]`).first()
  const cut = await id.evaluate((element) =>
    [...element.querySelectorAll('span')].map((span) => [span.offsetWidth, span.scrollWidth, getComputedStyle(span).display]),
  )
  for (const [width, whole, display] of cut) if (display !== 'none') expect(width).toBeGreaterThanOrEqual(Number(whole))

  const paged = await page.pdf({ format: 'Letter' })
  expect(paged.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThanOrEqual(1)
})
