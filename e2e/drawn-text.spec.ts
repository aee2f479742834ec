import type { Page } from '@playwright/test'
import { listPath, payoutsPath, recordPath } from '@/lib/routes'
import { goTo, openPayment, openPayoutList, waitUntilLoaded } from './desk'
import { expect, test } from './fixtures'
import { waitForHydration } from './wait-for-hydration'

declare global {
  interface Window {
    /**
     * Number of characters in the record's visible text, one entry per animation frame in which the
     * record was visible.
     */
    drawnText: number[]
  }
}

/**
 * Runs in the page. In each animation frame, appends the length of the record's visible text to
 * `window.drawnText`.
 */
function recordTextLengthEachFrame(): void {
  window.drawnText = []
  const measureTextLength = () => {
    const recordElement = document.querySelector('article')
    if (recordElement?.checkVisibility()) window.drawnText.push(recordElement.innerText.length)
    requestAnimationFrame(measureTextLength)
  }
  requestAnimationFrame(measureTextLength)
}

/**
 * On all later pages, measures the record's text in each frame. Slows the CPU down four times, so
 * that short gaps last several frames.
 */
async function watchRecordText(page: Page): Promise<void> {
  await page.addInitScript(recordTextLengthEachFrame)
  const cdpSession = await page.context().newCDPSession(page)
  await cdpSession.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/**
 * Returns the frames whose text is shorter than 85 % of the longest text so far, as [frame, length,
 * longest length]. The limit permits that one line becomes shorter, but not that a panel
 * disappears.
 */
async function findFramesWithLessText(page: Page): Promise<number[][]> {
  await waitForHydration(page)
  await waitUntilLoaded(page)
  const textLengths = await page.evaluate(() => window.drawnText)
  expect(textLengths.length, 'frames with the record').toBeGreaterThan(5)
  const longestLengthsSoFar = textLengths.map((_, at) => Math.max(...textLengths.slice(0, at + 1)))
  return textLengths.flatMap((length, at) =>
    length < 0.85 * (longestLengthsSoFar[at] ?? 0)
      ? [[at, length, longestLengthsSoFar[at] ?? 0]]
      : [],
  )
}

for (const kind of ['payout', 'charge'] as const) {
  test(`the server-rendered text of a ${kind} stays visible`, {
    tag: kind === 'charge' ? '@full' : [],
  }, async ({ signIn, sandbox }) => {
    const payment = await (kind === 'payout' ? sandbox.makePayout() : sandbox.makeCharge())
    const page = await signIn('operator')
    await watchRecordText(page)
    await openPayment(page, payment)
    expect(await findFramesWithLessText(page)).toEqual([])
  })
}

for (const resource of ['customers', 'paykeys', 'accounts', 'linked_bank_accounts'] as const) {
  test(`the server-rendered text of one of the ${resource} stays visible`, {
    tag: '@full',
  }, async ({ signIn, sandbox }) => {
    const payout = await sandbox.makePayout()
    const page = await signIn('operator')
    await goTo(page, listPath('sandbox', resource, { account: payout.account }))
    const id = await page.locator('[data-row]').first().getAttribute('data-row')
    await watchRecordText(page)
    await page.goto(recordPath('sandbox', resource, id ?? '', { account: payout.account }))
    expect(await findFramesWithLessText(page)).toEqual([])
  })
}

test('the server-rendered text of an open row stays visible', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await watchRecordText(page)
  await page.goto(payoutsPath('sandbox', { account: payout.account, open: payout.id }))
  expect(await findFramesWithLessText(page)).toEqual([])
})

test('a row opened by a click renders once', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await watchRecordText(page)
  await openPayoutList(page, { account: payout.account, payout_id: payout.id })
  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page.getByRole('article')).toBeVisible()
  expect(await findFramesWithLessText(page)).toEqual([])
})
