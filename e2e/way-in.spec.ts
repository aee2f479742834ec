import { homePath, signInPath } from '@/lib/routes'
import { goTo } from './desk'
import { emailOf, expect, password, test } from './fixtures'
import { expectHome, getDemoButton, submitSignInForm } from './sign-in'

test(
  'Paydesk and its sandbox use the dialect of the project',
  { tag: '@full' },
  async ({ sandbox, signIn }, { project }) => {
    expect(await sandbox.dialect()).toBe(project.name)
    const page = await signIn('viewer')
    await goTo(page, homePath('sandbox'))
    await expectHome(page)
  },
)

for (const role of ['admin', 'operator', 'reviewer', 'viewer'] as const) {
  test(`the button of the demo ${role} signs in`, {
    tag: role === 'operator' ? [] : '@full',
  }, async ({ page }) => {
    await goTo(page, signInPath())
    await getDemoButton(page, role).click()
    await expectHome(page)
    await page.getByRole('button', { name: new RegExp(`^\\S+ ${role}\\b`, 'i') }).click()
    await expect(page.getByRole('dialog', { name: 'You and your settings' })).toContainText(
      emailOf(role),
    )
  })
}

test('the form signs in and can show the password', async ({ page }) => {
  await goTo(page, signInPath())
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await submitSignInForm(page, emailOf('operator'), password)
  await expectHome(page)
})
