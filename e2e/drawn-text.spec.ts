import type { Page } from '@playwright/test'
import { listPath, payoutsPath, recordPath } from '@/lib/routes'
import { goTo, openList, openPayment, waitUntilLoaded } from './desk'
import { expect, test } from './fixtures'
import { waitForHydration } from './wait-for-hydration'

declare global {
  interface Window {
    /** The length of the record's visible text, for each frame in which the record was visible. */
    drawnText: number[]
  }
}

/** Measures the record's visible text in each frame. */
function watchText(): void {
  window.drawnText = []
  const recordFrame = () => {
    const record = document.querySelector('article')
    if (record?.checkVisibility()) window.drawnText.push(record.innerText.length)
    requestAnimationFrame(recordFrame)
  }
  requestAnimationFrame(recordFrame)
}

/** Measures the record's text from its first frame on, with the processor slowed down four times. */
async function watchRecord(page: Page): Promise<void> {
  await page.addInitScript(watchText)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/**
 * Returns the frames with less than 85 % of the text of an earlier frame, as [frame, length, longest before]. A line may become shorter,
 * but a panel must not disappear.
 */
async function findEmptierFrames(page: Page): Promise<number[][]> {
  await waitForHydration(page)
  await waitUntilLoaded(page)
  const frames = await page.evaluate(() => window.drawnText)
  expect(frames.length, 'frames with the record').toBeGreaterThan(5)
  const longest = frames.map((_, at) => Math.max(...frames.slice(0, at + 1)))
  return frames.flatMap((length, at) => (length < 0.85 * (longest[at] ?? 0) ? [[at, length, longest[at] ?? 0]] : []))
}

for (const kind of ['payout', 'charge'] as const) {
  test(`the server-rendered text of a ${kind} stays visible`, { tag: kind === 'charge' ? '@full' : [] }, async ({ signIn, sandbox }) => {
    const payment = await (kind === 'payout' ? sandbox.makePayout() : sandbox.makeCharge())
    const page = await signIn('operator')
    await watchRecord(page)
    await openPayment(page, payment)
    expect(await findEmptierFrames(page)).toEqual([])
  })
}

for (const resource of ['customers', 'paykeys', 'accounts', 'linked_bank_accounts'] as const) {
  test(`the server-rendered text of one of the ${resource} stays visible`, { tag: '@full' }, async ({ signIn, sandbox }) => {
    const payout = await sandbox.makePayout()
    const page = await signIn('operator')
    await goTo(page, listPath('sandbox', resource, { account: payout.account }))
    const id = await page.locator('[data-row]').first().getAttribute('data-row')
    await watchRecord(page)
    await page.goto(recordPath('sandbox', resource, id ?? '', { account: payout.account }))
    expect(await findEmptierFrames(page)).toEqual([])
  })
}

test('the server-rendered text of an open row stays visible', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await watchRecord(page)
  await page.goto(payoutsPath('sandbox', { account: payout.account, open: payout.id }))
  expect(await findEmptierFrames(page)).toEqual([])
})

test('a row opened by a click renders once', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await watchRecord(page)
  await openList(page, { account: payout.account, payout_id: payout.id })
  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page.getByRole('article')).toBeVisible()
  expect(await findEmptierFrames(page)).toEqual([])
})
