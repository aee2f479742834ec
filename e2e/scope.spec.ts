import type { Locator, Page } from '@playwright/test'
import {
  homePath,
  listPath,
  payoutPath,
  payoutsPath,
  recordPath,
  serviceApiPath,
} from '@/lib/routes'
import { goTo, listAccounts, openPayoutList, toScopeParams, waitForPaymentData } from './desk'
import { expect, test } from './fixtures'
import { getQueueRows, openHome } from './home'
import type { MadePayment } from './sandbox'

const getAccountSwitcher = (page: Page): Locator => page.getByRole('button', { name: /^Account/ })
const getSidebarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name, exact: true })
const getMainRegion = (page: Page): Locator => page.getByRole('main')

const findAccountName = async (page: Page, id: string) =>
  (await listAccounts(page)).find((account) => account.id === id)?.name ?? 'no such account'
const findOtherAccountId = async (page: Page, id: string) =>
  (await listAccounts(page)).find((account) => account.id !== id)?.id ?? ''

/**
 * Opens a held payout from the home page. Before that, requests the payout in its account, so that
 * Paydesk knows its account.
 */
async function openPayoutFromHome(page: Page, { id, account }: MadePayment): Promise<void> {
  await page.request.get(serviceApiPath('sandbox', `/payouts/${id}`, '', account))
  await openHome(page)
  await getQueueRows(page, 'Held payouts')
    .getByRole('link', { name: id.slice(-6) })
    .click()
  await expect(page).toHaveURL(payoutPath('sandbox', id, { account, queue: 'hold' }))
  await waitForPaymentData(page)
}

test('opening a row from the home page keeps the scope on the whole platform', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ payment_date: '2020-01-03' })
  const page = await signIn('operator')
  await openPayoutFromHome(page, payout)
  await expect(getMainRegion(page)).toContainText(
    `for ${await findAccountName(page, payout.account)} in SANDBOX`,
  )
  await expect(getMainRegion(page)).not.toContainText('outside the selected account')
  await expect(getAccountSwitcher(page)).toContainText('Whole platform')
  await getSidebarLink(page, 'Payouts').click()
  await expect(page).toHaveURL(payoutsPath('sandbox'))
  await expect(getAccountSwitcher(page)).toContainText('Whole platform')
  await expect(page.getByRole('columnheader', { name: 'Account', exact: true })).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(homePath('sandbox'))
  await expect(getAccountSwitcher(page)).toContainText('Whole platform')
})

test('links of a record, the palette and a copied link keep the scope too', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await goTo(page, payoutPath('sandbox', payout.id, { account: payout.account }))
  await waitForPaymentData(page)
  await page.getByRole('link', { name: 'All payouts' }).click()
  await expect(page).toHaveURL(payoutsPath('sandbox'))
  await page.goBack()
  await getMainRegion(page).locator(`a[href*="/paykeys/${payout.paykey}"]`).first().click()
  await expect(page).toHaveURL(
    recordPath('sandbox', 'paykeys', payout.paykey, { account: payout.account }),
  )
  await expect(getAccountSwitcher(page)).toContainText('Whole platform')
  // The command palette lists recently opened records first.
  await page.keyboard.press('ControlOrMeta+k')
  await page
    .getByRole('option', { name: new RegExp(`to ${payout.customer} Payout`) })
    .first()
    .click()
  await expect(page).toHaveURL(payoutPath('sandbox', payout.id, { account: payout.account }))
  await expect(getAccountSwitcher(page)).toContainText('Whole platform')
})

test('a person with a selected account sees if a record is of another account', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const otherAccountId = await findOtherAccountId(page, payout.account)
  const [scopeAccountName, ownerAccountName] = [
    await findAccountName(page, otherAccountId),
    await findAccountName(page, payout.account),
  ]
  await openPayoutList(page, { account: otherAccountId })
  await goTo(
    page,
    payoutPath(toScopeParams(otherAccountId), payout.id, { account: payout.account }),
  )
  await expect(getMainRegion(page)).toContainText(
    `for ${ownerAccountName} in SANDBOX, outside the selected account, ${scopeAccountName}`,
  )
  await expect(getAccountSwitcher(page)).toContainText(scopeAccountName)
  await waitForPaymentData(page)
  // The action applies to the record's own account, which the form names.
  await page
    .getByRole('button', { name: 'Hold…' })
    .or(page.getByRole('button', { name: 'Release…' }))
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Decision' })).toContainText(ownerAccountName)
  await getMainRegion(page).locator(`a[href*="/paykeys/${payout.paykey}"]`).first().click()
  await expect(page).toHaveURL(
    recordPath(toScopeParams(otherAccountId), 'paykeys', payout.paykey, {
      account: payout.account,
    }),
  )
  await expect(getMainRegion(page)).toContainText(
    `outside the selected account, ${scopeAccountName}`,
  )
  await page.goBack()
  await expect(page).toHaveURL(
    payoutPath(toScopeParams(otherAccountId), payout.id, { account: payout.account }),
  )
  await getSidebarLink(page, 'Payouts').click()
  await expect(page).toHaveURL(payoutsPath('sandbox', { account: otherAccountId }))
  await expect(getAccountSwitcher(page)).toContainText(scopeAccountName)
})

test('a link from a record to a list of another account names that account', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const otherScopeAccountId = await findOtherAccountId(page, payout.account)
  await goTo(
    page,
    payoutPath(toScopeParams(otherScopeAccountId), payout.id, { account: payout.account }),
  )
  await waitForPaymentData(page)
  await page
    .getByRole('link', {
      name: `All its payouts in ${await findAccountName(page, payout.account)}`,
    })
    .click()
  await expect(page).toHaveURL(
    listPath(toScopeParams(payout.account), 'payouts', { tab: 'all', paykey_id: payout.paykey }),
  )
  await expect(page.getByRole('row').filter({ hasText: payout.customer }).first()).toBeVisible()
})

test('old links open, and a record without an account in its URL opens in any scope', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await goTo(page, `/sandbox/payouts/${payout.id}?account=${payout.account}`)
  const payoutAccountName = await findAccountName(page, payout.account)
  await expect(getMainRegion(page)).toContainText(`for ${payoutAccountName} in SANDBOX`)
  await expect(getAccountSwitcher(page)).toContainText(payoutAccountName)
  // Paydesk now knows the account of the payout. With another account in the URL, it keeps that
  // scope and shows the difference.
  const unrelatedAccountId = await findOtherAccountId(page, payout.account)
  await goTo(page, `/sandbox/payouts/${payout.id}?account=${unrelatedAccountId}`)
  await expect(getMainRegion(page)).toContainText(
    `for ${payoutAccountName} in SANDBOX, outside the selected account, ${await findAccountName(page, unrelatedAccountId)}`,
  )
  // The new scope removes the account from the URL. The page still shows the payout in its own
  // account.
  await getAccountSwitcher(page).click()
  await page.getByRole('link', { name: /^Whole platform/ }).click()
  await expect(page).toHaveURL(payoutPath('sandbox', payout.id))
  await expect(getMainRegion(page)).toContainText(`for ${payoutAccountName} in SANDBOX`)
  await expect(getMainRegion(page)).not.toContainText('outside the selected account')
})

test('an invalid or foreign account opens no page through either parameter', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const payoutPagePath = payoutPath('sandbox', payout.id)
  for (const search of [
    'of=nobody',
    'account=acct_1',
    `account=${payout.account}&of=acct_..%2F..`,
  ]) {
    await page.goto(`${payoutPagePath}?${search}`)
    await expect(page.getByRole('heading', { name: 'Page not found' }), search).toBeVisible()
  }
  const unknownAccountId = 'acct_00000000-0000-4000-8000-000000000000'
  await page.goto(`${payoutPagePath}?of=${unknownAccountId}`)
  await expect(page.getByRole('heading', { name: /^Not found in/ })).toBeVisible()
})
