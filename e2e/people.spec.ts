import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { peoplePath, signInPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { getPersonOfPage } from './person'
import { expectHome, submitSignInForm } from './sign-in'
import { waitForHydration } from './wait-for-hydration'

const newPassword = 'marble tractor violin 7'
const peoplePagePath = peoplePath('sandbox')
const getPersonRow = (page: Page, name: string) =>
  page.getByRole('row', { name: new RegExp(`^${name}`) })

/**
 * Invites a person with the role of a viewer. Returns the invitation link, which the page shows
 * only once.
 */
async function createInvitationLink(admin: Page, name: string, email: string): Promise<string> {
  await goTo(admin, peoplePagePath)
  await admin.getByRole('button', { name: 'Invite a person' }).click()
  const invitationForm = admin.getByRole('form', { name: 'Invite a person' })
  await invitationForm.getByRole('button', { name: 'Create invite link' }).click()
  await expect(invitationForm.getByText('Enter the name.')).toBeVisible()
  await invitationForm.getByLabel('Name').fill(name)
  await invitationForm.getByLabel('Email').fill(email)
  await invitationForm.getByLabel('Role').selectOption('viewer')
  await invitationForm.getByRole('button', { name: 'Create invite link' }).click()
  const invitationLinkElement = admin.locator('code').filter({ hasText: '/welcome#' })
  await expect(invitationLinkElement).toBeVisible()
  const linkText = (await invitationLinkElement.textContent()) ?? ''
  await expect(getPersonRow(admin, name)).toContainText('Invited')
  return linkText
}

async function openInvitation(openBrowser: () => Promise<Page>, link: string): Promise<Page> {
  const invitationPage = await openBrowser()
  await invitationPage.goto(link)
  return invitationPage
}

async function setPassword(page: Page, password: string, repeated = password) {
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm password').fill(repeated)
  await page.getByRole('button', { name: 'Set password' }).click()
}

test('a person is invited, sets a password, works with the granted role, and is deactivated', {
  tag: '@full',
}, async ({ signIn, openBrowser, page: otherAdminPage }) => {
  // Slow, because it uses four people in separate browser contexts and checks accessibility on five
  // pages.
  test.slow()
  const adminPage = await signIn('admin')
  const invitedName = `Ines ${randomUUID().slice(0, 8)}`
  const invitedEmail = `${invitedName.replace(' ', '.').toLowerCase()}@company.test`
  const invitationLink = await createInvitationLink(adminPage, invitedName, invitedEmail)
  await expectAccessible(adminPage)

  const invitedPage = await openInvitation(openBrowser, invitationLink)
  await setPassword(invitedPage, newPassword, 'something else')
  await expect(invitedPage.getByText('Passwords don’t match')).toBeVisible()
  await setPassword(invitedPage, 'Password2024!')
  await expect(
    invitedPage.getByText('This password is among those attackers guess first'),
  ).toBeVisible()
  await expectAccessible(invitedPage)
  expect(invitedPage.url()).not.toContain('#')
  await setPassword(invitedPage, newPassword)
  await expect(invitedPage.getByText('Your password is set')).toBeVisible()
  const usedLinkPage = await openInvitation(openBrowser, invitationLink)
  await expect(usedLinkPage.getByRole('status')).toContainText('used already or has expired')
  await expect(usedLinkPage.getByLabel('New password')).toHaveCount(0)
  await expectAccessible(usedLinkPage)

  await invitedPage.getByRole('link', { name: 'Sign in', exact: true }).click()
  await expect(invitedPage.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
  await waitForHydration(invitedPage)
  await submitSignInForm(invitedPage, invitedEmail, newPassword)
  await expectHome(invitedPage)
  await expect(invitedPage.getByRole('link', { name: 'Activity' })).toHaveCount(0)

  await goTo(adminPage, peoplePagePath)
  await getPersonRow(adminPage, invitedName).getByRole('link').click()
  await expect(adminPage.getByRole('heading', { name: invitedName, level: 1 })).toBeVisible()
  const grantForm = adminPage.getByRole('form', { name: 'Grant a role' })
  await grantForm.getByLabel('Role').selectOption('operator')
  await grantForm.getByRole('button', { name: 'Grant the role' }).click()
  const unconfirmedRolesList = adminPage.getByRole('list', {
    name: 'Roles that wait for another admin',
  })
  await expect(
    unconfirmedRolesList.getByRole('button', { name: 'Confirm operator' }),
  ).toHaveAccessibleDescription(/^You granted this role/)
  await expectAccessible(adminPage)
  await otherAdminPage.goto(signInPath(new URL(adminPage.url()).pathname))
  await otherAdminPage.getByRole('button', { name: /^admin .*admin2@/ }).click()
  await waitForHydration(otherAdminPage)
  await otherAdminPage.getByRole('button', { name: 'Confirm operator' }).click()
  await expect(
    otherAdminPage.getByRole('button', { name: 'Remove operator in sandbox' }),
  ).toBeVisible()
  await goTo(adminPage, new URL(adminPage.url()).pathname)
  await adminPage.getByRole('button', { name: 'Remove viewer in sandbox' }).click()
  await expect(adminPage.getByRole('button', { name: 'Remove viewer in sandbox' })).toHaveCount(0)
  await expectAccessible(adminPage)
  await expect(async () => {
    await invitedPage.reload()
    await expect(invitedPage.getByRole('link', { name: 'Activity' })).toBeVisible({ timeout: 1000 })
  }).toPass()

  const deactivateButton = adminPage.getByRole('button', { name: 'Deactivate', exact: true })
  await deactivateButton.click()
  const deactivationDialog = adminPage.getByRole('dialog', { name: `Deactivate ${invitedName}?` })
  await deactivationDialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(deactivateButton).toBeFocused()
  await deactivateButton.click()
  await expectAccessible(adminPage)
  await deactivationDialog.getByRole('button', { name: 'Deactivate this person' }).click()
  await expect(adminPage.getByRole('button', { name: 'Activate', exact: true })).toBeVisible()
  await expect(async () => {
    await invitedPage.reload()
    await expect(invitedPage.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible({
      timeout: 1000,
    })
  }).toPass()
})

test('an admin cannot change their own roles, and a non-admin cannot see people', {
  tag: '@full',
}, async ({ signIn }) => {
  const ownAdminPage = await signIn('admin')
  await goTo(ownAdminPage, peoplePagePath)
  await getPersonRow(ownAdminPage, getPersonOfPage(ownAdminPage).name).getByRole('link').click()
  await expect(
    ownAdminPage.getByRole('button', { name: 'Deactivate' }),
  ).toHaveAccessibleDescription(/^Nobody can do this to themselves/)
  await expect(
    ownAdminPage.getByRole('button', { name: 'Remove admin in sandbox' }),
  ).toHaveAccessibleDescription(/^Nobody can change their own/)
  const viewerPage = await signIn('viewer')
  await viewerPage.goto(peoplePagePath)
  await expect(
    viewerPage.getByRole('heading', { name: 'You don’t have access to People' }),
  ).toBeVisible()
})

test('a link without its token shows an error', { tag: '@full' }, async ({
  openBrowser,
  deskUrl,
}) => {
  const welcomePage = await openInvitation(openBrowser, `${deskUrl}/welcome`)
  await expect(welcomePage.getByText('This link is not complete')).toBeVisible()
})
