import type { Page } from '@playwright/test'
import { deleteCustomerPath, deskPath, homePath } from '@/lib/routes'
import { decideCapabilityRequest, findCapabilityRequestId, makeAccount } from './accounts'
import { fillReason, makeCustomer } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { isSamePage, openLivePage } from './live'

test.use({ events: 'live' })

test('a granted limit request shows the new limit without a reload', { tag: '@full' }, async ({
  signIn,
  sandboxUrl,
}) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const account = await makeAccount(page)
  await openLivePage(page, () =>
    goTo(page, deskPath('sandbox', `/accounts/${account.id}/limits`, { account: account.account })),
  )
  const payoutPanel = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Payouts', exact: true }) })
  await payoutPanel.getByRole('button', { name: 'Request limit change…' }).click()
  const form = page.getByRole('form', { name: 'Request limit change for payouts' })
  await expect(form.getByRole('button', { name: /^Request/ })).toHaveText('Request limit change')
  await form.getByLabel('Per payment').fill('6,000.00')
  await form.getByLabel('Reason', { exact: true }).selectOption({ label: 'Business growth' })
  await form.getByRole('button', { name: 'Request limit change' }).click()
  const request = page.getByRole('article', { name: 'Request for payouts' })
  await expect(request).toContainText('In review')
  await decideCapabilityRequest(sandboxUrl, await findCapabilityRequestId(page, account), 'active')
  await expect(request).toContainText('is $6,000.00')
  await expect(payoutPanel.getByRole('listitem').filter({ hasText: 'Per payment' })).toContainText(
    '$6,000.00',
  )
  expect(await isSamePage(page)).toBe(true)
})

const getDeletionRegion = (page: Page) => page.getByRole('region', { name: 'Deletion' })

test('after the approval, the requester of a deletion sees one state and the certificate', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const [reviewer, admin] = [await signIn('reviewer'), await signIn('admin')]
  const customer = await makeCustomer(await signIn('operator'), deskUrl)
  const deletePath = deleteCustomerPath('sandbox', customer.id, { account: customer.account })
  await openLivePage(reviewer, () => goTo(reviewer, deletePath))
  await reviewer.getByLabel('Requester').selectOption({ label: 'The data subject' })
  await reviewer
    .getByLabel('Legal ground')
    .selectOption({ label: 'CCPA 1798.105: right to delete' })
  await reviewer
    .getByLabel('How the identity was verified')
    .selectOption({ label: 'Requested while signed in to our product' })
  await reviewer.getByRole('button', { name: 'Request deletion' }).click()
  const region = getDeletionRegion(reviewer)
  await region.getByRole('button', { name: 'Permanently delete…' }).click()
  await expect(region.getByLabel('Reason', { exact: true })).toBeFocused()
  await expect(region.getByLabel('Reason', { exact: true })).toBeInViewport({ ratio: 1 })
  await fillReason(region, 'Requested by the person')
  await region.getByLabel('Type the customer’s name').fill(customer.name)
  await region.getByRole('button', { name: 'Request deletion' }).click()
  await expect(region.getByText('Awaiting approval', { exact: true })).toBeVisible()
  await expect(reviewer.getByText('Nothing is deleted yet')).toHaveCount(0)
  await expect(reviewer.getByText('No blockers')).toBeVisible()

  const approvalLink = region.getByRole('link', { name: 'Open the request' })
  await goTo(admin, (await approvalLink.getAttribute('href')) ?? '')
  const answerRegion = admin.getByRole('region', { name: 'Answer' })
  await answerRegion.getByRole('button', { name: /^Approve/ }).click()
  await expect(answerRegion.getByText('Permanently deleted', { exact: true })).toBeVisible()
  await expect(reviewer.getByText('Customer permanently deleted')).toBeVisible()
  await expect(reviewer.getByRole('link', { name: 'Open the certificate' })).toBeVisible()
  await expect(region).toHaveCount(0)
  await expect(reviewer.getByRole('list', { name: 'Blockers' })).toHaveCount(0)
  expect(await isSamePage(reviewer)).toBe(true)
  await reviewer.getByRole('link', { name: 'Open the certificate' }).click()
  await expect(reviewer.getByRole('heading', { name: 'Certificate of deletion' })).toBeVisible()
})
