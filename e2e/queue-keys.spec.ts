import type { Locator, Page } from '@playwright/test'
import { listPath } from '@/lib/routes'
import { getDecisionRegion, goTo, openPayoutList } from './desk'
import { expect, isFullRun, test } from './fixtures'
import { createKeyboard, decideByKeys, expectFocusInPage, findMedian } from './keyboard'
import { createHeldPayouts, getNextButton, getRecordHeading } from './queue'

const getDecisionButton = (page: Page, name: string): Locator =>
  getDecisionRegion(page).getByRole('button', { name })

/** Number of payouts or paykeys that a test decides, one after another. */
const decisionCount = isFullRun ? 20 : 3

/**
 * Waits until the checks of the open record have loaded. Does not wait for the list beside the
 * record.
 */
const waitUntilChecksLoaded = (page: Page) =>
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
    await expect(getRecordHeading(page, amount)).toBeVisible()
    await expect(getDecisionButton(page, 'Release…')).toBeEnabled()
    await waitUntilChecksLoaded(page)
    const tickedWarningCount = await decideByKeys(page, keyboard, {
      action: 'r',
      letter: 'c',
      done: /^Released$/,
    })
    const nextAmount = amounts[at + 1]
    if (nextAmount) {
      await expect(getNextButton(page)).toHaveText(
        new RegExp(`^Next: ${customer} · \\$${nextAmount}`),
      )
      await keyboard.press('n')
      await expect(getRecordHeading(page, nextAmount)).toBeFocused()
    } else await expect(getDecisionRegion(page).getByRole('status')).toContainText('All caught up')
    await expectFocusInPage(page)
    keyCounts.push(keyboard.count() - keyCountBefore)
    decisionSeconds.push((Date.now() - startTime) / 1000)
    // Five keys: one for the action, one for the reason, two to send (Control+Enter), and one for
    // the next record. Boxes need one more key to pass the note, and two keys per box.
    expect(keyCounts.at(-1)).toBeLessThanOrEqual(
      5 + (tickedWarningCount > 0 ? 1 : 0) + 2 * tickedWarningCount,
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
    await expect(getDecisionButton(page, 'Approve…')).toBeEnabled()
    await waitUntilChecksLoaded(page)
    const tickedBoxCount = await decideByKeys(page, keyboard, {
      action: 'a',
      letter: 'o',
      done: /^Approved$/,
    })
    if (at < payouts.length - 1) {
      await expect(getNextButton(page)).toHaveText(new RegExp(`^Next: ${customer} · .*\\d{4}`))
      await keyboard.press('n')
      await expect(page.locator(`[data-heading="${payouts[at + 1]?.paykey}"]`)).toBeFocused()
    } else
      await expect(getDecisionRegion(page).getByRole('status').first()).toContainText(
        'All caught up',
      )
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
