import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { profilePath } from '@/lib/routes'
import { fillRelease, getDecisionRegion, getReleaseButton, goTo, openPayout } from './desk'
import { expect } from './fixtures'
import { expectAccessible } from './look'
import { test } from './own-desk'
import { confirmByPassword, getStepUpDialog } from './step-up'

test.use({ host: 'localhost', confirms: false })
// Runs all tests of this file in one worker, because each worker starts its own Paydesk.
test.describe.configure({ mode: 'default' })

/**
 * Adds a virtual authenticator that verifies the user immediately. After `answers(false)`, it does
 * not respond.
 */
async function addVirtualAuthenticator(page: Page) {
  const cdpSession = await page.context().newCDPSession(page)
  await cdpSession.send('WebAuthn.enable')
  const authenticatorOptions = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await cdpSession.send('WebAuthn.addVirtualAuthenticator', {
    options: authenticatorOptions,
  })
  return {
    answers: (enabled: boolean) =>
      cdpSession.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    signatures: async () =>
      (await cdpSession.send('WebAuthn.getCredentials', { authenticatorId })).credentials[0]
        ?.signCount ?? 0,
  }
}

const generateTotpCode = (secret: string, at: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

test('a passkey is added, confirms a release, and is removed with its own signature', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const authenticator = await addVirtualAuthenticator(page)
  await goTo(page, profilePath('sandbox'))
  await expect(page.getByText('You have no second factor')).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await confirmByPassword(page)
  const recoveryCodeItems = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(recoveryCodeItems).toHaveCount(10)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I saved these codes' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Passkey 1')
  await page.getByRole('button', { name: 'Rename Passkey 1' }).click()
  await page.getByLabel('Name of the passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  const signatureCountBefore = await authenticator.signatures()
  await openPayout(page, await sandbox.makePayout())
  await fillRelease(page)
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page)).toContainText('Released')
  expect(await authenticator.signatures()).toBeGreaterThan(signatureCountBefore)

  await goTo(page, profilePath('sandbox'))
  await page.getByRole('button', { name: 'Generate new codes' }).click()
  await expect(recoveryCodeItems).toHaveCount(10)
  const firstRecoveryCode = (await recoveryCodeItems.first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I saved these codes' }).click()

  await authenticator.answers(false)
  await page.getByRole('button', { name: 'Generate new codes' }).click()
  const dialog = getStepUpDialog(page)
  await expect(dialog).toContainText('Waiting for your passkey')
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog.getByLabel('Recovery code').fill(firstRecoveryCode)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(recoveryCodeItems).toHaveCount(10)
  await authenticator.answers(true)
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await expect(page.getByText('Your approvals are on hold')).toBeVisible()
  await expect(page.getByText('You have no second factor')).toBeVisible()
})

test('an authenticator app is added by its key, and each code confirms one release', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const page = await signIn('admin')
  await goTo(page, profilePath('sandbox'))
  await page.getByRole('button', { name: 'Add the authenticator app' }).click()
  await confirmByPassword(page)
  const authenticatorForm = page.getByRole('form', { name: 'Add an authenticator app' })
  await expect(authenticatorForm.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  const totpSecret = (await authenticatorForm.locator('code').textContent()) ?? ''
  await authenticatorForm.getByLabel('Code', { exact: true }).fill('12')
  await authenticatorForm.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(authenticatorForm).toContainText('Not the code the app shows now.')
  await expectAccessible(page)
  const now = Date.now()
  await authenticatorForm
    .getByLabel('Code', { exact: true })
    .fill(generateTotpCode(totpSecret, now))
  await authenticatorForm.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(
    page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem'),
  ).toHaveCount(10)

  await openPayout(page, await sandbox.makePayout())
  await fillRelease(page)
  await getReleaseButton(page).click()
  const dialog = getStepUpDialog(page)
  const totpCodeField = dialog.getByLabel('Code of your authenticator app')
  await totpCodeField.fill(generateTotpCode(totpSecret, now))
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(dialog).toContainText('The code is wrong or was used already. 4 tries left')
  // The server accepts the code of the next 30 seconds early, because the clock of the app may
  // differ.
  await totpCodeField.fill(generateTotpCode(totpSecret, now + 30_000))
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(getDecisionRegion(page)).toContainText('Released')
})
