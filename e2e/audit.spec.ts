import { execFileSync } from 'node:child_process'
import { auditPath } from '@/lib/routes'
import {
  checkAllBoxes,
  fillRelease,
  getDecisionRegion,
  getReleaseButton,
  goTo,
  openPayout,
  waitUntilLoaded,
} from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { getPersonOfPage } from './person'

test(
  'an admin finds a release with its snapshot, then verifies, exports and checks the audit log without Paydesk',
  { tag: '@full' },
  async ({ signIn, sandbox }, testInfo) => {
    const payout = await sandbox.makePayout({ amount: 1_500 })
    const operatorPage = await signIn('operator')
    await openPayout(operatorPage, payout)
    await fillRelease(operatorPage)
    await checkAllBoxes(getDecisionRegion(operatorPage))
    await getReleaseButton(operatorPage).click()
    await expect(
      getDecisionRegion(operatorPage)
        .getByRole('status')
        .filter({ hasText: /^Released/ }),
    ).toBeVisible()

    const page = await signIn('admin')
    await goTo(page, auditPath('sandbox'))
    await page.getByLabel('Record', { exact: true }).fill(`payouts/${payout.id}`)
    await page.getByLabel('Operation', { exact: true }).selectOption({ label: 'Release a payout' })
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const rows = page.getByRole('table').getByRole('row')
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(1)).toContainText('Release a payout: applied')
    await expectAccessible(page)
    await rows.nth(1).getByRole('link', { name: 'Release a payout: applied' }).click()
    await expect(
      page.getByRole('heading', { level: 1, name: 'Release a payout: applied' }),
    ).toBeVisible()
    await expect(
      page.getByRole('table').getByRole('row').filter({ hasText: 'Status' }).first(),
    ).toContainText('on_holdcreated')
    await expect(page.getByText(getPersonOfPage(operatorPage).name).first()).toBeVisible()
    await expectAccessible(page)

    await goTo(page, auditPath('sandbox'))
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    const proofRegion = page
      .getByRole('region', { name: 'Proof' })
      .or(page.locator('section').filter({ hasText: 'Proof' }))
    await expect(proofRegion.getByRole('status')).toContainText(/entries, none altered/)
    const verificationKey =
      (await proofRegion.getByRole('status').locator('code').last().textContent()) ?? ''
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the whole audit' }).click(),
    ])
    const auditZipPath = testInfo.outputPath('audit.zip')
    await download.saveAs(auditZipPath)
    const verifierOutput = execFileSync(
      process.execPath,
      ['public/verify-paydesk.mjs', auditZipPath, '--key', verificationKey],
      { encoding: 'utf8' },
    )
    expect(verifierOutput).toMatch(/^holds: .* rows, each linked to the one before it/)
    await waitUntilLoaded(page)
  },
)

test('an invalid filter is reported at its field, and a non-reviewer sees why there is no log', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('reviewer')
  await goTo(page, auditPath('sandbox', { target: 'nonsense' }))
  await expect(page.getByText('Must be like payouts/<uuid>')).toBeVisible()
  await goTo(page, auditPath('sandbox', { to: '2020-01-01' }))
  await expect(page.getByRole('heading', { name: 'No row matches' })).toBeVisible()
  const viewerPage = await signIn('viewer')
  await goTo(viewerPage, auditPath('sandbox'))
  await expect(
    viewerPage.getByRole('heading', { name: 'You don’t have access to the audit' }),
  ).toBeVisible()
})

test('at 1280 pixels the row number stays on one line, and filters name the zone of the times', async ({
  signIn,
}) => {
  const page = await signIn('admin')
  await page.setViewportSize({ width: 1280, height: 800 })
  await goTo(page, auditPath('sandbox'))
  const countLines = (cell: Element) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size
  }
  const lastCells = page.getByRole('table').locator('tr > :last-child')
  expect(await lastCells.evaluateAll((cells) => cells.length)).toBeGreaterThan(1)
  for (const cell of await lastCells.all()) expect(await cell.evaluate(countLines)).toBe(1)

  await expect(page.getByRole('columnheader', { name: 'Time, ET' })).toBeVisible()
  await page.getByLabel('From, ET').fill('2024-01-31')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page).toHaveURL(/from=2024-01-31.*zone=America%2FNew_York/)
  await expect(page.getByLabel('From, ET')).toHaveValue('2024-01-31')
})
