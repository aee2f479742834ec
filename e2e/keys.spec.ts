import { listPages, pages } from '@/lib/pages'
import { homePath, payoutsPath, recordPath } from '@/lib/routes'
import { makeAccountWithCustomer } from './customer'
import {
  fillRelease,
  getReleaseButton,
  goTo,
  openPayout,
  openPayoutList,
  toScopeParams,
  waitForPaymentData,
} from './desk'
import { expect, test } from './fixtures'
import { expectAccessibleAt } from './look'
import { waitForHydration } from './wait-for-hydration'

test('g and a letter opens a page, ? lists the shortcuts, and both can be switched off', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  await page.keyboard.press('g')
  await expect(page.getByText('Go to: press a letter')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL(homePath('sandbox'))
  await openPayoutList(page)
  await page.keyboard.press('?')
  const shortcutDialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcutDialog.getByText('Next row')).toBeVisible()
  const viewer = { platformRoles: ['viewer'], allRoles: ['viewer'] }
  for (const { name } of listPages({ person: viewer, integration: 'saas' }))
    await expect(shortcutDialog.getByText(name, { exact: true })).toBeVisible()
  await shortcutDialog.getByLabel('Single-key shortcuts').uncheck()
  await expect(shortcutDialog.getByText('Next row')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(shortcutDialog).toHaveCount(0)
  for (const key of ['g', 'h', '?', '/']) await page.keyboard.press(key)
  await expect(page).toHaveURL(payoutsPath('sandbox'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.reload()
  await waitForHydration(page)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Find or go to' })).toBeFocused()
})

test('the list of shortcuts is accessible', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page, { search_text: 'no such payout' })
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessibleAt(page, 'wide')
})

test('the collapsed sidebar is accessible', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page, { search_text: 'no such payout' })
  await page.getByRole('button', { name: /Collapse or expand the sidebar/ }).click()
  await expectAccessibleAt(page, 'wide')
})

test('the list of shortcuts includes those of an open record', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await waitForPaymentData(page)
  await page.keyboard.press('?')
  const shortcutsDialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcutsDialog.getByText('Release', { exact: true })).toBeVisible()
  await expect(shortcutsDialog.getByText('Copy the payout ID')).toBeVisible()
})

test('all pages fit in the sidebar at 800 px height, also collapsed, and in the phone drawer', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('admin')
  await goTo(page, homePath('sandbox'))
  const nav = page.getByRole('navigation', { name: 'Desk' })
  const expectAllLinksInView = async () => {
    for (const { name } of pages)
      await expect(nav.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
  }
  await expectAllLinksInView()
  await page.getByRole('button', { name: /Collapse or expand the sidebar/ }).click()
  await expectAllLinksInView()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Pages' }).click()
  await expectAllLinksInView()
})

test('the sidebar counts the records that wait for the person, and updates after a decision', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  // Uses a separate account, because other tests add held payouts to shared accounts.
  const { id, account } = await makeAccountWithCustomer(await signIn('admin'), deskUrl)
  await sandbox.makePayout({ account_id: id })
  const payout = await sandbox.makePayout({ account_id: id })
  const page = await signIn('operator')
  await goTo(page, recordPath(toScopeParams(account), 'payouts', payout.id, { account }))
  await waitForPaymentData(page)
  const nav = page.getByRole('navigation', { name: 'Desk' })
  const payoutsItem = nav
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Payouts' }) })
  const readWaitingCount = async () =>
    Number(/(\d+) for you/.exec(await payoutsItem.innerText())?.[1])
  await expect(payoutsItem).toContainText(/\d+ for you/)
  await expect(nav.getByRole('listitem').filter({ hasText: 'Paykeys' })).not.toContainText(
    'for you',
  )
  const waitingCountBefore = await readWaitingCount()
  await fillRelease(page)
  await getReleaseButton(page).click()
  expect(waitingCountBefore).toBe(2)
  await expect.poll(readWaitingCount).toBe(1)
})

test('the sidebar hides pages that the person may not use', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await goTo(page, homePath('sandbox'))
  const nav = page.getByRole('navigation', { name: 'Desk' })
  await expect(nav.getByRole('link', { name: 'Payouts' })).toBeVisible()
  await expect(nav.getByText(/Activity|Settings|Developers|Admin/)).toHaveCount(0)
  await expect(nav.getByText('for you')).toHaveCount(0)
})
