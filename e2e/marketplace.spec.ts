import type { Page } from '@playwright/test'
import {
  connectBankAccountPath,
  deskPath,
  homePath,
  listPath,
  newRecordPath,
  recordPath,
} from '@/lib/routes'
import {
  addRepresentative,
  decideCapabilityRequest,
  findCapabilityRequestId,
  linkBankAccount,
  makeAccount,
  openAccount,
} from './accounts'
import {
  createPdfFile,
  getDecisionRegion,
  getFileRow,
  getReleaseButton,
  getReleasedMessage,
  getTimelineList,
  goTo,
  listAccounts,
  openPayout,
  prepareRelease,
  uploadFiles,
} from './desk'
import { expect } from './fixtures'
import {
  createCustomer,
  createCustomerName,
  deleteCustomer,
  requestHigherLimit,
  unblockPaykey,
} from './main-tasks'
import {
  checkPlanCheckboxes,
  clickReview,
  fillPayment,
  openPaymentForm,
  readCreatedPaymentId,
} from './new-payment'
import { test } from './own-desk'
import {
  checkAllBoxes,
  createAccountNumber,
  fillBankNumbers,
  getConnectedMessage,
  openAndFillDecision,
  readPaykeyStatus,
} from './paykey-desk'

test.use({ settings: { SANDBOX_INTEGRATION: 'marketplace' } })

test('a buyer is created and connected without an account, and paid for a seller', async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  const name = createCustomerName()
  await goTo(page, newRecordPath('sandbox', 'customers'))
  await expect(page.getByText('for the platform in SANDBOX').first()).toBeVisible()
  const customer = await createCustomer(page, name)
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
  await unblockPaykey(admin, blocked.paykey)
})

test('a customer of the platform is deleted on another person’s request', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const operator = await signIn('operator')
  const name = createCustomerName()
  const customer = await createCustomer(operator, name)
  const reviewer = await signIn('reviewer')
  await deleteCustomer(operator, reviewer, { id: customer, name })
  await expect(reviewer.getByText('the platform, SANDBOX')).toBeVisible()
  expect((await sandbox.journal(customer)).map(({ operation }) => operation)).toEqual([
    'customers.create',
    'customers.delete',
  ])
})

test('an edit of a customer names the platform', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  const name = createCustomerName()
  await createCustomer(page, name)
  await getDecisionRegion(page).getByRole('button', { name: /^Edit/ }).click()
  await expect(page.getByText('for the platform in SANDBOX').first()).toBeVisible()
  await page.getByLabel('Phone').fill('+15125550199')
  await page.getByRole('button', { name: 'Save the customer' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
})

test('a buyer without a payment of the seller is found for the first one', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const name = createCustomerName()
  const customer = await createCustomer(page, name)
  await goTo(page, connectBankAccountPath('sandbox', { customer, way: 'bank' }))
  await fillBankNumbers(page, createAccountNumber())
  await page.getByRole('button', { name: 'Connect the bank account' }).click()
  await expect(getConnectedMessage(page)).toContainText('Connected and active')
  const [seller] = await listAccounts(page)
  await openPaymentForm(page, 'payout', { account: seller?.id ?? '' })
  await page.getByLabel('Find a bank account').fill(name)
  await page
    .getByRole('option', { name: /••••\d{4}/ })
    .filter({ hasText: name })
    .click()
  await expect(page.getByText(name, { exact: true })).toBeVisible()
  await expect(page.getByLabel('Amount, USD')).toBeFocused()
})

test('a seller’s account is onboarded, and its limits are requested and granted', {
  tag: '@full',
}, async ({ signIn, sandboxUrl }) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const seller = await makeAccount(page)
  await addRepresentative(page, seller)
  await linkBankAccount(page, seller)
  await openAccount(page, seller)
  await expect(page.getByText('complete', { exact: true })).toBeVisible()
  await page.keyboard.press('o')
  const actions = page.getByRole('region', { name: 'Actions' })
  await actions.getByRole('button', { name: 'Use current time' }).click()
  await actions.getByLabel('URL of the agreement').fill('https://harbour.example.com/terms')
  await page.keyboard.press('Control+Enter')
  const currentStage = page.getByRole('list', { name: 'Stages' }).locator('[aria-current=step]')
  await expect(currentStage).toHaveText('Onboarding')
  await page.getByRole('button', { name: 'Simulate active' }).click()
  await expect(currentStage).toHaveText('Active')

  await goTo(
    page,
    deskPath('sandbox', `/accounts/${seller.id}/limits`, { account: seller.account }),
  )
  await requestHigherLimit(page, 'Payouts', '7,500.00')
  const requestId = await findCapabilityRequestId(page, seller)
  await decideCapabilityRequest(sandboxUrl, requestId, 'active')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('article', { name: 'Request for payouts' })).toContainText('Applied')
})
