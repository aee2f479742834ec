import type { Page } from '@playwright/test'
import { homePath, payoutPath, signInPath } from '@/lib/routes'
import { startDashboard } from '@/tests/harness/dashboard'
import { startSandbox } from '@/tests/harness/sandbox'
import { goTo, openPayout, openPayoutList } from './desk'
import { expect, test } from './fixtures'
import { expectAccessibleAt } from './look'
import { getPersonOfPage } from './person'
import { waitForHydration } from './wait-for-hydration'

const getSettingsDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'You and your settings' })

async function chooseSetting(
  page: Page,
  group: 'Times' | 'Dates' | 'Clock',
  option: string,
): Promise<void> {
  await page.getByRole('button', { name: getPersonOfPage(page).name }).click()
  await getSettingsDialog(page)
    .getByRole('group', { name: group })
    .getByText(option, { exact: true })
    .click()
  await page.keyboard.press('Escape')
}

const getCreatedHeader = (page: Page) => page.getByRole('columnheader', { name: /^Created/ })
const getFirstRowTime = (page: Page) => page.getByRole('row').nth(1).locator('time').first()

const formatTimeInZone = (timeZone: string, at: string, hourCycle: 'h12' | 'h23') =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle,
    hour: hourCycle === 'h12' ? 'numeric' : '2-digit',
    minute: '2-digit',
  })
    .format(new Date(at))
    .replace('\u202f', ' ')

test.describe('a person in Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('the chosen time zone applies to the pages and the server-rendered HTML', {
    tag: '@full',
  }, async ({ signIn }) => {
    const page = await signIn('viewer')
    await openPayoutList(page)
    await expect(getCreatedHeader(page)).toContainText(/GMT\+[12]/)
    const createdAt = (await getFirstRowTime(page).getAttribute('datetime')) ?? ''
    await expect(getFirstRowTime(page)).toHaveAttribute(
      'title',
      /GMT\+[12] \(mine\)\n.* UTC\n.* E[SD]T \(New York\)/,
    )

    await chooseSetting(page, 'Times', 'UTC')
    await expect(getCreatedHeader(page)).toContainText('UTC')
    await expect(getFirstRowTime(page)).toContainText(formatTimeInZone('UTC', createdAt, 'h12'))

    await chooseSetting(page, 'Times', 'New York')
    await expect(getCreatedHeader(page)).toContainText('ET')
    await expect(getFirstRowTime(page)).toContainText(
      formatTimeInZone('America/New_York', createdAt, 'h12'),
    )

    const newYorkTimeText = formatTimeInZone('America/New_York', createdAt, 'h23')
    await chooseSetting(page, 'Clock', '14:05')
    await expect(getFirstRowTime(page)).toContainText(newYorkTimeText)
    await chooseSetting(page, 'Dates', '22 Nov 2026')
    await expect(getFirstRowTime(page)).toHaveAttribute('title', /^\d{1,2} [A-Z][a-z]{2} \d{4}, /)

    const payoutListHtml = await (await page.request.get(page.url())).text()
    expect(payoutListHtml).toContain(newYorkTimeText)
    expect(payoutListHtml).toContain('title="America/New_York"')
    await page.reload()
    await expect(getCreatedHeader(page)).toContainText('ET')
  })
})

test('the settings are accessible', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  await page.getByRole('button', { name: getPersonOfPage(page).name }).click()
  await expect(getSettingsDialog(page).getByRole('group', { name: 'Times' })).toBeVisible()
  await expectAccessibleAt(page, 'wide')
})

test('a date without a time is the same day in every time zone', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayout(page, payout)
  const paymentDateText = page
    .getByText('Payment date', { exact: true })
    .last()
    .locator('xpath=following-sibling::dd[1]')
  const paymentDateBefore = await paymentDateText.textContent()
  await chooseSetting(page, 'Times', 'UTC')
  await expect(paymentDateText).toHaveText(paymentDateBefore ?? '')
  await chooseSetting(page, 'Times', 'New York')
  await expect(paymentDateText).toHaveText(paymentDateBefore ?? '')
})

test('a printed record has no buttons, full IDs, and the person and time of printing', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await page.emulateMedia({ colorScheme: 'dark' })
  await goTo(page, payoutPath('sandbox', payout.id, { account: payout.account }))
  await expect(page.getByRole('list', { name: 'Timeline, newest first' })).toBeVisible()
  await expect(page.getByText(/^Printed /)).toBeHidden()

  await page.emulateMedia({ media: 'print' })
  const mainRegion = page.getByRole('main')
  await expect(
    mainRegion.getByText(
      new RegExp(
        `^Printed \\w+ \\d+, \\d{4}, \\d+:\\d\\d:\\d\\d [AP]M E[SD]T by ${getPersonOfPage(page).name}$`,
      ),
    ),
  ).toBeVisible()
  await expect(mainRegion.getByText('Paydesk · SANDBOX')).toBeVisible()
  await expect(mainRegion.getByText(payout.id, { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Desk' })).toBeHidden()
  await expect(page.getByRole('banner').first()).toBeHidden()
  expect(await page.locator('button:visible').count()).toBe(0)
  const computedStyles = await page.evaluate(() => ({
    background: getComputedStyle(document.body).backgroundColor,
    wide: document.documentElement.scrollWidth,
  }))
  expect(computedStyles.background).toBe('rgb(255, 255, 255)')
  expect(computedStyles.wide).toBeLessThanOrEqual(1280)
  const payoutIdElement = page.locator(`[title="${payout.id}"]`).first()
  const spanSizes = await payoutIdElement.evaluate((element) =>
    [...element.querySelectorAll('span')].map((span) => [
      span.offsetWidth,
      span.scrollWidth,
      getComputedStyle(span).display,
    ]),
  )
  for (const [width, fullWidth, display] of spanSizes)
    if (display !== 'none') expect(width).toBeGreaterThanOrEqual(Number(fullWidth))

  const pdfBytes = await page.pdf({ format: 'Letter' })
  expect(pdfBytes.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThanOrEqual(1)
})

test.describe('the rate limit meter', () => {
  const getRateLimitRegion = (page: Page) =>
    getSettingsDialog(page).getByRole('region', { name: 'Service rate limit' })

  test('shows usage, waiting requests and the last refusal without a service request', {
    tag: '@full',
  }, async ({ page, started }) => {
    const sandbox = await started(startSandbox())
    const dashboard = await started(
      startDashboard({
        serviceUrl: sandbox.url,
        apiKey: sandbox.keys.full,
        env: { SERVICE_SANDBOX_RATE_LIMIT: '20' },
      }),
    )
    const payout = await sandbox.makePayout()
    await page.goto(dashboard.url + signInPath(homePath('sandbox')))
    await page.getByRole('button', { name: /^operator / }).click()
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Omar Operator' }).click()
    await expect(getRateLimitRegion(page)).toContainText(
      '0 of 20 calls in the last second, all instances',
    )
    await expect(getRateLimitRegion(page)).toContainText(
      'Waiting in this instance: 0 actions, 0 reads, 0 in the background',
    )
    await expect(getRateLimitRegion(page)).toContainText(
      'The provider has not rate-limited us (429).',
    )
    await sandbox.fault({
      operation: 'payouts.get',
      match: payout.id,
      kind: 'status',
      status: 429,
      retry_after: 30,
      count: 1,
    })
    const payoutResponse = await page.request.get(
      `${dashboard.url}/api/sandbox/v1/payouts/${payout.id}`,
    )
    expect(payoutResponse.status()).toBe(503)
    const seqBefore = await sandbox.lastSeq()
    await expect(getRateLimitRegion(page)).toContainText(
      /of 1\d calls in the last second, reduced from 20, all instances/,
    )
    await expect(getRateLimitRegion(page)).toContainText(
      /Provider last rate-limited us \(429\) \d{1,2}:\d\d [AP]M .* Paused for \d+ s\./,
    )
    expect(await sandbox.requests(seqBefore)).toEqual([])
  })

  test('is hidden from a viewer, and shows if no limit is set', { tag: '@full' }, async ({
    signIn,
  }) => {
    const [viewer, operator] = [await signIn('viewer'), await signIn('operator')]
    await openPayoutList(viewer)
    await viewer.getByRole('button', { name: getPersonOfPage(viewer).name }).click()
    await expect(getSettingsDialog(viewer).getByRole('button', { name: 'Sign out' })).toBeVisible()
    await expect(getRateLimitRegion(viewer)).toHaveCount(0)
    await openPayoutList(operator)
    await operator.getByRole('button', { name: getPersonOfPage(operator).name }).click()
    await expect(getRateLimitRegion(operator)).toContainText('No limit is set for sandbox.')
    await expectAccessibleAt(operator, 'narrow')
  })
})
