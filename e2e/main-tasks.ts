import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { deleteCustomerPath, newRecordPath } from '@/lib/routes'
import { fillReason } from './customer'
import { goTo } from './desk'
import {
  checkAllBoxes,
  fetchServiceData,
  openAndFillDecision,
  readPaykeyStatus,
} from './paykey-desk'

export const createCustomerName = () => `Quill Market ${randomUUID().slice(0, 8)}`

/** Creates a customer through the form of an integration in which customers have no account. */
export async function createCustomer(page: Page, name: string): Promise<string> {
  await goTo(page, newRecordPath('sandbox', 'customers'))
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Account', { exact: true })).toHaveCount(0)
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Business' })
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Email').fill(`${randomUUID().slice(0, 8)}@quill.example`)
  await page.getByLabel('Phone').fill('(512) 555-0100')
  await page.getByLabel('EIN').fill('12-3456789')
  await page.getByLabel('Legal name').fill('Quill Market LLC')
  await page.getByLabel('Outcome, sandbox only').selectOption({ label: 'Verified' })
  await page.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  return /customers\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
}

/** Unblocks the paykey that the page shows. */
export async function unblockPaykey(page: Page, paykey: string): Promise<void> {
  const form = await openAndFillDecision(page, 'Unblock…', 'Bank allow-listed our ACH company ID')
  await checkAllBoxes(form)
  const { bank_data } = await fetchServiceData<{ bank_data: { account_number: string } }>(
    page,
    `/paykeys/${paykey}`,
  )
  await form
    .getByLabel('Type the last four digits of the account')
    .fill(bank_data.account_number.slice(-4))
  await form.getByRole('button', { name: /^Unblock .*\d{4}$/ }).click()
  await expect(
    page.getByText('Already unblocked in Paydesk. A paykey can be unblocked only once.'),
  ).toBeVisible()
  expect(await readPaykeyStatus(page, paykey)).toBe('active')
}

/**
 * One person requests the deletion of a customer, and another one deletes it and opens the
 * certificate.
 */
export async function deleteCustomer(
  requester: Page,
  decider: Page,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await goTo(requester, deleteCustomerPath('sandbox', id))
  await requester.getByLabel('Requester').selectOption({ label: 'The data subject' })
  await requester
    .getByLabel('Legal ground')
    .selectOption({ label: 'CCPA 1798.105: right to delete' })
  await requester
    .getByLabel('How the identity was verified')
    .selectOption({ label: 'Requested while signed in to our product' })
  await requester.getByRole('button', { name: 'Request deletion' }).click()
  await expect(requester.getByRole('button', { name: 'Withdraw request' })).toBeVisible()
  await goTo(decider, deleteCustomerPath('sandbox', id))
  const deletion = decider.getByRole('region', { name: 'Deletion' })
  await deletion.getByRole('button', { name: 'Permanently delete…' }).click()
  await fillReason(deletion, 'Requested by the person')
  await deletion.getByLabel('Type the customer’s name').fill(name)
  await deletion.getByRole('button', { name: `Permanently delete ${name}` }).click()
  await expect(decider.getByText('Customer permanently deleted')).toBeVisible()
  await decider.getByRole('link', { name: 'Open the certificate' }).click()
  await expect(decider.getByRole('heading', { name: 'Certificate of deletion' })).toBeVisible()
}

/**
 * Requests a higher limit for one payment on the page of an account’s limits, by keyboard.
 * `amount` must be less than the limit in a day.
 */
export async function requestHigherLimit(
  page: Page,
  type: 'Charges' | 'Payouts',
  amount: string,
): Promise<void> {
  const requestButton = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: type, exact: true }) })
    .getByRole('button', { name: 'Request limit change…' })
  // A disabled button takes the key without an effect while the page still reads the requests.
  await expect(requestButton).toBeEnabled()
  await requestButton.press('Enter')
  const formName = `Request limit change for ${type.toLowerCase()}`
  const form = page.getByRole('form', { name: formName })
  await expect(form.getByLabel('Per payment')).toBeFocused()
  await page.keyboard.type(amount)
  await form.getByLabel('Reason', { exact: true }).selectOption({ label: 'Business growth' })
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Request sent', { exact: true })).toBeFocused()
  const request = page.getByRole('article', { name: `Request for ${type.toLowerCase()}` })
  await expect(request).toContainText('In review')
}
