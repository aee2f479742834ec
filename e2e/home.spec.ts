import type { Page } from '@playwright/test'
import { moneyText } from '@/lib/money'
import { payoutPath, serviceApiPath } from '@/lib/routes'
import { listAccounts } from './desk'
import { expect, test } from './fixtures'
import { findIdleAccountId, getHomeRegion, getQueueRows, openHome } from './home'
import { expectAccessible } from './look'

type HeldPayment = { amount: string; paykey_details: { id: string } }

/**
 * Returns an account and those of its payments that are on hold until a paykey has been reviewed.
 * Skips the first account, because other tests create payments in it.
 */
async function findPaymentsHeldForReview(
  page: Page,
): Promise<{ account: string; held: HeldPayment[] }> {
  for (const { id } of (await listAccounts(page)).slice(1)) {
    const heldForReviewQuery = 'payment_status=on_hold&status_reason=watchtower_review'
    const paymentsResponse = await page.request.get(
      serviceApiPath('sandbox', '/payments', heldForReviewQuery, id),
    )
    const { data: heldPayments } = (await paymentsResponse.json()) as { data: HeldPayment[] }
    if (heldPayments.length > 0) return { account: id, held: heldPayments }
  }
  throw new Error('No pending payments for a review')
}

test('every nonempty queue shows its count and the age of its oldest record', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('admin')
  await openHome(page)
  for (const name of [
    'Held payouts',
    'Paykeys in review',
    'Customers in review',
    'Paykeys eligible to unblock',
    'Failed and reversed, last 7 days',
    'Accounts to onboard',
    'Capability requests open',
    'Accounts being onboarded',
  ]) {
    // The page adds "+" to the count if some accounts could not be counted.
    await expect(getHomeRegion(page, name).getByText(/^\d+\+? waiting$/), name).toBeVisible()
    await expect(getHomeRegion(page, name).getByText(/oldest .* ago/), name).toBeVisible()
    await expect(getQueueRows(page, name).first(), name).toBeVisible()
    expect(await getQueueRows(page, name).count(), name).toBeLessThanOrEqual(5)
  }
})

test('a held payout shows its reason, amount, payee, account and lateness, and links to its page', async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout({
    payment_date: '2020-01-02',
    message: 'Waits for the contract',
  })
  const page = await signIn('operator')
  // Reads the payout with its account, so that Paydesk stores which account owns it. Otherwise the
  // home page could not show the account, because the service's list for the whole platform
  // contains no accounts.
  await page.request.get(serviceApiPath('sandbox', `/payouts/${payout.id}`, '', payout.account))
  await openHome(page)
  const row = getQueueRows(page, 'Held payouts').filter({
    has: page.getByRole('link', { name: payout.id.slice(-6) }),
  })
  await expect(row).toContainText('Held by a user: “Waits for the contract”')
  await expect(row).toContainText('$123.45')
  await expect(row).toContainText(payout.customer)
  const ownerAccount = (await listAccounts(page)).find(({ id }) => id === payout.account)
  await expect(row).toContainText(ownerAccount?.name ?? 'no such account')
  await expect(row).toContainText('missed its cut-off, next cut-off in')
  await row.getByRole('link').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(
    payoutPath('sandbox', payout.id, { account: payout.account, queue: 'hold' }),
  )
  await expect(page.getByRole('heading', { name: /Payout of \$123\.45/ })).toBeVisible()
})

test('the link to a full queue opens a list with the same count', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('admin')
  const [, second] = await listAccounts(page)
  const nounsByQueue = {
    'Held payouts': 'payouts',
    'Paykeys in review': 'paykeys',
    'Customers in review': 'customers',
  }
  for (const [name, pluralNoun] of Object.entries(nounsByQueue)) {
    await openHome(page, { account: second?.id ?? '' })
    const waitingText = await getHomeRegion(page, name)
      .getByText(/^\d+ waiting$/)
      .textContent()
    await getHomeRegion(page, name)
      .getByRole('link', { name: new RegExp(`in ${name}$`) })
      .click()
    await expect(page).toHaveURL(new RegExp(`account=${second?.id}`))
    const waitingCount = Number.parseInt(waitingText ?? '', 10)
    await expect(
      page.getByText(new RegExp(`^${waitingCount} (${pluralNoun}|${pluralNoun.slice(0, -1)})$`)),
      name,
    ).toBeVisible()
  }
})

test('the section “For you” depends on the roles of the person', { tag: '@full' }, async ({
  signIn,
}) => {
  const operatorPage = await signIn('operator')
  await openHome(operatorPage)
  await expect(
    getHomeRegion(operatorPage, 'For you').getByRole('heading', { name: 'Held payouts' }),
  ).toBeVisible()
  await expect(
    getHomeRegion(operatorPage, 'For you').getByRole('heading', { name: 'Paykeys in review' }),
  ).toHaveCount(0)
  await expect(
    getHomeRegion(operatorPage, 'For a reviewer or an admin').getByRole('heading', {
      name: 'Paykeys in review',
    }),
  ).toBeVisible()
  const reviewerPage = await signIn('reviewer')
  await openHome(reviewerPage)
  await expect(
    getHomeRegion(reviewerPage, 'For you').getByRole('heading', { name: 'Paykeys in review' }),
  ).toBeVisible()
  await expect(
    getHomeRegion(reviewerPage, 'For you').getByRole('heading', { name: 'Held payouts' }),
  ).toHaveCount(0)
  await expect(
    getHomeRegion(reviewerPage, 'Paykeys in review').getByRole('link', {
      name: /^Start queue \(\d+\)/,
    }),
  ).toBeVisible()
  await expect(
    getHomeRegion(reviewerPage, 'Held payouts').getByRole('link', { name: /^(Start|Work)/ }),
  ).toHaveCount(0)
})

test('a viewer sees all queues but no task', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openHome(page)
  await expect(
    page.getByText('You have read-only access. Other roles decide the items below.'),
  ).toBeVisible()
  await expect(getQueueRows(page, 'Held payouts').first()).toBeVisible()
  await expect(getHomeRegion(page, 'For you')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^(Start|Work)/ })).toHaveCount(0)
})

test('a paykey in review shows how many payments wait for it', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('reviewer')
  const { account, held } = await findPaymentsHeldForReview(page)
  await openHome(page, { account })
  const paykeyId = held[0]?.paykey_details.id ?? ''
  const reviewPayments = held.filter(({ paykey_details }) => paykey_details.id === paykeyId)
  const sumText = moneyText(reviewPayments.reduce((total, { amount }) => total + Number(amount), 0))
  const row = getQueueRows(page, 'Paykeys in review').filter({
    has: page.getByRole('link', { name: paykeyId.slice(-6) }),
  })
  await expect(row).toContainText(
    `${reviewPayments.length === 1 ? '1 payment' : `${reviewPayments.length} payments`}, ${sumText}`,
  )
})

test('an empty home page shows “All done” and the next cut-off', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  await openHome(page, { account: await findIdleAccountId(page) })
  await expect(page.getByRole('heading', { name: 'All done' })).toBeVisible()
  await expect(page.getByText(/The next bank cut-off is .* in /)).toBeVisible()
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(0)
  await expect(page.getByText('Amount on hold')).toHaveCount(0)
  await expectAccessible(page)
})
