import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  connectBankAccountPath,
  deleteCustomerPath,
  listPath,
  newRecordPath,
  recordPath,
} from '@/lib/routes'
import { fillReason } from './customer'
import {
  createPdfFile,
  getDecisionRegion,
  getFileRow,
  getReleaseButton,
  getReleasedMessage,
  getTimelineList,
  goTo,
  openPayout,
  prepareRelease,
  uploadFiles,
} from './desk'
import { expect } from './fixtures'
import { checkPlanCheckboxes, clickReview, fillPayment, readCreatedPaymentId } from './new-payment'
import { test } from './own-desk'
import {
  checkAllBoxes,
  createAccountNumber,
  fetchServiceData,
  fillBankNumbers,
  getConnectedMessage,
  openAndFillDecision,
  readPaykeyStatus,
} from './paykey-desk'

test.use({ settings: { SANDBOX_INTEGRATION: 'marketplace' } })

async function createBuyer(page: Page, name: string): Promise<string> {
  await goTo(page, newRecordPath('sandbox', 'customers'))
  await expect(page.getByLabel('Account', { exact: true })).toHaveCount(0)
  await expect(page.getByText('for the platform in SANDBOX').first()).toBeVisible()
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

const createBuyerName = () => `Quill Market ${randomUUID().slice(0, 8)}`

test('a buyer is created and connected without an account, and paid for a seller', async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  const name = createBuyerName()
  const customer = await createBuyer(page, name)
  await goTo(page, connectBankAccountPath('sandbox', { customer, way: 'bank' }))
  await expect(page.getByText(`Connects a bank account of ${name} for the platform`)).toBeVisible()
  await fillBankNumbers(page, createAccountNumber())
  await page.getByRole('button', { name: 'Connect the bank account' }).click()
  await expect(getConnectedMessage(page)).toContainText('Connected and active')
  await getConnectedMessage(page).getByRole('link', { name: 'Create a payout' }).click()
  const sellerLink = page.getByRole('list', { name: 'Accounts' }).getByRole('link').first()
  const seller = (await sellerLink.innerText()).split('\n')[0] ?? ''
  await sellerLink.click()
  await fillPayment(page, 'payout', '75.00')
  await clickReview(page, 'payout')
  await checkPlanCheckboxes(page)
  await page.getByRole('button', { name: 'Pay out $75.00' }).click()
  const id = await readCreatedPaymentId(page, 'payout')
  const moneyFlow = page.getByRole('list', { name: 'Money flow' })
  await expect(moneyFlow.getByRole('listitem').first()).toContainText(`Buyer${name}`)
  await expect(moneyFlow.getByRole('listitem').last()).toContainText(`Seller${seller}`)
  expect((await sandbox.journal(id)).map(({ operation }) => operation)).toEqual(['payouts.create'])

  await goTo(page, listPath('sandbox', 'customers', { tab: 'all', search_text: name }))
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
  await expect(page.getByRole('columnheader', { name: 'Account', exact: true })).toHaveCount(0)
  await goTo(page, listPath('sandbox', 'payouts', { tab: 'all', search_text: id }))
  await expect(page.getByRole('columnheader', { name: 'Account', exact: true })).toBeVisible()
})

test('a held payout is released and a proof uploaded', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  const payout = await sandbox.makePayout()
  await openPayout(page, payout)
  await uploadFiles(page, [createPdfFile('proof.pdf')])
  await expect(getFileRow(page, 'proof.pdf')).toContainText('attached')
  await prepareRelease(page, payout)
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toBeVisible()
  expect((await sandbox.journal(payout.id)).map(({ operation }) => operation)).toEqual([
    'payouts.authorize',
    'payouts.release',
  ])
})

async function openPlatformPaykey(page: Page, id: string): Promise<void> {
  await goTo(page, recordPath('sandbox', 'paykeys', id))
  await expect(page.getByRole('article', { name: 'Paykey' })).toContainText('for the platform')
  const checks = page.getByRole('list', { name: 'Checks' }).first()
  await expect(checks).toBeVisible()
  await expect(checks.getByText('Loading:')).toHaveCount(0)
}

test('a reviewer approves a paykey of the platform, and an admin unblocks one', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const reviewed = await sandbox.makePayout({ paykey_status: 'review', status: 'on_hold' })
  const reviewer = await signIn('reviewer')
  await openPlatformPaykey(reviewer, reviewed.paykey)
  const approval = await openAndFillDecision(reviewer, 'Approve…', 'Owner matches')
  await checkAllBoxes(approval)
  await approval.getByRole('button', { name: /^Approve .*\d{4}$/ }).click()
  await expect(getTimelineList(reviewer)).toContainText('Owner matched: ')
  expect(await readPaykeyStatus(reviewer, reviewed.paykey)).toBe('active')

  const blocked = await sandbox.makePayout({ paykey_status: 'blocked', status: 'paid' })
  const admin = await signIn('admin')
  await openPlatformPaykey(admin, blocked.paykey)
  const unblocking = await openAndFillDecision(
    admin,
    'Unblock…',
    'Bank allow-listed our ACH company ID',
  )
  await checkAllBoxes(unblocking)
  const { bank_data } = await fetchServiceData<{ bank_data: { account_number: string } }>(
    admin,
    `/paykeys/${blocked.paykey}`,
  )
  await unblocking
    .getByLabel('Type the last four digits of the account')
    .fill(bank_data.account_number.slice(-4))
  await unblocking.getByRole('button', { name: /^Unblock .*\d{4}$/ }).click()
  await expect(
    admin.getByText('Already unblocked in Paydesk. A paykey can be unblocked only once.'),
  ).toBeVisible()
  expect(await readPaykeyStatus(admin, blocked.paykey)).toBe('active')
})

test('a customer of the platform is deleted on another person’s request', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const operator = await signIn('operator')
  const name = createBuyerName()
  const customer = await createBuyer(operator, name)
  await goTo(operator, deleteCustomerPath('sandbox', customer))
  await operator.getByLabel('Requester').selectOption({ label: 'The data subject' })
  await operator
    .getByLabel('Legal ground')
    .selectOption({ label: 'CCPA 1798.105: right to delete' })
  await operator
    .getByLabel('How the identity was verified')
    .selectOption({ label: 'Requested while signed in to our product' })
  await operator.getByRole('button', { name: 'Request deletion' }).click()
  await expect(operator.getByRole('button', { name: 'Withdraw request' })).toBeVisible()

  const reviewer = await signIn('reviewer')
  await goTo(reviewer, deleteCustomerPath('sandbox', customer))
  const deletion = reviewer.getByRole('region', { name: 'Deletion' })
  await deletion.getByRole('button', { name: 'Permanently delete…' }).click()
  await fillReason(deletion, 'Requested by the person')
  await deletion.getByLabel('Type the customer’s name').fill(name)
  await deletion.getByRole('button', { name: `Permanently delete ${name}` }).click()
  await expect(reviewer.getByText('Customer permanently deleted')).toBeVisible()
  await reviewer.getByRole('link', { name: 'Open the certificate' }).click()
  await expect(reviewer.getByRole('heading', { name: 'Certificate of deletion' })).toBeVisible()
  await expect(reviewer.getByText('the platform, SANDBOX')).toBeVisible()
  expect((await sandbox.journal(customer)).map(({ operation }) => operation)).toEqual([
    'customers.create',
    'customers.delete',
  ])
})

test('an edit of a customer names the platform', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  const name = createBuyerName()
  await createBuyer(page, name)
  await getDecisionRegion(page).getByRole('button', { name: /^Edit/ }).click()
  await expect(page.getByText('for the platform in SANDBOX').first()).toBeVisible()
  await page.getByLabel('Phone').fill('+15125550199')
  await page.getByRole('button', { name: 'Save the customer' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
})
