import { listPath } from '@/lib/routes'
import { makeAccountWithCustomer, makeCustomer, openCustomer } from './customer'
import { getDecisionRegion, goTo, openPayment } from './desk'
import { expect, test } from './fixtures'
import { getQueueRows, openHome } from './home'

test('a bidi override in a name is visible in rows, on the home page, in panels and in the confirmation', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  const { account } = await makeAccountWithCustomer(page, deskUrl)
  const customer = await makeCustomer(page, deskUrl, { account, name: 'Ron \u202Emas\u2066\u200B' })
  const escapedName =
    'Ron invisible: reverses textmasinvisible: isolates textinvisible: zero-width space'
  const account_id = customer.account.replace('acct_', '')
  const heldPayout = await sandbox.makePayout({ account_id, customer_id: customer.id })
  const readBodyText = () => page.locator('body').innerText()

  await openHome(page, { account: customer.account })
  await expect(
    getQueueRows(page, 'Held payouts').filter({
      has: page.getByRole('link', { name: heldPayout.id.slice(-6) }),
    }),
  ).toContainText(escapedName)
  expect(await readBodyText()).not.toMatch(/[\u202E\u2066\u200B]/)

  await goTo(
    page,
    listPath('sandbox', 'customers', {
      account: customer.account,
      tab: 'all',
      search_text: customer.name.slice(-8),
    }),
  )
  await expect(page.getByRole('row').filter({ hasText: escapedName })).toHaveCount(1)
  await openCustomer(page, customer)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(escapedName)
  expect(await readBodyText()).not.toMatch(/[\u202E\u2066\u200B]/)

  await openPayment(page, heldPayout)
  await getDecisionRegion(page).getByRole('button', { name: 'Cancel payout…' }).click()
  await expect(getDecisionRegion(page)).toContainText(escapedName)
  expect(await readBodyText()).not.toMatch(/[\u202E\u2066\u200B]/)
})

test('Hebrew and Arabic names appear unchanged', { tag: '@full' }, async ({ signIn, deskUrl }) => {
  const page = await signIn('admin')
  for (const name of ['רון שמואלי', 'رون صموئيل']) {
    const customer = await makeCustomer(page, deskUrl, { name })
    await openCustomer(page, customer)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(customer.name)
    await expect(page.getByRole('heading', { level: 1 }).locator('bdi')).toHaveText(customer.name)
  }
})
