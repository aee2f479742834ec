import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import canonicalize from 'canonicalize'
import { deleteCustomerPath, deletionsPath } from '@/lib/routes'
import { fillReason, type MadeCustomer, makeCustomer, openCustomer } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessibleAt } from './look'
import { getPersonOfPage } from './person'

const getDeletionRegion = (page: Page) => page.getByRole('region', { name: 'Deletion' })

async function requestDeletion(page: Page, customer: MadeCustomer): Promise<void> {
  await goTo(page, deleteCustomerPath('sandbox', customer.id, { account: customer.account }))
  await page.getByRole('button', { name: 'Request deletion' }).click()
  await expect(page.getByText('Choose the requester')).toBeVisible()
  await page.getByLabel('Requester').selectOption({ label: 'The data subject' })
  await page.getByLabel('Legal ground').selectOption({ label: 'CCPA 1798.105: right to delete' })
  await page
    .getByLabel('How the identity was verified')
    .selectOption({ label: 'Requested while signed in to our product' })
  await page.getByLabel('Ticket').fill('Tamsin wrote us')
  await page.getByRole('button', { name: 'Request deletion' }).click()
  await expect(page.getByText('Must be a reference like PRIV-1234')).toBeVisible()
  await page.getByLabel('Ticket').fill('PRIV-77')
  await page.getByLabel('Due on').fill('2027-01-31')
  await page.getByRole('button', { name: 'Request deletion' }).click()
  await expect(page.getByRole('button', { name: 'Withdraw request' })).toBeVisible()
}

test('a reviewer executes a deletion request, and the hash of its certificate can be checked', async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const operatorPage = await signIn('operator')
  const customer = await makeCustomer(operatorPage, deskUrl)
  await openCustomer(operatorPage, customer)
  await operatorPage.getByRole('link', { name: 'Request deletion…' }).click()
  await requestDeletion(operatorPage, customer)
  const operatorDeleteButton = getDeletionRegion(operatorPage).getByRole('button', {
    name: 'Permanently delete…',
  })
  await expect(operatorDeleteButton).toHaveAccessibleDescription(
    'Only a reviewer or an admin can delete a customer.',
  )

  const page = await signIn('reviewer')
  await goTo(page, deletionsPath('sandbox'))
  await page.getByRole('link', { name: customer.name }).click()
  await expect(page.getByText('No blockers')).toBeVisible()
  await getDeletionRegion(page).getByRole('button', { name: 'Permanently delete…' }).click()
  await expect(getDeletionRegion(page)).toContainText('This cannot be undone')
  await fillReason(getDeletionRegion(page), 'Requested by the person')
  const deleteButton = getDeletionRegion(page).getByRole('button', {
    name: `Permanently delete ${customer.name}`,
  })
  await deleteButton.click()
  await expect(getDeletionRegion(page).getByText('Does not match yet')).toBeVisible()
  await expectAccessibleAt(page, 'narrow')
  await getDeletionRegion(page).getByLabel('Type the customer’s name').fill(customer.name)
  await deleteButton.click()
  await expect(page.getByText('Customer permanently deleted')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open the certificate' })).toBeFocused()
  expect((await sandbox.journal(customer.id)).map(({ operation }) => operation)).toEqual([
    'customers.create',
    'customers.delete',
  ])

  await page.getByRole('link', { name: 'Open the certificate' }).click()
  await expect(page.getByRole('heading', { name: 'Certificate of deletion' })).toBeVisible()
  expect(await (await page.request.get(page.url())).text()).not.toContain(customer.name)
  await expectAccessibleAt(page, 'wide')
  const downloadPromise = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download JSON' }).click()
  const issuedCertificate = JSON.parse(
    await readFile(await (await downloadPromise).path(), 'utf8'),
  ) as {
    certificate: unknown
    sha256: string
  }
  expect(
    createHash('sha256')
      .update(canonicalize(issuedCertificate.certificate) ?? '')
      .digest('hex'),
  ).toBe(issuedCertificate.sha256)
  await expect(page.getByText(issuedCertificate.sha256)).toBeVisible()
})

test('a deletion is requested by keyboard alone, and the next button is at a different place', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const customer = await makeCustomer(page, deskUrl)
  await goTo(page, deleteCustomerPath('sandbox', customer.id, { account: customer.account }))
  await expect(page.getByLabel('Requester')).toBeFocused()
  await page.getByLabel('Requester').selectOption({ label: 'The data subject' })
  await page.getByLabel('Legal ground').selectOption({ label: 'CCPA 1798.105: right to delete' })
  await page
    .getByLabel('How the identity was verified')
    .selectOption({ label: 'Requested while signed in to our product' })
  const requestButtonBox = await page
    .getByRole('button', { name: 'Request deletion' })
    .boundingBox()
  await page.getByLabel('Ticket').press('Control+Enter')
  await expect(page.getByText('Deletion requested. Nothing is deleted yet.')).toBeFocused()
  const withdrawButtonBox = await page
    .getByRole('button', { name: 'Withdraw request' })
    .boundingBox()
  const areButtonsApart =
    requestButtonBox &&
    withdrawButtonBox &&
    (withdrawButtonBox.y + withdrawButtonBox.height <= requestButtonBox.y ||
      withdrawButtonBox.x >= requestButtonBox.x + requestButtonBox.width)
  expect(areButtonsApart, 'the way back stands elsewhere').toBe(true)
})

test('a pending payment of the customer blocks the deletion and is linked', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  const customer = await makeCustomer(page, deskUrl)
  const payout = await sandbox.makePayout({
    account_id: customer.account.slice(5),
    customer_id: customer.id,
  })
  await requestDeletion(page, customer)
  const blockerList = page.getByRole('list', { name: 'Blockers' })
  await expect(blockerList).toContainText('1 payment is pending')
  await expect(
    getDeletionRegion(page).getByRole('button', { name: 'Permanently delete…' }),
  ).toHaveAccessibleDescription('The deletion is blocked, see above.')
  await blockerList.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/payouts/${payout.id}`))
  expect((await sandbox.journal(customer.id)).map(({ operation }) => operation)).toEqual([
    'customers.create',
  ])
})

test('a deletion request can be withdrawn', { tag: '@full' }, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const customer = await makeCustomer(page, deskUrl)
  await requestDeletion(page, customer)
  await page.getByRole('button', { name: 'Withdraw request' }).click()
  await expect(page.getByRole('button', { name: 'Request deletion' })).toBeVisible()
  await goTo(page, deletionsPath('sandbox', { tab: 'withdrawn' }))
  const row = page.getByRole('row').filter({ hasText: customer.id.slice(-6) })
  await expect(row).toHaveCount(1)
  // In print, the styles replace "you" by the person's name, because a reader of the paper cannot
  // know who "you" is.
  await page.emulateMedia({ media: 'print' })
  const youText = row.getByText('you', { exact: true })
  const computedStyle = await youText.evaluate((element) => [
    getComputedStyle(element, '::before').content,
    getComputedStyle(element).fontSize,
  ])
  expect(computedStyle).toEqual([`"${getPersonOfPage(page).name}"`, '0px'])
})

test('the list of deletion requests has filters, sorting, columns and saved views', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const customer = await makeCustomer(page, deskUrl)
  await requestDeletion(page, customer)
  await goTo(page, deletionsPath('sandbox', { due: 'today' }))
  await expect(
    page.getByRole('heading', { name: 'Nothing matches among deletions “Open”' }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Dates', exact: true }).click()
  await page
    .getByRole('region', { name: 'Requested' })
    .getByRole('link', { name: '7 days' })
    .click()
  await expect(page).toHaveURL(/created=7-days/)
  await page.getByRole('link', { name: /^Remove filter Due: Today/ }).click()
  await expect(page).not.toHaveURL(/due=/)
  await page.getByRole('searchbox', { name: 'Search deletions' }).fill(customer.id.slice(-6))
  await page.keyboard.press('Enter')
  const row = page.getByRole('row').filter({ hasText: customer.name })
  await expect(row).toHaveCount(1)
  await expect(page.getByText('1 deletion', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Due', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Due' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )

  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Legal ground' }).click()
  await expect(page.getByRole('columnheader', { name: 'Legal ground' })).toBeVisible()
  await expect(row).toContainText('CCPA 1798.105: right to delete')
  await page.keyboard.press('Escape')
  const savedViewName = `Late ${customer.id.slice(-6)}`
  await page.getByRole('button', { name: 'Save view…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(savedViewName)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  const savedViewLink = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: savedViewName })
  await expect(savedViewLink).toHaveAttribute('aria-current', 'true')

  await goTo(page, deletionsPath('sandbox', { tab: 'all' }))
  await expect(page.getByRole('columnheader', { name: 'Legal ground' })).toBeVisible()
  await savedViewLink.click()
  await expect(page).toHaveURL(/created=7-days/)
  await expectAccessibleAt(page, 'narrow')
  await row.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/customers/${customer.id}/delete`))
})

test('an invalid filter of deletions is named and left out', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  await goTo(page, deletionsPath('sandbox', { due_from: 'soon' }))
  await expect(page.getByText('due_from=soon is not a valid filter; showing all.')).toBeVisible()
})
