import { randomUUID } from 'node:crypto'
import { listPath, newRecordPath, recordPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { fetchObjects, getTableRows } from './lookup'

type Account = { id: string; organization_id: string; status: string }
type Organization = { id: string; name: string }

test('a new organization opens on its page and is in the list', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'organizations'))
  await page.getByLabel('Name').fill('Harbor & Vine Group')
  await page.getByLabel('External ID').fill('org-e2e')
  await page.getByRole('button', { name: 'Add a key' }).click()
  await page.getByLabel('Key 1').fill('region')
  await page.getByLabel('Value 1').fill('coast')
  await page.getByRole('button', { name: 'Create organization' }).click()
  const organizationArticle = page.getByRole('article', { name: 'Organization' })
  await expect(organizationArticle.getByRole('heading', { level: 1 })).toHaveText(
    'Harbor & Vine Group',
  )
  await expect(organizationArticle).toContainText('coast')
  await expect(organizationArticle).toContainText('No accounts in this organization yet.')
  await expect(organizationArticle).toContainText(
    'of an organization cannot be changed, and an organization cannot be removed',
  )
  const id = /organizations\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  expect((await sandbox.journal(id)).map((row) => row.operation)).toEqual(['organizations.create'])

  await goTo(page, listPath('sandbox', 'organizations', { name: 'harbor' }))
  await expect(getTableRows(page)).toHaveCount(1)
  await expect(getTableRows(page).first()).toContainText('0 accounts (0 active)')
})

test('an organization’s accounts are counted in the list and listed on its page', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  const accounts = await fetchObjects<Account>(page, '/accounts', 'page_size=1000')
  const [first] = await fetchObjects<Organization>(page, '/organizations', 'name=Meadowlark')
  const orgAccounts = accounts.filter((account) => account.organization_id === first?.id)
  const activeAccounts = orgAccounts.filter((account) => account.status === 'active')
  await goTo(page, listPath('sandbox', 'organizations', { name: 'Meadowlark' }))
  await expect(getTableRows(page).first()).toContainText(
    `${orgAccounts.length} accounts (${activeAccounts.length} active)`,
  )
  await goTo(page, recordPath('sandbox', 'organizations', first?.id ?? ''))
  const panel = page.getByRole('article', { name: 'Organization' })
  await expect(panel.getByRole('link', { name: 'New account' })).toBeVisible()
  await expect(panel.getByRole('listitem')).toHaveCount(orgAccounts.length)
})

test('a form without a name shows an error and sends nothing; a viewer sees why it is disabled', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'organizations'))
  await page.getByLabel('External ID').fill('org-nameless')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription(
    'Enter the name of the organization.',
  )
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page.getByLabel('External ID')).toHaveValue('org-nameless')
  await expectAccessible(page)
  const viewerPage = await signIn('viewer')
  await goTo(viewerPage, newRecordPath('sandbox', 'organizations'))
  await expect(
    viewerPage.getByText('Unavailable: Only an operator or an admin can create an organization.'),
  ).toBeVisible()
})

test('the entries stay after a refusal of the service', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'organizations'))
  const organizationName = `Refused Group ${randomUUID().slice(0, 8)}`
  await page.getByLabel('Name').fill(organizationName)
  await sandbox.fault({
    operation: 'organizations.create',
    match: organizationName,
    kind: 'status',
    status: 422,
  })
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByText('The payments service refused this')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue(organizationName)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByRole('article', { name: 'Organization' })).toContainText(organizationName)
})
