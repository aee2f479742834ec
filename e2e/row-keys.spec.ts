import type { Locator, Page } from '@playwright/test'
import { makeAccountWithCustomer } from './customer'
import {
  getDecisionRegion,
  goTo,
  openPayout,
  openPayoutList,
  reasonText,
  waitForPaymentData,
  waitUntilLoaded,
} from './desk'
import { expect, test } from './fixtures'
import { getReasonField } from './reason'
import type { MadePayment, Sandbox } from './sandbox'

const getPayoutPanel = (page: Page): Locator => page.getByRole('article', { name: 'Payout' })
const getPayoutRow = (page: Page, id: string): Locator => page.locator(`[data-row="${id}"]`)
const getDecisionButton = (page: Page, name: string): Locator =>
  getDecisionRegion(page).getByRole('button', { name })

/**
 * Creates three held payouts with different amounts in a separate account, and returns them in the
 * order of the list.
 */
async function createHeldPayouts(
  adminPage: Page,
  deskUrl: string,
  sandbox: Sandbox,
): Promise<[MadePayment, MadePayment, MadePayment]> {
  const { customer } = await makeAccountWithCustomer(adminPage, deskUrl)
  const makePayout = (amount: number) => sandbox.makePayout({ customer_id: customer.id, amount })
  return [await makePayout(1_100), await makePayout(2_200), await makePayout(3_300)]
}

/** Expects that the cursor, the open row, the panel and the URL show the same payout. */
async function expectPayoutShown(page: Page, { id }: MadePayment, amount: string): Promise<void> {
  await expect(getPayoutPanel(page).getByRole('heading', { name: amount })).toBeVisible()
  await expect(getPayoutPanel(page)).toHaveCount(1)
  await expect(page.locator('[data-current]')).toHaveAttribute('data-row', id)
  await expect(page.locator('[data-open]')).toHaveAttribute('data-row', id)
  await expect(page).toHaveURL(new RegExp(`open=${id}`))
}

test('j and k open the next record, and an action key applies to the shown record', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const [first, second, third] = await createHeldPayouts(await signIn('admin'), deskUrl, sandbox)
  const page = await signIn('operator')
  await openPayoutList(page, { account: first.account })
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await expectPayoutShown(page, first, '11.00')
  await expect(getDecisionButton(page, 'Cancel payout…')).toBeEnabled()
  for (const key of ['j', 'j']) await page.keyboard.press(key)
  await expectPayoutShown(page, third, '33.00')
  await expect(getDecisionButton(page, 'Cancel payout…')).toBeEnabled()
  await page.keyboard.press('x')
  await expect(getDecisionRegion(page)).toContainText('Cancel $33.00')
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await expectPayoutShown(page, second, '22.00')
  // Back returns directly to the list, not to the rows that were open before.
  await page.goBack()
  await expect(getPayoutPanel(page)).toHaveCount(0)
  for (const { id } of [first, second, third]) expect(await sandbox.writes(id)).toEqual([])
})

test('an action key pressed right after j never applies to the record before', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const [first, second] = await createHeldPayouts(await signIn('admin'), deskUrl, sandbox)
  const page = await signIn('operator')
  await openPayoutList(page, { account: first.account, open: first.id })
  await expect(getDecisionButton(page, 'Cancel payout…')).toBeEnabled()
  const decisionFormText = await page.evaluate(() => {
    const pressKey = (key: string) =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      )
    pressKey('j')
    return Promise.resolve().then(() => {
      pressKey('x')
      return Promise.resolve().then(
        () => document.querySelector('article form')?.textContent ?? null,
      )
    })
  })
  expect(decisionFormText ?? '').not.toContain('11.00')
  await expectPayoutShown(page, second, '22.00')
})

test('Escape leaves a form, then closes the panel, and j continues from that row', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const [first, second, third] = await createHeldPayouts(await signIn('admin'), deskUrl, sandbox)
  const page = await signIn('operator')
  await openPayoutList(page, { account: first.account, open: second.id })
  await expect(getDecisionButton(page, 'Release…')).toBeEnabled()
  await page.keyboard.press('r')
  await expect(getReasonField(getDecisionRegion(page))).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(getDecisionButton(page, 'Release…')).toBeFocused()
  // Escape closes the form first, even if the focus is no longer in it.
  await page.keyboard.press('r')
  await getPayoutPanel(page).getByRole('heading', { name: '22.00' }).focus()
  await page.keyboard.press('Escape')
  await expect(getReasonField(getDecisionRegion(page))).toHaveCount(0)
  await getPayoutPanel(page).getByRole('heading', { name: '22.00' }).focus()
  await page.keyboard.press('Escape')
  await expect(getPayoutPanel(page)).toHaveCount(0)
  await expect(page).not.toHaveURL(/open=/)
  await expect(getPayoutRow(page, second.id).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expectPayoutShown(page, third, '33.00')
  await page.keyboard.press('Escape')
  await expect(getPayoutPanel(page)).toHaveCount(0)
  // Escape in the search box does not close the panel.
  await page.keyboard.press('Enter')
  await expectPayoutShown(page, third, '33.00')
  await page.getByRole('searchbox', { name: 'Search payouts' }).press('Escape')
  await expectPayoutShown(page, third, '33.00')
  expect(await sandbox.writes(second.id)).toEqual([])
})

test('the text of a form is still there after another row was opened', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const [first, second] = await createHeldPayouts(await signIn('admin'), deskUrl, sandbox)
  const page = await signIn('operator')
  await openPayoutList(page, { account: first.account, open: first.id })
  await expect(getDecisionButton(page, 'Release…')).toBeEnabled()
  await page.keyboard.press('r')
  await getDecisionRegion(page).getByLabel('Note', { exact: true }).fill(reasonText)
  await getDecisionRegion(page).getByRole('button', { name: 'Back' }).focus()
  await page.keyboard.press('j')
  await expectPayoutShown(page, second, '22.00')
  await expect(getDecisionButton(page, 'Release…')).not.toContainText('draft')
  await page.keyboard.press('k')
  await expectPayoutShown(page, first, '11.00')
  await expect(getDecisionButton(page, 'Release…')).toContainText('draft')
  await page.keyboard.press('r')
  await expect(getDecisionRegion(page).getByLabel('Note', { exact: true })).toHaveValue(reasonText)
  expect(await sandbox.writes(first.id)).toEqual([])
})

test('a record on its own page has no next row, and Escape leaves its form', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  const urlBefore = page.url()
  for (const key of ['j', 'k', 'x']) await page.keyboard.press(key)
  await expect(getDecisionRegion(page)).toContainText('Cancel $123.45')
  await page.keyboard.press('Escape')
  await expect(getDecisionButton(page, 'Cancel payout…')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(getPayoutPanel(page)).toBeVisible()
  expect(page.url()).toBe(urlBefore)
})

test('in a narrow window j opens the next record in place and focuses its heading', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const [first, second] = await createHeldPayouts(await signIn('admin'), deskUrl, sandbox)
  const page = await signIn('operator')
  await page.setViewportSize({ width: 800, height: 900 })
  await openPayoutList(page, { account: first.account, open: first.id })
  await waitForPaymentData(page)
  await page.keyboard.press('j')
  await expectPayoutShown(page, second, '22.00')
  await expect(getPayoutPanel(page).getByRole('heading', { name: '22.00' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(getPayoutRow(page, second.id).getByRole('link').first()).toBeFocused()
})

test('each list with a side panel continues with j and closes with Escape', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('admin')
  for (const name of [
    'charges?tab=all',
    'paykeys?tab=all',
    'customers?tab=all',
    'accounts?tab=all',
    'funding-events',
    'payments',
  ]) {
    await goTo(page, `/sandbox/${name}`)
    await page.keyboard.press('j')
    await expect(page.locator('[data-current]'), name).toHaveCount(1)
    await page.keyboard.press('Enter')
    const selectedRow = page.locator('[data-open]')
    await expect(selectedRow, name).toHaveCount(1)
    const selectedIdBefore = await selectedRow.getAttribute('data-row')
    await page.keyboard.press('j')
    await expect(selectedRow, name).not.toHaveAttribute('data-row', selectedIdBefore ?? '')
    await expect(page.locator('[data-current][data-open]'), name).toHaveCount(1)
    await waitUntilLoaded(page)
    await page.keyboard.press('Escape')
    await expect(selectedRow, name).toHaveCount(0)
  }
})
