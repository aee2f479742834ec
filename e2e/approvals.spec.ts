import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  approvalsPath,
  deleteCustomerPath,
  deletionsPath,
  homePath,
  serviceApiPath,
} from '@/lib/routes'
import { fillReason, makeAccountWithCustomer, makeCustomer } from './customer'
import {
  createPdfFile,
  fillRelease,
  getDecisionRegion,
  getFileRow,
  getReleaseButton,
  goTo,
  openPayout,
  openPayoutList,
  uploadFiles,
  waitForPaymentData,
} from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { getPersonOfPage } from './person'
import { reasonHeader } from './reason'
import type { Sandbox } from './sandbox'

const approvalListPath = approvalsPath('sandbox')
const getApprovalArticle = (page: Page) =>
  page.getByRole('article', { name: 'Request for approval' })
const getAnswerRegion = (page: Page) => page.getByRole('region', { name: 'Answer' })

/**
 * Requests the release of a new payout that is large enough to require approval. Returns the
 * payout.
 */
async function requestRelease(
  page: Page,
  sandbox: Sandbox,
  payoutFields: { account_id?: string; customer_id?: string } = {},
) {
  const payout = await sandbox.makePayout({ amount: 612_300, ...payoutFields })
  await openPayout(page, payout)
  await fillRelease(page)
  await expect(getReleaseButton(page)).toHaveText('Request release of $6,123.00')
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page).getByText('Awaiting approval').first()).toBeVisible()
  expect(await sandbox.journal(payout.id)).toEqual([])
  return payout
}

/**
 * Opens the approval request through the link on the page of its record. Returns the path of the
 * request's page.
 */
async function openApprovalPage(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Open the request' }).click()
  await expect(
    getAnswerRegion(page).getByRole('button', { name: 'Withdraw request' }),
  ).toBeVisible()
  return new URL(page.url()).pathname
}

test.describe('with an open request', () => {
  test.use({ events: 'live' })

  test('one person requests a release over the threshold, and another approves it', {
    tag: '@full',
  }, async ({ signIn, sandbox, deskUrl }) => {
    const [operator, reviewer] = [await signIn('operator'), await signIn('reviewer')]
    const newAccount = await makeAccountWithCustomer(await signIn('admin'), deskUrl)
    const payout = await requestRelease(operator, sandbox, {
      account_id: newAccount.id,
      customer_id: newAccount.customer.id,
    })
    await openPayoutList(reviewer, { tab: 'all', account: newAccount.account })
    await expect(reviewer.getByRole('row').filter({ hasText: '$6,123.00' })).toContainText(
      'Awaiting approval',
    )
    const approvalPath = await openApprovalPage(operator)
    await expect(
      getAnswerRegion(operator).getByRole('button', { name: /^Approve/ }),
    ).toHaveAccessibleDescription(/^You requested this/)

    await goTo(reviewer, homePath({ environment: 'sandbox', scope: newAccount.account }))
    await reviewer.getByRole('link', { name: /^Release a payout · \$6,123\.00/ }).click()
    const record = getApprovalArticle(reviewer).getByRole('article', { name: 'Payout' })
    await expect(record.getByRole('heading', { level: 2, name: '6,123.00' })).toBeVisible()
    await expect(record).toContainText('To resolve:')
    await expect(record.getByRole('list', { name: 'Checks' })).toContainText(
      'At the request: No proof is on file.',
    )
    await expect(getApprovalArticle(reviewer)).toContainText('Customer confirmed')
    await expect(getApprovalArticle(reviewer)).toContainText('Nothing changed since')
    await expect(getApprovalArticle(reviewer).getByRole('table')).toHaveCount(0)
    await expectAccessible(reviewer)
    await getAnswerRegion(reviewer)
      .getByRole('button', { name: 'Approve and release $6,123.00' })
      .click()
    await expect(getAnswerRegion(reviewer).getByText('Released', { exact: true })).toBeVisible()
    expect((await sandbox.journal(payout.id)).map(({ operation }) => operation)).toEqual([
      'payouts.release',
    ])
    await expect(getApprovalArticle(operator)).toContainText('Approved')
    await goTo(operator, approvalPath)
    await expect(getApprovalArticle(operator)).toContainText(getPersonOfPage(reviewer).name)
  })
})

test('a reviewer rejects a release over the threshold with a reason; nothing is sent', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const [operator, reviewer] = [await signIn('operator'), await signIn('reviewer')]
  const payout = await requestRelease(operator, sandbox)
  await goTo(reviewer, approvalListPath)
  const approvalPagePath = await openApprovalPage(operator)
  await reviewer.locator(`a[href*="${approvalPagePath}"]`).first().click()
  await expect(getApprovalArticle(reviewer)).toBeVisible()
  await reviewer.keyboard.press('x')
  await reviewer.keyboard.press('Control+Enter')
  await expect(
    getAnswerRegion(reviewer).getByText('Explain in at least 10 characters.'),
  ).toBeVisible()
  await expect(getAnswerRegion(reviewer).getByLabel('Why it is rejected')).toBeFocused()
  await reviewer.keyboard.type('The invoice is of another customer.')
  await reviewer.keyboard.press('Control+Enter')
  await expect(getAnswerRegion(reviewer).getByText('Rejected. The requester sees')).toBeFocused()
  await expect(getApprovalArticle(reviewer)).toContainText('Rejected')
  expect(await sandbox.journal(payout.id)).toEqual([])
  await openPayout(operator, payout)
  await expect(getDecisionRegion(operator).getByRole('button', { name: 'Release…' })).toBeVisible()
})

test('a change since the request is shown before the approval and voids the request', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const [operator, admin] = [await signIn('operator'), await signIn('admin')]
  const customer = await makeCustomer(operator, deskUrl)
  const payout = await requestRelease(operator, sandbox, {
    account_id: customer.account.slice(5),
    customer_id: customer.id,
  })
  const approvalRequestPath = await openApprovalPage(operator)
  const changeResponse = await operator.request.put(
    serviceApiPath('sandbox', `/customers/${customer.id}`, '', customer.account),
    {
      headers: {
        origin: deskUrl,
        'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
        ...reasonHeader,
      },
      data: { name: 'Somebody Else', status: 'verified' },
    },
  )
  expect(changeResponse.status(), await changeResponse.text()).toBe(200)
  await goTo(admin, approvalRequestPath)
  await expect(
    getApprovalArticle(admin).getByText('The record changed since this was requested'),
  ).toBeVisible()
  await expect(
    getApprovalArticle(admin).getByRole('row', { name: /Changed .*Somebody Else/ }),
  ).toBeVisible()
  await getAnswerRegion(admin)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(getApprovalArticle(admin)).toContainText('Void')
  expect((await sandbox.journal(payout.id)).map(({ operation }) => operation)).not.toContain(
    'payouts.release',
  )
})

test('an approver asks, the requester answers with a proof, and the request is approved', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const [operator, reviewer] = [await signIn('operator'), await signIn('reviewer')]
  const payout = await requestRelease(operator, sandbox)
  const path = await openApprovalPage(operator)
  await goTo(reviewer, path)
  await expect(getAnswerRegion(reviewer).getByRole('button', { name: /^Ask for/ })).toBeEnabled()
  await reviewer.keyboard.press('q')
  await reviewer.keyboard.type('Which invoice does this settle?')
  await reviewer.keyboard.press('Control+Enter')
  await expect(getAnswerRegion(reviewer).getByText('Question sent.')).toBeFocused()

  await goTo(operator, '/sandbox/profile/notifications')
  await operator
    .getByRole('link', { name: /An approver has a question/ })
    .first()
    .click()
  await expect(getApprovalArticle(operator)).toContainText('Which invoice does this settle?')
  await getApprovalArticle(operator).getByRole('link', { name: 'the record', exact: true }).click()
  await uploadFiles(operator, [createPdfFile('invoice.pdf')])
  await expect(getFileRow(operator, 'invoice.pdf')).toContainText('attached')
  await goTo(operator, path)
  await operator.getByLabel('Your answer').fill('That of October, see the uploaded proof.')
  await operator.keyboard.press('Control+Enter')
  await expect(getApprovalArticle(operator)).toContainText('The requester answered')

  await goTo(reviewer, path)
  await expect(getApprovalArticle(reviewer)).toContainText('That of October')
  await expect(getApprovalArticle(reviewer)).toContainText('invoice.pdf')
  await expect(getApprovalArticle(reviewer)).toContainText('Nothing changed since')
  await getAnswerRegion(reviewer)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(getAnswerRegion(reviewer).getByText('Released', { exact: true })).toBeVisible()
  expect((await sandbox.journal(payout.id)).map(({ operation }) => operation)).toEqual([
    'payouts.authorize',
    'payouts.release',
  ])
})

test('a deletion whose requester would also execute it waits for another person', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const [reviewer, admin] = [await signIn('reviewer'), await signIn('admin')]
  const customer = await makeCustomer(await signIn('operator'), deskUrl)
  await goTo(reviewer, deleteCustomerPath('sandbox', customer.id, { account: customer.account }))
  await reviewer.getByLabel('Requester').selectOption({ label: 'The data subject' })
  await reviewer
    .getByLabel('Legal ground')
    .selectOption({ label: 'CCPA 1798.105: right to delete' })
  await reviewer
    .getByLabel('How the identity was verified')
    .selectOption({ label: 'Requested while signed in to our product' })
  await reviewer.getByLabel('Ticket').fill('PRIV-78')
  await reviewer.getByRole('button', { name: 'Request deletion' }).click()
  const deletionRegion = reviewer.getByRole('region', { name: 'Deletion' })
  await deletionRegion.getByRole('button', { name: 'Permanently delete…' }).click()
  await fillReason(deletionRegion, 'Requested by the person')
  await deletionRegion.getByLabel('Type the customer’s name').fill(customer.name)
  await deletionRegion.getByRole('button', { name: 'Request deletion' }).click()
  await expect(reviewer.getByText('Awaiting approval').first()).toBeVisible()
  expect((await sandbox.journal(customer.id)).map(({ operation }) => operation)).toEqual([
    'customers.create',
  ])

  const deletionApprovalPath = await openApprovalPage(reviewer)
  await goTo(admin, deletionApprovalPath)
  await expect(getApprovalArticle(admin)).toContainText(customer.name)
  const deletionFacts = getApprovalArticle(admin)
    .locator('section')
    .filter({ hasText: 'Legal ground' })
  await expect(deletionFacts.first()).toContainText('CCPA 1798.105: right to delete')
  await expect(deletionFacts.first()).toContainText('PRIV-78')
  await getAnswerRegion(admin)
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(
    getAnswerRegion(admin).getByText('Permanently deleted', { exact: true }),
  ).toBeVisible()
  expect((await sandbox.journal(customer.id)).map(({ operation }) => operation)).toEqual([
    'customers.create',
    'customers.delete',
  ])
  await goTo(admin, deletionsPath('sandbox', { tab: 'deleted' }))
  await expect(admin.getByRole('row').filter({ hasText: customer.id.slice(-6) })).toHaveCount(1)
})

test('a release that waits for approval leads to the next record of the queue', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const newAccount = await makeAccountWithCustomer(await signIn('admin'), deskUrl)
  const accountFields = { account_id: newAccount.id, customer_id: newAccount.customer.id }
  const [large, small] = [
    await sandbox.makePayout({ ...accountFields, amount: 612_300 }),
    await sandbox.makePayout({ ...accountFields, amount: 1_100 }),
  ]
  const page = await signIn('operator')
  await openPayoutList(page, { account: newAccount.account, open: large.id })
  await waitForPaymentData(page)
  await fillRelease(page)
  await getReleaseButton(page).click()
  await expect(
    getDecisionRegion(page).getByText('Awaiting approval', { exact: true }),
  ).toBeFocused()
  await expect(
    getDecisionRegion(page).getByRole('button', { name: /^Next: .*11\.00/ }),
  ).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(new RegExp(`open=${small.id}`))
})

test('the inbox of a person without approval rights is empty and shows the reason', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await goTo(page, approvalListPath)
  await expect(page.getByRole('heading', { name: 'Nothing waits for your approval' })).toBeVisible()
  await expectAccessible(page)
})
