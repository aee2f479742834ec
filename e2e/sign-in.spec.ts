import type { Page } from '@playwright/test'
import { homePath, payoutsPath, signInPath } from '@/lib/routes'
import { goTo } from './desk'
import { emailOf, expect, password, test } from './fixtures'
import { getPersonOfPage } from './person'
import { expectHome, getDemoButton, submitSignInForm } from './sign-in'

const payoutListPath = payoutsPath('sandbox')
const homePagePath = homePath('sandbox')

const expectPayoutList = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Payouts', level: 1 })).toBeVisible()

test('a wrong password shows a general error and keeps the email address', {
  tag: '@full',
}, async ({ page }) => {
  await goTo(page, signInPath())
  await submitSignInForm(page, 'nobody@paydesk.test', 'not the password')
  const signInAlert = page.getByRole('alert').filter({ hasText: 'Sign-in failed' })
  await expect(signInAlert).toContainText('Wrong email or password')
  await expect(signInAlert).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue('nobody@paydesk.test')
  await expect(page).toHaveURL(signInPath())
})

test('a signed-out visitor goes to the sign-in page and then to the requested page', {
  tag: '@full',
}, async ({ page }) => {
  const targetPath = payoutsPath('sandbox', { tab: 'paid', sort: 'amount' })
  await page.goto(targetPath)
  await expect(page).toHaveURL(signInPath(targetPath))
  await goTo(page, page.url())
  await submitSignInForm(page, emailOf('operator'), password)
  await expect(page).toHaveURL(targetPath)
  await expectPayoutList(page)
})

for (const returnUrl of [
  'https://example.com/',
  '//example.com/',
  '/\\example.com',
  '/\t/example.com',
  'javascript:alert(1)',
]) {
  test(`the return URL ${JSON.stringify(returnUrl)} is ignored`, { tag: '@full' }, async ({
    page,
  }) => {
    await goTo(page, signInPath(returnUrl))
    await getDemoButton(page, 'viewer').click()
    await expect(page).toHaveURL(homePagePath)
    await expectHome(page)
  })
}

test('signing out ends the session, also for the previous page', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  await goTo(page, payoutListPath)
  await page.getByRole('button', { name: getPersonOfPage(page).name }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(signInPath())
  await page.goto(payoutListPath)
  await expect(page).toHaveURL(signInPath(payoutListPath))
})

test('a session that the server ended is rejected', { tag: '@full' }, async ({
  signIn,
  deskUrl,
  playwright,
}) => {
  const page = await signIn('operator')
  await goTo(page, payoutListPath)
  const copiedSession = await playwright.request.newContext({
    baseURL: deskUrl,
    storageState: await page.context().storageState(),
  })
  await page.getByRole('button', { name: getPersonOfPage(page).name }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(signInPath())
  const signedOutResponse = await copiedSession.get(payoutListPath, { maxRedirects: 0 })
  expect(signedOutResponse.status()).toBe(307)
  expect(signedOutResponse.headers().location).toContain(signInPath())
  await copiedSession.dispose()
})
