import { AxeBuilder } from '@axe-core/playwright'
import { expect as expectPage, type Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { createBridgeSession } from '@/tests/sandbox/bridge-session'
import { findHeading, signInAtBank, submitChosenAccount } from '@/tests/sandbox/bridge-steps'
import { openBrowserPerFile } from '@/tests/sandbox/browser-per-file'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client, process } = startSandboxPerFile()
const { newPage } = openBrowserPerFile()

const accessibilityRuleTags = [
  'wcag2a',
  'wcag2aa',
  'wcag21a',
  'wcag21aa',
  'wcag22aa',
  'best-practice',
]

async function expectAccessible(page: Page, stepName: string): Promise<void> {
  for (const [width, height] of [
    [1280, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // Legacy mode opens no second browser page for each analysis. It does not check cross-origin
      // frames, but this page has none.
      const { violations } = await new AxeBuilder({ page })
        .options({ resultTypes: ['violations'] })
        .setLegacyMode()
        .withTags(accessibilityRuleTags)
        .analyze()
      const violationTexts = violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
      )
      expect([stepName, width, colorScheme, violationTexts]).toEqual([
        stepName,
        width,
        colorScheme,
        [],
      ])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      )
    }
  }
}

test('every step is accessible in both themes, wide and narrow', async () => {
  const page = await newPage()
  const openPage = async (overrides: Record<string, unknown> = {}) =>
    page.goto(
      `${process().url}/bridge?token=${(await createBridgeSession(client(), overrides)).token}`,
    )
  await openPage()
  await expectAccessible(page, 'banks')
  await page.getByLabel('Search by name').fill('no such bank')
  await expectAccessible(page, 'none')
  await page.getByRole('button', { name: /Type account/ }).click()
  await submitChosenAccount(page)
  await expectAccessible(page, 'typed')
  await page.getByRole('button', { name: 'Back to the banks' }).click()
  await page.getByLabel('Search by name').fill('')
  await page.getByRole('button', { name: 'Gringotts' }).click()
  await expectAccessible(page, 'sign-in')
  await page.getByLabel('User name').fill('griphook')
  await page.getByLabel('Password').fill('x')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectAccessible(page, 'accounts')
  await page.context().setOffline(true)
  await submitChosenAccount(page)
  await expectPage(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'offline')
  await page.context().setOffline(false)
  for (const [account, title] of [
    [/Company savings/, 'This account cannot be linked'],
    [/Family checking/, 'Your account is in review'],
    [/^Checking/, 'Your account is linked'],
  ] as const) {
    await openPage()
    await signInAtBank(page)
    await page.getByRole('radio', { name: account }).check()
    await submitChosenAccount(page)
    await expectPage(findHeading(page, title)).toBeVisible()
    await expectAccessible(page, title.toLowerCase().replaceAll(' ', '-'))
  }
  await page.getByRole('button', { name: 'Done' }).click()
  await expectAccessible(page, 'closed')
  await page.goto(`${process().url}/bridge?token=none`)
  await expectAccessible(page, 'refused')
}, 120_000)
