import { execFileSync } from 'node:child_process'
import { goTo, openPayout } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'

test(
  'a note is written, read by another person and withdrawn, and its evidence is verified without Paydesk',
  { tag: '@full' },
  async ({ signIn, sandbox }, testInfo) => {
    const payout = await sandbox.makePayout()
    const page = await signIn('operator')
    await openPayout(page, payout)
    await page.getByRole('button', { name: 'Notes', exact: true }).click()
    await expect(page.getByText('No notes yet.')).toBeVisible()
    await page
      .getByLabel('New note')
      .fill('The customer called back on 555 123 4567.\nThe contract covers it.')
    await expect(page.getByText('The text seems to contain a phone number.')).toBeVisible()
    await page.getByRole('button', { name: 'Add note' }).click()
    const noteList = page.getByRole('list', { name: 'Notes, oldest first' })
    await expect(noteList).toContainText('The contract covers it.')
    await expectAccessible(page)

    const otherPersonPage = await signIn('viewer')
    await openPayout(otherPersonPage, payout)
    await otherPersonPage.getByRole('button', { name: 'Notes (1)' }).click()
    await expect(otherPersonPage.getByRole('list', { name: 'Notes, oldest first' })).toContainText(
      'The contract covers it.',
    )
    await expect(otherPersonPage.getByRole('button', { name: 'Add note' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export evidence' }).click(),
    ])
    const evidencePath = testInfo.outputPath('evidence.zip')
    await download.saveAs(evidencePath)
    expect(
      execFileSync(process.execPath, ['public/verify-paydesk.mjs', evidencePath], {
        encoding: 'utf8',
      }),
    ).toMatch(/^holds: paydesk-evidence-1/)

    await noteList.getByRole('button', { name: /^Withdraw/ }).click()
    await expect(noteList).toContainText('Withdrawn by')
    await goTo(otherPersonPage, new URL(page.url()).pathname + new URL(page.url()).search)
    await expect(otherPersonPage.getByRole('button', { name: 'Notes', exact: true })).toBeVisible()
  },
)
