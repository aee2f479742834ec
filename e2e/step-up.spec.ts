import { fillRelease, getDecisionRegion, getReleaseButton, openPayout } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { confirmByPassword, getStepUpDialog } from './step-up'

test.use({ confirms: false })

test('a password confirms a release, and canceling sends nothing and keeps the text', async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  await openPayout(page, await sandbox.makePayout())
  await fillRelease(page)
  await getReleaseButton(page).click()
  const dialog = getStepUpDialog(page)
  await expect(dialog.getByLabel('Your password')).toBeFocused()
  await expect(dialog).toContainText('Required to release a payout.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(getDecisionRegion(page)).toContainText('Not confirmed')
  await expect(getDecisionRegion(page).getByLabel('Note', { exact: true })).toHaveValue(
    /checked by two people/,
  )
  await getReleaseButton(page).click()
  await dialog.getByLabel('Your password').fill('not it')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('The password is wrong. 4 tries left')
  await confirmByPassword(page)
  await expect(getDecisionRegion(page)).toContainText('Released')
})
