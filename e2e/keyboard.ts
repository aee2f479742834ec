import { expect, type Page } from '@playwright/test'
import { getDecisionRegion } from './desk'
import { getNoteField, getReasonField } from './reason'

/**
 * Returns `press`, which presses a key or a combination such as `Control+Enter`, and `count`, the
 * number of keys pressed so far.
 */
export function createKeyboard(page: Page) {
  let pressCount = 0
  const pressKey = async (key: string) => {
    pressCount += key.split('+').length
    await page.keyboard.press(key)
  }
  return { press: pressKey, count: () => pressCount }
}

export type Keyboard = ReturnType<typeof createKeyboard>

export const expectFocusInPage = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)

type KeyboardDecision = {
  /** The shortcut of the action. */
  action: string
  /** The key that selects the reason: its first letter. */
  letter: string
  /** The result message. */
  done: RegExp
}

/**
 * Decides the open record with keys only, and waits for the result message. Returns the number of
 * boxes that had to be checked.
 */
export async function decideByKeys(
  page: Page,
  { press }: Keyboard,
  { action, letter, done }: KeyboardDecision,
): Promise<number> {
  const decisionArea = getDecisionRegion(page)
  await press(action)
  await expect(getReasonField(decisionArea)).toBeFocused()
  await press(letter)
  await expect(getNoteField(decisionArea)).not.toHaveValue('')
  const checkboxes = decisionArea.getByRole('checkbox')
  const checkboxCount = await checkboxes.count()
  // The focus is on the reason. The note is between it and the first box, so one more Tab is
  // needed.
  if (checkboxCount > 0) await press('Tab')
  for (let at = 0; at < checkboxCount; at += 1) {
    await press('Tab')
    await press('Space')
    await expect(checkboxes.nth(at)).toBeChecked()
  }
  await press('Control+Enter')
  await expect(decisionArea.getByRole('status').getByText(done)).toBeFocused()
  return checkboxCount
}

export const findMedian = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
