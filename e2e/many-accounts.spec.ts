import type { Locator, Page } from '@playwright/test'
import { deskPath, homePath, listPath, newRecordPath, signInPath } from '@/lib/routes'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { holdRequests, redirectRequests } from './request-faults'
import { expectHome, getDemoButton } from './sign-in'

const getAccountSwitcher = (page: Page): Locator => page.getByRole('button', { name: /^Account/ })
const getSwitcherDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Account scope' })

test('an account is found by name among many, and the menu shows if they are loading or failed', {
  tag: '@full',
}, async ({ openBrowser, started }) => {
  test.slow()
  const wholeDesk = await started(startWholeDesk({ mirror: true }))
  const page = await openBrowser({ baseURL: wholeDesk.dashboard.url })
  await wholeDesk.db.query(
    `insert into mirror_accounts (environment, id, object, seen_at, seen_by, status, name, search)
       select 'sandbox', gen_random_uuid(), jsonb_build_object('business_profile', jsonb_build_object('name', 'Zz far ' || n)), now(),
         'read', 'active', 'zz far ' || n, '' from generate_series(1, 300) n`,
  )
  await page.goto(signInPath(homePath('sandbox')))
  await getDemoButton(page, 'operator').click()
  await expectHome(page)
  await goTo(page, listPath('sandbox', 'payouts', { tab: 'all' }))
  const stopRedirect = await redirectRequests(
    page,
    '*/desk/account-choices*',
    `${wholeDesk.dashboard.url}/api/nothing`,
  )
  await getAccountSwitcher(page).click()
  await expect(getSwitcherDialog(page).getByText('The accounts could not be read')).toBeVisible()
  await stopRedirect()
  const continueHeldRequests = await holdRequests(page, '*/desk/account-choices*')
  await getSwitcherDialog(page).getByRole('button', { name: 'Try again' }).click()
  await expect(getSwitcherDialog(page).getByRole('status')).toHaveText('Reading the accounts…')
  await continueHeldRequests()
  const searchBox = getSwitcherDialog(page).getByLabel('Find an account by name or ID')
  await searchBox.fill('zz FAR 27')
  await expect(getSwitcherDialog(page).getByRole('status')).toHaveText('11 accounts')
  await searchBox.press('ArrowDown')
  await expect(getSwitcherDialog(page).getByRole('link', { name: /^Zz far 27\b/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/account=acct_/)
  await expect(getAccountSwitcher(page)).toContainText('Zz far 27')
  await page.reload()
  await expect(getAccountSwitcher(page)).toContainText('Zz far 27')
  // The form offers all accounts. The choice applies only to the form: the account switcher still
  // shows the whole platform.
  await goTo(page, newRecordPath('sandbox', 'customers'))
  await page.getByLabel('Account', { exact: true }).selectOption({ label: 'Zz far 288' })
  await expect(getAccountSwitcher(page)).toContainText('Whole platform')
  await expect(page.getByText('for Zz far 288 in SANDBOX').first()).toBeVisible()
  // The form for a funding event also offers all accounts, and its button names the chosen one.
  await goTo(page, deskPath('sandbox', '/funding-events/simulate'))
  await page.getByLabel('Account', { exact: true }).selectOption({ label: 'Zz far 288' })
  await expect(
    page.getByRole('button', { name: 'Simulate funding of the charges of Zz far 288' }),
  ).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('far 142')
  await expect(page.getByRole('option', { name: /Zz far 142/, selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(getAccountSwitcher(page)).toContainText('Zz far 142')
})
