import { getDecisionRegion, openPayment } from './desk'
import { expect, test } from './fixtures'
import {
  checkPlanCheckboxes,
  clickReview,
  fillPayment,
  getPaymentPlanRegion,
  openPaymentForm,
} from './new-payment'

const approversText = /^Another person \(.*\) must approve this/

test('a new payout that needs a second person is requested, and nothing is sent', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const { account, paykey } = await sandbox.makePayout({ status: 'paid', amount: 77 })
  const page = await signIn('operator')
  await openPaymentForm(page, 'payout', { account, paykey })
  await fillPayment(page, 'payout', '4999.99')
  await clickReview(page, 'payout')
  await expect(page.getByRole('button', { name: 'Pay out $4,999.99' })).toBeVisible()
  await expect(page.getByText(approversText)).toHaveCount(0)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByLabel('Amount, USD').fill('6000')
  await clickReview(page, 'payout')
  await expect(page.getByText(approversText)).toBeVisible()
  await expect(getPaymentPlanRegion(page)).toContainText('$6,000.00')
  await checkPlanCheckboxes(page)
  await page.getByRole('button', { name: 'Request payout of $6,000.00' }).click()
  await expect(page.getByText('Awaiting approval').first()).toBeVisible()
})

test('an edit and a refund are requests from the amount on that needs a second person', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ amount: 450_000 })
  const page = await signIn('operator')
  await openPayment(page, payout)
  const region = getDecisionRegion(page)
  await region.getByRole('button', { name: 'Edit…' }).click()
  await region.getByLabel('Amount', { exact: true }).fill('4600')
  await expect(region.getByRole('button', { name: 'Save with $4,600.00' })).toBeVisible()
  await region.getByLabel('Amount', { exact: true }).fill('6100')
  await expect(region.getByRole('button', { name: 'Request change' })).toBeVisible()
  await expect(region.getByText(approversText)).toBeVisible()

  const charge = await sandbox.makeCharge({ status: 'paid', amount: 900_000 })
  await openPayment(page, charge)
  await region.getByRole('button', { name: 'Refund…' }).click()
  await expect(region.getByRole('button', { name: 'Request refund of $9,000.00' })).toBeVisible()
  await region.getByLabel('Amount to refund').fill('100')
  await expect(region.getByRole('button', { name: 'Refund $100.00' })).toBeVisible()
})
