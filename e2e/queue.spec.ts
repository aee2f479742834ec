import type { Locator, Page } from '@playwright/test'
import { listPath } from '@/lib/routes'
import { makeAccountWithCustomer, makeCustomer } from './customer'
import {
  decideThroughApi,
  decisionRegion,
  fillRelease,
  goTo,
  openPayoutList,
  releaseButton,
  waitForPaymentData,
} from './desk'
import { expect, isFullRun, test } from './fixtures'
import { homeRegion, openHome, queueRows } from './home'
import { createKeyboard, decideByKeys, expectFocusInPage, findMedian } from './keyboard'
import { createHeldPayouts, nextButton, recordHeading } from './queue'

const decisionButton = (page: Page, name: string): Locator =>
  decisionRegion(page).getByRole('button', { name })

/** Number of payouts or paykeys that a test decides, one after another. */
const decisionCount = isFullRun ? 20 : 3

/**
 * Waits until the checks of the open record have loaded. Does not wait for the list beside the
 * record.
 */
const waitForChecks = (page: Page) =>
  expect(page.getByRole('list', { name: 'Checks' }).getByText('Loading:')).toHaveCount(0)

/**
 * Prints the medians of the keys and seconds per decision, and adds them to the test report. Slow
 * decisions do not fail the test.
 */
function reportMedians(keyCounts: readonly number[], decisionSeconds: readonly number[]): void {
  const description = `keys per decision: median ${findMedian(keyCounts)}; seconds per decision: median ${findMedian(decisionSeconds).toFixed(2)}`
  test.info().annotations.push({ type: 'queue', description })
  console.info(`${test.info().title}: ${description}`)
}

test(`${decisionCount} held payouts are released without a mouse, each once`, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  test.slow()
  const { payouts, amounts, account, customer } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    decisionCount,
  )
  const page = await signIn('operator')
  await openPayoutList(page, { account })
  const keyboard = createKeyboard(page)
  for (const key of ['j', 'Enter']) await keyboard.press(key)
  const [keyCounts, decisionSeconds]: [number[], number[]] = [[], []]
  for (const [at, amount] of amounts.entries()) {
    const [keyCountBefore, startTime] = [keyboard.count(), Date.now()]
    await expect(recordHeading(page, amount)).toBeVisible()
    await expect(decisionButton(page, 'Release…')).toBeEnabled()
    await waitForChecks(page)
    const checkboxCount = await decideByKeys(page, keyboard, {
      action: 'r',
      letter: 'a',
      done: /^Released$/,
    })
    const nextAmount = amounts[at + 1]
    if (nextAmount) {
      await expect(nextButton(page)).toHaveText(new RegExp(`^Next: ${customer} · \\$${nextAmount}`))
      await keyboard.press('n')
      await expect(recordHeading(page, nextAmount)).toBeFocused()
    } else await expect(decisionRegion(page).getByRole('status')).toContainText('All caught up')
    await expectFocusInPage(page)
    keyCounts.push(keyboard.count() - keyCountBefore)
    decisionSeconds.push((Date.now() - startTime) / 1000)
    // Five keys: one for the action, one for the reason, two to send (Control+Enter), and one for
    // the next record. Boxes need one more key to pass the note, and two keys per box.
    expect(keyCounts.at(-1)).toBeLessThanOrEqual(
      5 + (checkboxCount > 0 ? 1 : 0) + 2 * checkboxCount,
    )
  }
  for (const { id } of payouts)
    expect((await sandbox.journal(id)).map(({ operation }) => operation)).toEqual([
      'payouts.release',
    ])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'All caught up' })).toBeVisible()
  reportMedians(keyCounts, decisionSeconds)
})

test(`${decisionCount} paykeys in review are approved without a mouse, each once`, {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  test.slow()
  const paykeyReviewOverrides = {
    paykey_status: 'review',
    status: 'on_hold',
    reason: 'watchtower_review',
    source: 'watchtower',
  }
  const { payouts, account, customer } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    decisionCount,
    paykeyReviewOverrides,
  )
  const page = await signIn('reviewer')
  await goTo(page, listPath('sandbox', 'paykeys', { account }))
  const keyboard = createKeyboard(page)
  for (const key of ['j', 'Enter']) await keyboard.press(key)
  const [keys, seconds]: [number[], number[]] = [[], []]
  for (const [at, { paykey }] of payouts.entries()) {
    const [before, since] = [keyboard.count(), Date.now()]
    await expect(page).toHaveURL(new RegExp(`open=${paykey}`))
    await expect(decisionButton(page, 'Approve…')).toBeEnabled()
    await waitForChecks(page)
    const tickedBoxCount = await decideByKeys(page, keyboard, {
      action: 'a',
      letter: 'o',
      done: /^Approved$/,
    })
    if (at < payouts.length - 1) {
      await expect(nextButton(page)).toHaveText(new RegExp(`^Next: ${customer} · .*\\d{4}`))
      await keyboard.press('n')
      await expect(page.locator(`[data-heading="${payouts[at + 1]?.paykey}"]`)).toBeFocused()
    } else
      await expect(decisionRegion(page).getByRole('status').first()).toContainText('All caught up')
    await expectFocusInPage(page)
    keys.push(keyboard.count() - before)
    seconds.push((Date.now() - since) / 1000)
    expect(keys.at(-1)).toBeLessThanOrEqual(5 + (tickedBoxCount > 0 ? 1 : 0) + 2 * tickedBoxCount)
  }
  for (const { paykey } of payouts)
    expect((await sandbox.journal(paykey)).map(({ operation }) => operation)).toEqual([
      'paykeys.decide',
    ])
  reportMedians(keys, seconds)
})

test('a payout that another person decided is skipped', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { payouts, amounts, account } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    3,
  )
  const [first, second] = payouts
  const page = await signIn('operator')
  await openPayoutList(page, { account, open: first?.id ?? '' })
  await waitForPaymentData(page)
  if (second) await decideThroughApi(page, deskUrl, second, 'release')
  await fillRelease(page)
  await releaseButton(page).click()
  await expect(nextButton(page)).toContainText(amounts[2] ?? '')
  await page.keyboard.press('n')
  await expect(recordHeading(page, amounts[2] ?? '')).toBeFocused()
})

test('an unknown outcome offers no next record, and the payout stays in the queue', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const { payouts, amounts, account } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    2,
  )
  const page = await signIn('operator')
  const id = payouts[0]?.id ?? ''
  await sandbox.fault({
    operation: 'payouts.release',
    match: id,
    kind: 'status',
    status: 500,
    count: null,
  })
  await openPayoutList(page, { account, open: id })
  await waitForPaymentData(page)
  await fillRelease(page)
  await releaseButton(page).click()
  await expect(decisionRegion(page).getByText('Outcome unknown')).toBeFocused()
  await expect(recordHeading(page, amounts[0] ?? '')).toBeVisible()
  await expect(nextButton(page)).toHaveCount(0)
  await expect(page.locator(`[data-row="${id}"]`)).toBeVisible()
  await page.keyboard.press('n')
  await expect(recordHeading(page, amounts[1] ?? '')).toBeFocused()
  await page.keyboard.press('n')
  // After the last record, the queue returns to its first one, which is the payout with the unknown
  // outcome.
  await expect(recordHeading(page, amounts[0] ?? '')).toBeVisible()
  await expect(decisionRegion(page).getByText('Outcome unknown')).toBeFocused()
  await sandbox.clearFaults()
  await decisionRegion(page).getByRole('button', { name: 'Check again' }).click()
  await expect(nextButton(page)).toContainText(amounts[1] ?? '')
  expect((await sandbox.journal(id)).map(({ operation }) => operation)).toEqual(['payouts.release'])
})

test('the last row of a page leads to the next page, and the last page to the skipped rows', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const { payouts, amounts, account } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    3,
  )
  const page = await signIn('operator')
  await openPayoutList(page, { account, size: '2', open: payouts[1]?.id ?? '' })
  await waitForPaymentData(page)
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/page=2/)
  await expect(recordHeading(page, amounts[2] ?? '')).toBeFocused()
  await expect(page).toHaveURL(new RegExp(`open=${payouts[2]?.id}`))
  await page.keyboard.press('n')
  await expect(recordHeading(page, amounts[0] ?? '')).toBeFocused()
  await expect(page).not.toHaveURL(/page=2/)
})

test('the list of shortcuts includes the key to the next record', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { payouts, account } = await createHeldPayouts(await signIn('admin'), deskUrl, sandbox, 2)
  const page = await signIn('operator')
  await openPayoutList(page, { account, open: payouts[0]?.id ?? '' })
  await waitForPaymentData(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText(
    'Next in queue',
  )
})

test('the queue continues from the home page to the last record', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { payouts, amounts, account, customerId } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    2,
  )
  const page = await signIn('operator')
  await openHome(page, { account })
  await queueRows(page, 'Held payouts').first().getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`payouts/${payouts[0]?.id}`))
  await waitForPaymentData(page)
  await fillRelease(page)
  await releaseButton(page).click()
  await expect(decisionRegion(page).getByText('Released', { exact: true })).toBeFocused()
  await expect(nextButton(page)).toContainText(amounts[1] ?? '')
  await page.keyboard.press('n')
  await expect(page).toHaveURL(new RegExp(`payouts/${payouts[1]?.id}`))
  await expect(page.getByRole('heading', { name: amounts[1], level: 1 })).toBeFocused()
  await waitForPaymentData(page)
  await fillRelease(page)
  await releaseButton(page).click()
  await expect(decisionRegion(page).getByRole('status')).toContainText('All caught up')

  const laterPayout = await sandbox.makePayout({ customer_id: customerId, amount: 9_900 })
  await openHome(page, { account })
  await homeRegion(page, 'Held payouts')
    .getByRole('link', { name: /^Start queue \(1\)/ })
    .click()
  await expect(recordHeading(page, '99.00')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`open=${laterPayout.id}`))
})

test('a long name of the next record stays within the panel', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const adminPage = await signIn('admin')
  const { account } = await makeAccountWithCustomer(adminPage, deskUrl)
  const customer = await makeCustomer(adminPage, deskUrl, {
    account,
    name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4).trim(),
  })
  for (const amount of [1_100, 1_200])
    await sandbox.makePayout({ customer_id: customer.id, amount })
  const page = await signIn('operator')
  await openPayoutList(page, { account, open: 'first' })
  await waitForPaymentData(page)
  await fillRelease(page)
  await releaseButton(page).click()
  await expect(nextButton(page)).toBeVisible()
  const decisionArea = decisionRegion(page)
  expect(
    await decisionArea.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
  const [buttonBox, areaBox] = [
    await nextButton(page).boundingBox(),
    await decisionArea.boundingBox(),
  ]
  expect((buttonBox?.x ?? 0) + (buttonBox?.width ?? 0)).toBeLessThan(
    (areaBox?.x ?? 0) + (areaBox?.width ?? 0),
  )
})
