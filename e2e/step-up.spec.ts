import { decisionOf, openPayout, sendRelease, writeRelease } from './desk'
import { expect, test } from './fixtures'
import { expectSound } from './look'
import { byPassword, dialogOf } from './step-up'

test.use({ confirms: false })

test('a password confirms a release, and canceling sends nothing and keeps the text', async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  await openPayout(page, await sandbox.makePayout())
  await writeRelease(page)
  await sendRelease(page).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Your password')).toBeFocused()
  await expect(dialog).toContainText('Required to release a payout.')
  await expectSound(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(decisionOf(page)).toContainText('Not confirmed')
  await expect(decisionOf(page).getByLabel('Note', { exact: true })).toHaveValue(/checked by two people/)
  await sendRelease(page).click()
  await dialog.getByLabel('Your password').fill('not it')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('The password is wrong. 4 tries left')
  await byPassword(page)
  await expect(decisionOf(page)).toContainText('Released')
})
