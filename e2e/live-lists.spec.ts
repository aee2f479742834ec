import { randomUUID } from 'node:crypto'
import { listPath } from '@/lib/routes'
import { makeAccountWithCustomer, makeCustomer } from './customer'
import { decideThroughApi, goTo } from './desk'
import { expect, test } from './fixtures'
import { getQueueRows, openHome } from './home'
import { isSamePage, openLivePage } from './live'
import { getTableRows } from './lookup'

test.use({ events: 'live' })

test('an open list updates the row of a release and keeps the focus and the typed text', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const payoutListParams = { account: payout.account, tab: 'all', search_text: payout.externalId }
  await openLivePage(page, () => goTo(page, listPath('sandbox', 'payouts', payoutListParams)))
  await expect(getTableRows(page)).toContainText(['On hold'])
  const searchBox = page.getByRole('searchbox', { name: 'Search payouts' })
  await searchBox.fill('something else')
  expect((await decideThroughApi(await signIn('admin'), deskUrl, payout, 'release')).status()).toBe(
    200,
  )
  await expect(getTableRows(page)).not.toContainText(['On hold'])
  await expect(getTableRows(page)).toHaveCount(1)
  await expect(searchBox).toBeFocused()
  await expect(searchBox).toHaveValue('something else')
  expect(await isSamePage(page)).toBe(true)
})

test('new rows of a list are announced and appear on demand', { tag: '@full' }, async ({
  signIn,
  deskUrl,
}) => {
  const [page, other] = [await signIn('viewer'), await signIn('admin')]
  const customerName = `Live ${randomUUID().slice(0, 8)}`
  const firstCustomer = await makeCustomer(other, deskUrl, { name: customerName })
  await openLivePage(page, () =>
    goTo(
      page,
      listPath('sandbox', 'customers', {
        account: firstCustomer.account,
        tab: 'all',
        search_text: customerName,
      }),
    ),
  )
  await expect(getTableRows(page)).toHaveCount(1)
  await getTableRows(page).getByRole('link').first().focus()
  const secondCustomer = await makeCustomer(other, deskUrl, {
    name: customerName,
    account: firstCustomer.account,
  })
  const updateListButton = page.getByRole('button', { name: '1 new · Update list' })
  await expect(updateListButton).toBeVisible()
  await expect(getTableRows(page)).toHaveCount(1)
  await expect(getTableRows(page).getByRole('link').first()).toBeFocused()
  await updateListButton.click()
  await expect(getTableRows(page)).toHaveCount(2)
  await expect(page.getByRole('table')).toContainText(secondCustomer.name)
  await expect(updateListButton).toHaveCount(0)
  expect(await isSamePage(page)).toBe(true)
})

test('new rows on the home page are announced and appear on demand', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const page = await signIn('operator')
  // Uses a separate account with a short queue, because the home page shows only the first rows of
  // a longer one.
  const heldPayout = await sandbox.makePayout({
    account_id: (await makeAccountWithCustomer(page, deskUrl)).id,
  })
  await openLivePage(page, () => openHome(page, { account: heldPayout.account }))
  const heldPayoutRow = getQueueRows(page, 'Held payouts').filter({
    has: page.getByRole('link', { name: heldPayout.id.slice(-6) }),
  })
  await expect(heldPayoutRow).toHaveCount(1)
  await heldPayoutRow.getByRole('link').focus()
  const newPayout = await sandbox.makePayout({
    account_id: heldPayout.account.replace('acct_', ''),
    payment_date: '2020-01-02',
  })
  const showNewButton = page.getByRole('button', { name: /^1 new.*Update list$/ })
  await expect(showNewButton).toBeVisible()
  await expect(heldPayoutRow.getByRole('link')).toBeFocused()
  const newPayoutRow = getQueueRows(page, 'Held payouts').filter({
    has: page.getByRole('link', { name: newPayout.id.slice(-6) }),
  })
  await expect(newPayoutRow).toHaveCount(0)
  await showNewButton.click()
  await expect(newPayoutRow).toHaveCount(1)
  await expect(showNewButton).toHaveCount(0)
  expect(await isSamePage(page)).toBe(true)
})
