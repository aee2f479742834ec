import type { Page } from '@playwright/test'
import { toApiRequestParts } from '@/lib/operations/http'
import { settingsPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectPageAccessible } from './look'

const openSettings = (page: Page) => goTo(page, settingsPath('sandbox'))
const getConnectionCheckButton = (page: Page) =>
  page.getByRole('button', { name: /^Check connection/ })
const getSettingsGroup = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true })
const getSettingsGroupItem = (page: Page, name: string, label: string) =>
  getSettingsGroup(page, name).getByRole('listitem').filter({ hasText: label }).first()

test('an admin opens the settings and sees the service configuration without the key', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('admin')
  await goTo(page, '/')
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(settingsPath('sandbox'))
  const mainRegion = page.getByRole('main')
  await expect(mainRegion.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(mainRegion.getByText('Service-Account-Id')).toBeVisible()
  await expect(mainRegion.getByText('acct_', { exact: true })).toBeVisible()
  await expect(mainRegion.getByText(/fingerprint [0-9a-f]{16}/)).toBeVisible()
  await expect(mainRegion).not.toContainText('eyJ')
})

test('events from the service are counted', { tag: '@full' }, async ({ signIn, sandbox }) => {
  await sandbox.makePayout()
  const page = await signIn('admin')
  const getLabeledValue = (name: string) => page.getByText(name, { exact: true }).locator('+ dd')
  await expect(async () => {
    await openSettings(page)
    await expect(getLabeledValue('Processed')).toHaveText(/^[1-9]/, { timeout: 1000 })
  }).toPass()
  await expect(getLabeledValue('Signature')).toHaveText(
    'required: an event without a valid one is refused',
  )
  await expect(getLabeledValue('Last received')).not.toHaveText('none yet')
  await expect(getLabeledValue('Processing failed')).toHaveText('0')
  await expectPageAccessible(page)
})

test('a connection check started by keyboard shows its results and their age', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('admin')
  await openSettings(page)
  await getConnectionCheckButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^No mismatch found|checks found a mismatch/)).toBeVisible()
  await expect(getSettingsGroupItem(page, 'Settings', 'Account header')).toContainText(
    'Service-Account-Id narrows what is answered to one account',
  )
  await expect(getSettingsGroupItem(page, 'Operations', 'Search payments')).toContainText(
    /rows.*200, [\d,]+ ms/,
  )
  await expect(getSettingsGroupItem(page, 'Key', 'Environment')).toContainText(
    'the key says sandbox',
  )
  await expect(page.getByText(/^As of (just now|\d+ s ago)$/)).toBeVisible()
  await expect(getConnectionCheckButton(page)).toBeFocused()
  await expect(getConnectionCheckButton(page)).toHaveText('Check connection again')
  await expectPageAccessible(page)
  await page.emulateMedia({ media: 'print' })
  await expect(getSettingsGroupItem(page, 'Settings', 'Amounts')).toBeVisible()
  await expect(getConnectionCheckButton(page)).toBeHidden()
})

test('the check is disabled offline, and an ended session shows an error', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('admin')
  await openSettings(page)
  await page.context().setOffline(true)
  await expect(getConnectionCheckButton(page)).toHaveAccessibleDescription(/You are offline/)
  await page.context().setOffline(false)
  await expect(getConnectionCheckButton(page)).not.toHaveAccessibleDescription(/You are offline/)
  await page.context().clearCookies()
  await getConnectionCheckButton(page).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'The connection could not be checked' }),
  ).toContainText('Please sign in')
})

test('a non-admin has no link to the settings and sees that they are unavailable', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  await goTo(page, '/')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Payouts' })).toBeVisible()
  await expect(page.getByRole('navigation').getByText('Settings')).toHaveCount(0)
  await openSettings(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'You don’t have access to the settings',
  )
  const serviceCheckResponse = await page.request.post(
    toApiRequestParts('service.check', {}, { environment: 'sandbox' }).url,
    {
      headers: { origin: deskUrl },
    },
  )
  expect(serviceCheckResponse.status()).toBe(403)
})
