import type { Page } from '@playwright/test'
import { payoutsPath, profilePath, signInPath } from '@/lib/routes'
import { type IdentityProvider, startIdentityProvider } from '@/tests/harness/identity-provider'
import { goTo } from './desk'
import { expect } from './fixtures'
import { expectAccessible } from './look'
import { test as own } from './own-desk'
import { expectHome, getDemoButton } from './sign-in'

// Paydesk has a host name and the identity provider an IP address, so that the browser treats them
// as different sites, as in production.
const test = own.extend<object, { idp: IdentityProvider }>({
  idp: [
    async ({ place }, use) => {
      const idp = await startIdentityProvider({
        deskUrl: place.deskUrl,
        roles: 'payments-team=operator@sandbox',
      })
      await use(idp)
      await idp.stop()
    },
    { scope: 'worker' },
  ],
  settings: [async ({ idp }, use) => use(idp.settings), { scope: 'worker' }],
})
test.use({ host: 'localhost' })

const getSsoButton = (page: Page, name = 'Sign in with Company ID') =>
  page.getByRole('button', { name })

/** Signs in at the identity provider. */
async function signInAtIdp(page: Page, sub: string) {
  await page.getByPlaceholder('Enter any login').fill(sub)
  await page.getByPlaceholder('and password').fill('whatever')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

/**
 * Removes the browser errors of the identity provider's own pages, which load fonts from another
 * site. Each error left in `troubles` fails the test.
 */
const removeIdpErrors = (troubles: string[], { issuer }: IdentityProvider) => {
  const paydeskErrors = troubles.filter(
    (trouble) => !trouble.includes(issuer) && !trouble.includes('https://fonts.googleapis.com/'),
  )
  troubles.splice(0, troubles.length, ...paydeskErrors)
}

test('a link leads through the provider, and the first factor needs a new sign-in there', {
  tag: '@full',
}, async ({ page, idp, troubles }) => {
  const { sub, email } = idp.stranger({ groups: ['payments-team'] })
  await goTo(page, payoutsPath('sandbox'))
  await getSsoButton(page).click()
  await signInAtIdp(page, sub)
  await expect(page.getByRole('heading', { name: 'Payouts', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(payoutsPath('sandbox'))

  await goTo(page, profilePath('sandbox'))
  await expect(page.getByText(email).first()).toBeVisible()
  await expect(page.getByText('You have no password in Paydesk')).toBeVisible()
  await expectAccessible(page)
  await getSsoButton(page, 'Sign in again with Company ID').click()
  await signInAtIdp(page, sub)
  await expect(page.getByText('You signed in a moment ago')).toBeVisible()
  await page.getByRole('button', { name: 'Add the authenticator app' }).click()
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
  removeIdpErrors(troubles, idp)
})

test('an unknown person or a canceled sign-in sees the reason at the form', {
  tag: '@full',
}, async ({ page, idp, troubles }) => {
  await goTo(page, signInPath())
  await getSsoButton(page).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Sign-in canceled' })).toBeVisible()
  await getSsoButton(page).click()
  await signInAtIdp(page, idp.stranger().sub)
  await expect(
    page.getByRole('alert').filter({ hasText: 'You have no access to Paydesk' }),
  ).toBeVisible()
  await expectAccessible(page)
  removeIdpErrors(troubles, idp)
})

test('an unreachable provider is reported, and the password sign-in still works', {
  tag: '@full',
}, async ({ page, idp, troubles }) => {
  await goTo(page, signInPath())
  idp.answer(false)
  await getSsoButton(page).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Your identity provider cannot be reached' }),
  ).toBeVisible()
  idp.answer(true)
  await getDemoButton(page, 'viewer').click()
  await expectHome(page)
  removeIdpErrors(troubles, idp)
})

test('after a session ended, a sign-in in another tab keeps the typed text', {
  tag: '@full',
}, async ({ page, context, idp, troubles }) => {
  const { sub } = idp.stranger({ groups: ['payments-team'] })
  await goTo(page, signInPath())
  await getSsoButton(page).click()
  await signInAtIdp(page, sub)
  await expectHome(page)
  await goTo(page, profilePath('sandbox'))
  await context.clearCookies({ name: 'paydesk.session' })
  await page.getByRole('button', { name: 'Add the authenticator app' }).click()
  const signInAgainButton = page.getByRole('button', { name: 'Sign in again', exact: true })
  await signInAgainButton.click()
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in with Company ID in another tab' }).click(),
  ])
  await getSsoButton(tab).click()
  await expectHome(tab)
  await tab.close()
  await page.bringToFront()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(signInAgainButton).toHaveCount(0)
  await page.getByRole('button', { name: 'Add the authenticator app' }).click()
  await expect(page.getByText('Sign in again on Your profile')).toBeVisible()
  removeIdpErrors(troubles, idp)
})
