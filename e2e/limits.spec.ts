import type { Page } from '@playwright/test'
import { deskPath, homePath, serviceApiPath } from '@/lib/routes'
import {
  decideCapabilityRequest,
  findCapabilityRequestId,
  type MadeAccount,
  makeAccount,
} from './accounts'
import { goTo, listAccounts } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'

const toLimitsPath = ({ id, account }: Pick<MadeAccount, 'id' | 'account'>) =>
  deskPath('sandbox', `/accounts/${id}/limits`, { account })
const getLimitsPanel = (page: Page, name: 'Charges' | 'Payouts') =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
const getLimitForm = (page: Page) =>
  page.getByRole('form', { name: 'Request limit change for payouts' })
const getLimitRequestArticles = (page: Page) =>
  page.getByRole('article', { name: 'Request for payouts' })

/** Creates an account, and opens the form that changes its payout limits. Returns the account. */
async function openLimitForm(page: Page): Promise<MadeAccount> {
  await goTo(page, homePath('sandbox'))
  const newAccount = await makeAccount(page)
  await goTo(page, toLimitsPath(newAccount))
  await getLimitsPanel(page, 'Payouts')
    .getByRole('button', { name: 'Request limit change…' })
    .click()
  await expect(getLimitForm(page).getByLabel('Per payment')).toBeFocused()
  return newAccount
}

test('a limit request is validated live, shows before and after, and then its state', async ({
  signIn,
  sandboxUrl,
}) => {
  const page = await signIn('operator')
  const newAccount = await openLimitForm(page)
  const payoutLimitForm = getLimitForm(page)
  await expect(payoutLimitForm).toContainText(`limits on payouts for ${newAccount.name} in SANDBOX`)
  await payoutLimitForm.getByLabel('Per payment').fill('60,000.00')
  await expect(
    payoutLimitForm.getByText('Must not be more than $50,000.00, the limit in a day'),
  ).toBeVisible()
  await payoutLimitForm.getByLabel('Per payment').fill('20,000.00')
  const table = payoutLimitForm.getByRole('table', { name: 'Requested changes' })
  await expect(table.getByRole('row', { name: 'Per payment' })).toContainText(
    '$5,000.00$20,000.004 times as much',
  )
  await payoutLimitForm.getByRole('button', { name: 'Request limit change' }).click()
  await expect(payoutLimitForm.getByText('Choose a reason.', { exact: true })).toBeVisible()
  await expect(
    payoutLimitForm.getByText('explain why the limit must increase more than threefold'),
  ).toBeVisible()
  await payoutLimitForm
    .getByLabel('Reason', { exact: true })
    .selectOption({ label: 'Business growth' })
  await payoutLimitForm
    .getByLabel('Reason for the large increase')
    .fill('The payments of a second bank come over on Monday.')
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')

  const resultMessage = page.getByText('Request sent', { exact: true })
  await expect(resultMessage).toBeFocused()
  const bannerBox = await page.getByRole('banner').boundingBox()
  expect((await resultMessage.boundingBox())?.y).toBeGreaterThanOrEqual(
    (bannerBox?.y ?? 0) + (bannerBox?.height ?? 0),
  )
  await expect(getLimitRequestArticles(page)).toContainText('In review')
  await expect(getLimitRequestArticles(page)).toContainText(
    'was $5,000.00, is $5,000.00, requested $20,000.00',
  )
  await expect(getLimitRequestArticles(page)).toContainText('Volume growth: ')
  await expect(getLimitRequestArticles(page)).toContainText(
    'The payments of a second bank come over',
  )
  const requestButton = getLimitsPanel(page, 'Payouts').getByRole('button', {
    name: 'Request limit change…',
  })
  await expect(requestButton).toHaveAttribute('aria-disabled', 'true')
  await expect(getLimitsPanel(page, 'Payouts')).toContainText(
    'You already requested a limit change for payouts',
  )
  await expect(
    getLimitsPanel(page, 'Charges').getByRole('button', { name: 'Request limit change…' }),
  ).not.toHaveAttribute('aria-disabled')

  await goTo(page, deskPath('sandbox', '/limits'))
  const openRequestItem = page
    .getByRole('region', { name: 'Open requests' })
    .getByRole('listitem')
    .filter({ hasText: newAccount.name })
  await expect(openRequestItem).toContainText(
    'Per payment: was $5,000.00, unchanged, requested $20,000.00',
  )
  await openRequestItem.getByRole('link').click()
  await expect(
    page.getByRole('heading', { level: 1, name: `Limits of ${newAccount.name}` }),
  ).toBeVisible()

  // The service's compliance team grants the request. Then the page shows the new limit.
  const capabilityList = page.getByRole('list', { name: 'Capability requests' })
  await expect(capabilityList).toContainText('per payment $20,000.00')
  await decideCapabilityRequest(
    sandboxUrl,
    await findCapabilityRequestId(page, newAccount),
    'active',
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(getLimitRequestArticles(page)).toContainText('Applied')
  await expect(
    getLimitsPanel(page, 'Payouts').getByRole('listitem').filter({ hasText: 'Per payment' }),
  ).toContainText('20,000.00')
  await expect(requestButton).not.toHaveAttribute('aria-disabled')
})

test('a request made outside Paydesk is among the open requests', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await goTo(page, deskPath('sandbox', '/limits'))
  const providerRequestItems = page
    .getByRole('list', { name: 'Requested in the provider’s dashboard' })
    .getByRole('listitem')
  await expect(
    providerRequestItems.filter({ hasText: 'new limits · in review' }).first(),
  ).toContainText('requested in the provider’s dashboard')
  await expect(page.getByText('No open requests')).toHaveCount(0)
})

test('limits that changed while the form was open block it, and all three values are shown', {
  tag: '@full',
}, async ({ signIn, sandboxUrl }) => {
  const page = await signIn('operator')
  const newAccount = await openLimitForm(page)
  await getLimitForm(page).getByLabel('Per day', { exact: true }).fill('60,000.00')
  await getLimitForm(page)
    .getByLabel('Reason', { exact: true })
    .selectOption({ label: 'Business growth' })
  // Another person requests a change of the same limits, and the service's compliance team grants
  // it.
  const otherPersonPage = await signIn('admin')
  await goTo(otherPersonPage, toLimitsPath(newAccount))
  await getLimitsPanel(otherPersonPage, 'Payouts')
    .getByRole('button', { name: 'Request limit change…' })
    .click()
  await getLimitForm(otherPersonPage).getByLabel('Per day', { exact: true }).fill('70,000.00')
  await getLimitForm(otherPersonPage)
    .getByLabel('Reason', { exact: true })
    .selectOption({ label: 'Business growth' })
  await getLimitForm(otherPersonPage).getByRole('button', { name: 'Request limit change' }).click()
  await expect(getLimitRequestArticles(otherPersonPage)).toContainText('In review')
  await decideCapabilityRequest(
    sandboxUrl,
    await findCapabilityRequestId(page, newAccount),
    'active',
  )

  await getLimitForm(page).getByRole('button', { name: 'Request limit change' }).click()
  await expect(page.getByText('The limits changed while this form was open')).toBeVisible()
  await expect(
    page.getByText('Per day: was $50,000.00, is $70,000.00 now, yours $60,000.00'),
  ).toBeVisible()
  await expect(getLimitForm(page).getByLabel('Per day', { exact: true })).toHaveValue('60,000.00')
})

test('the form lists payments that the new limit allows, and only one request may be open', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const [first, , , , , sixth] = await listAccounts(page)
  if (!first || !sixth) throw new Error('the platform has too few accounts')
  const settingsResponse = await page.request.get(
    serviceApiPath('sandbox', `/account_settings/${sixth.id.slice(5)}`, ''),
  )
  const { data } = (await settingsResponse.json()) as { data: { payouts: { max_amount: number } } }
  const overLimitAmount = data.payouts.max_amount + 12_345
  const holdOverrides = {
    reason: 'amount_too_large',
    source: 'watchtower',
    amount: overLimitAmount,
    account_id: sixth.id.slice(5),
  }
  const heldPayout = await sandbox.makePayout(holdOverrides)
  await goTo(page, toLimitsPath({ id: sixth.id.slice(5), account: sixth.id }))
  await getLimitsPanel(page, 'Payouts')
    .getByRole('button', { name: 'Request limit change…' })
    .click()
  const typedAmount = (overLimitAmount / 100).toFixed(2)
  await getLimitForm(page).getByLabel('Per payment').fill(typedAmount)
  const heldPaymentItems = getLimitForm(page)
    .getByRole('region', { name: 'Held payments under these limits' })
    .getByRole('listitem')
  const payoutLink = page.locator(`a[href*="${heldPayout.id}"]`)
  await expect(heldPaymentItems.filter({ has: payoutLink })).toContainText('within the new limits')
  await getLimitForm(page)
    .getByLabel('Per payment')
    .fill((overLimitAmount / 100 - 1).toFixed(2))
  await expect(heldPaymentItems.filter({ has: payoutLink })).toContainText('still held: over')

  // The sandbox's first account already has a request in review, which was not made in Paydesk.
  await goTo(page, toLimitsPath({ id: first.id.slice(5), account: first.id }))
  await expect(getLimitsPanel(page, 'Payouts')).toContainText(
    'The service is already reviewing a request for payouts',
  )
})
