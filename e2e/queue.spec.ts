import { makeAccountWithCustomer, makeCustomer } from './customer'
import {
  decideThroughApi,
  fillRelease,
  getDecisionRegion,
  getReleaseButton,
  openPayoutList,
  waitForPaymentData,
} from './desk'
import { expect, test } from './fixtures'
import { getHomeRegion, getQueueRows, openHome } from './home'
import { createHeldPayouts, getNextButton, getRecordHeading } from './queue'

test('a payout that another person decided is skipped', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { payouts, amounts, account } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    3,
  )
  const [first, second] = payouts
  const page = await signIn('operator')
  await openPayoutList(page, { account, open: first?.id ?? '' })
  await waitForPaymentData(page)
  if (second) await decideThroughApi(page, deskUrl, second, 'release')
  await fillRelease(page)
  await getReleaseButton(page).click()
  await expect(getNextButton(page)).toContainText(amounts[2] ?? '')
  await page.keyboard.press('n')
  await expect(getRecordHeading(page, amounts[2] ?? '')).toBeFocused()
})

test('an unknown outcome offers no next record, and the payout stays in the queue', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const { payouts, amounts, account } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    2,
  )
  const page = await signIn('operator')
  const id = payouts[0]?.id ?? ''
  await sandbox.fault({
    operation: 'payouts.release',
    match: id,
    kind: 'status',
    status: 500,
    count: null,
  })
  await openPayoutList(page, { account, open: id })
  await waitForPaymentData(page)
  await fillRelease(page)
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page).getByText('Outcome unknown')).toBeFocused()
  await expect(getRecordHeading(page, amounts[0] ?? '')).toBeVisible()
  await expect(getNextButton(page)).toHaveCount(0)
  await expect(page.locator(`[data-row="${id}"]`)).toBeVisible()
  await page.keyboard.press('n')
  await expect(getRecordHeading(page, amounts[1] ?? '')).toBeFocused()
  await page.keyboard.press('n')
  // After the last record, the queue returns to its first one, which is the payout with the unknown
  // outcome.
  await expect(getRecordHeading(page, amounts[0] ?? '')).toBeVisible()
  await expect(getDecisionRegion(page).getByText('Outcome unknown')).toBeFocused()
  await sandbox.clearFaults()
  await getDecisionRegion(page).getByRole('button', { name: 'Check again' }).click()
  await expect(getNextButton(page)).toContainText(amounts[1] ?? '')
  expect((await sandbox.journal(id)).map(({ operation }) => operation)).toEqual(['payouts.release'])
})

test('the last row of a page leads to the next page, and the last page to the skipped rows', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const { payouts, amounts, account } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    3,
  )
  const page = await signIn('operator')
  await openPayoutList(page, { account, size: '2', open: payouts[1]?.id ?? '' })
  await waitForPaymentData(page)
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/page=2/)
  await expect(getRecordHeading(page, amounts[2] ?? '')).toBeFocused()
  await expect(page).toHaveURL(new RegExp(`open=${payouts[2]?.id}`))
  await page.keyboard.press('n')
  await expect(getRecordHeading(page, amounts[0] ?? '')).toBeFocused()
  await expect(page).not.toHaveURL(/page=2/)
})

test('the list of shortcuts includes the key to the next record', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { payouts, account } = await createHeldPayouts(await signIn('admin'), deskUrl, sandbox, 2)
  const page = await signIn('operator')
  await openPayoutList(page, { account, open: payouts[0]?.id ?? '' })
  await waitForPaymentData(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText(
    'Next in queue',
  )
})

test('the queue continues from the home page to the last record', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { payouts, amounts, account, customerId } = await createHeldPayouts(
    await signIn('admin'),
    deskUrl,
    sandbox,
    2,
  )
  const page = await signIn('operator')
  await openHome(page, { account })
  await getQueueRows(page, 'Held payouts').first().getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`payouts/${payouts[0]?.id}`))
  await waitForPaymentData(page)
  await fillRelease(page)
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page).getByText('Released', { exact: true })).toBeFocused()
  await expect(getNextButton(page)).toContainText(amounts[1] ?? '')
  await page.keyboard.press('n')
  await expect(page).toHaveURL(new RegExp(`payouts/${payouts[1]?.id}`))
  await expect(page.getByRole('heading', { name: amounts[1], level: 1 })).toBeFocused()
  await waitForPaymentData(page)
  await fillRelease(page)
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page).getByRole('status')).toContainText('All caught up')

  const laterPayout = await sandbox.makePayout({ customer_id: customerId, amount: 9_900 })
  await openHome(page, { account })
  await getHomeRegion(page, 'Held payouts')
    .getByRole('link', { name: /^Start queue \(1\)/ })
    .click()
  await expect(getRecordHeading(page, '99.00')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`open=${laterPayout.id}`))
})

test('a long name of the next record stays within the panel', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const adminPage = await signIn('admin')
  const { account } = await makeAccountWithCustomer(adminPage, deskUrl)
  const customer = await makeCustomer(adminPage, deskUrl, {
    account,
    name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4).trim(),
  })
  for (const amount of [1_100, 1_200])
    await sandbox.makePayout({ customer_id: customer.id, amount })
  const page = await signIn('operator')
  await openPayoutList(page, { account, open: 'first' })
  await waitForPaymentData(page)
  await fillRelease(page)
  await getReleaseButton(page).click()
  await expect(getNextButton(page)).toBeVisible()
  const decisionArea = getDecisionRegion(page)
  expect(
    await decisionArea.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
  const [buttonBox, areaBox] = [
    await getNextButton(page).boundingBox(),
    await decisionArea.boundingBox(),
  ]
  expect((buttonBox?.x ?? 0) + (buttonBox?.width ?? 0)).toBeLessThan(
    (areaBox?.x ?? 0) + (areaBox?.width ?? 0),
  )
})
