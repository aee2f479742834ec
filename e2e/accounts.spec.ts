import { homePath, newRecordPath, recordPath } from '@/lib/routes'
import { makeAccount, openAccount, sendWrite } from './accounts'
import { getTimelineList, goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { getPersonOfPage } from './person'
import { chooseReason, getNoteField, getReasonField } from './reason'
import { waitForHydration } from './wait-for-hydration'

test('the form of a new account shows errors at their fields and keeps the entries', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'accounts'))
  const businessName = `Lighthouse ${Date.now()}`
  await page.getByLabel('Name', { exact: true }).fill(businessName)
  await page.getByLabel('City').fill('Austin')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Must be a web address')).toBeVisible()
  await expect(page.getByText('Enter the street and number')).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: 'Organization' })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expect(page.getByText('Choose the organization')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('City').fill('')
  await page.getByLabel('Website').fill('https://lighthouse.example.com')
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Add a key' }).click()
  await page.getByLabel('Key 1').fill('tier')
  await page.getByLabel('Value 1').fill('gold')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: businessName })).toBeVisible()
  await expect(page.getByRole('article', { name: 'Account' })).toContainText('gold')
})

test('an organization with a long name fits in a narrow window', { tag: '@full' }, async ({
  signIn,
  deskUrl,
}) => {
  const page = await signIn('operator')
  const organizationName = `Aardvark${Date.now()}${'x'.repeat(60)}`
  await sendWrite(page, 'POST', '/organizations', { name: organizationName }, { deskUrl })
  await goTo(page, newRecordPath('sandbox', 'accounts'))
  await page.getByLabel('Find an organization by name').fill(organizationName)
  await expect(page.getByRole('radio', { name: organizationName })).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(1)
  await expectAccessible(page)
})

test('an edit keeps the metadata and requires the tax ID again, with a reason', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const newAccount = await makeAccount(page)
  await openAccount(page, newAccount)
  await page.keyboard.press('e')
  await expect(
    page.getByRole('heading', { level: 1, name: `Edit ${newAccount.name}` }),
  ).toBeVisible()
  await waitForHydration(page)
  await expect(page.getByLabel('Key 1')).toHaveValue('tier')
  await page.getByLabel('Phone', { exact: true }).fill('+15125550199')
  await page.getByRole('button', { name: `Save ${newAccount.name}` }).click()
  await expect(page.getByText('Enter the tax ID')).toBeVisible()
  await page.getByRole('textbox', { name: 'Tax ID' }).fill('987654321')
  await expect(
    page.getByText('The tax ID on file ends in 6789. Saving replaces the number.'),
  ).toBeVisible()
  await page.getByRole('textbox', { name: 'Tax ID' }).fill('12-3456789')
  await expect(page.getByText('Ends in 6789, same as on file.')).toBeVisible()
  await page.getByRole('button', { name: `Save ${newAccount.name}` }).click()
  await expect(getReasonField(page)).toHaveAccessibleDescription('Choose a reason and add a note.')
  await expect(getReasonField(page)).toBeFocused()
  await expect(page.getByText(/add a note/i)).toHaveCount(1)
  await expect(page.getByLabel('Phone', { exact: true })).toHaveValue('+15125550199')
  await expectAccessible(page)
  await chooseReason(page, 'Business details changed')
  await expect(getNoteField(page)).toHaveValue('The business reported new details.')
  await page.getByRole('button', { name: `Save ${newAccount.name}` }).click()
  const accountArticle = page.getByRole('article', { name: 'Account' })
  await expect(accountArticle).toContainText('+15125550199')
  for (const unchangedText of ['gold', 'south', '••••6789', '1 Quay Street'])
    await expect(accountArticle).toContainText(unchangedText)
  await expect(getTimelineList(page)).toContainText(
    'Business changed: The business reported new details.',
  )
})

test('an account that another person changed is not overwritten, and the form has its values', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const newAccount = await makeAccount(page)
  const otherPersonPage = await signIn('admin')
  for (const personPage of [page, otherPersonPage]) {
    await goTo(personPage, `${recordPath('sandbox', 'accounts', newAccount.id)}/edit`)
    await personPage.getByRole('textbox', { name: 'Tax ID' }).fill('123456789')
    await chooseReason(personPage, 'Business details changed')
  }
  await page.getByLabel('Phone', { exact: true }).fill('+15125550111')
  await otherPersonPage.getByLabel('Phone', { exact: true }).fill('+15125550122')
  await otherPersonPage.getByLabel('City').fill('Dallas')
  await otherPersonPage.getByRole('button', { name: `Save ${newAccount.name}` }).click()
  await expect(otherPersonPage.getByRole('article', { name: 'Account' })).toContainText('Dallas')
  await page.getByRole('button', { name: `Save ${newAccount.name}` }).click()
  await expect(page.getByText('The account changed while this form was open')).toBeVisible()
  await expect(
    page.getByText('Changed in both places, your values would replace the others: phone.'),
  ).toBeVisible()
  await expect(
    page.getByText(
      new RegExp(
        `^Changed by ${getPersonOfPage(otherPersonPage).name}, .*: “Business changed: The business reported new details.”$`,
      ),
    ),
  ).toBeVisible()
  await expect(page.getByLabel('City')).toHaveValue('Dallas')
  await expect(page.getByLabel('Phone', { exact: true })).toHaveValue('+15125550111')
  await expect(getNoteField(page)).toHaveValue('The business reported new details.')
  await page.getByRole('button', { name: `Save ${newAccount.name}` }).click()
  await expect(page.getByRole('article', { name: 'Account' })).toContainText('+15125550111')
  await expect(page.getByRole('article', { name: 'Account' })).toContainText('Dallas')
})
