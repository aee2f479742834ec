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
    await page.getByLabel('New note').fill('The customer called back on 555 123 4567.\nThe contract covers it.')
    await expect(page.getByText('The text seems to contain a phone number.')).toBeVisible()
    await page.getByRole('button', { name: 'Add note' }).click()
    const thread = page.getByRole('list', { name: 'Notes, oldest first' })
    await expect(thread).toContainText('The contract covers it.')
    await expectAccessible(page)

    const otherPerson = await signIn('viewer')
    await openPayout(otherPerson, payout)
    await otherPerson.getByRole('button', { name: 'Notes (1)' }).click()
    await expect(otherPerson.getByRole('list', { name: 'Notes, oldest first' })).toContainText('The contract covers it.')
    await expect(otherPerson.getByRole('button', { name: 'Add note' })).toHaveAttribute('aria-disabled', 'true')

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export evidence' }).click()])
    const file = testInfo.outputPath('evidence.zip')
    await download.saveAs(file)
    expect(execFileSync(process.execPath, ['public/verify-paydesk.mjs', file], { encoding: 'utf8' })).toMatch(/^holds: paydesk-evidence-1/)

    await thread.getByRole('button', { name: /^Withdraw/ }).click()
    await expect(thread).toContainText('Withdrawn by')
    await goTo(otherPerson, new URL(page.url()).pathname + new URL(page.url()).search)
    await expect(otherPerson.getByRole('button', { name: 'Notes', exact: true })).toBeVisible()
  },
)
