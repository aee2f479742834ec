import { serviceApiPath } from '@/lib/routes'
import { getDecisionRegion, openPayment } from './desk'
import { expect, test } from './fixtures'
import { getQueueRows, openHome } from './home'
import { clickReview, fillPayment, getPaymentPlanRegion, openPaymentForm } from './new-payment'

/** Noon in New York on a Sunday. The Thursday after it is Thanksgiving. */
const sunday = new Date('2026-11-22T17:00:00Z')
const movedDateText = 'Sunday, Nov 22 is not a banking day: the payment is sent on Monday, Nov 23.'

for (const kind of ['charge', 'payout'] as const) {
  test(`the form of a ${kind} names Monday on a Sunday, and the next banking day after a holiday`, {
    tag: '@full',
  }, async ({ signIn, sandbox }) => {
    const { account, paykey } = await sandbox.makeCharge({ status: 'paid' })
    const page = await signIn('operator')
    await page.clock.setFixedTime(sunday)
    await openPaymentForm(page, kind, { account, paykey })
    const paymentDateInput = page.getByLabel('Payment date')
    await expect(paymentDateInput).toHaveAccessibleDescription(movedDateText)
    await paymentDateInput.fill('2026-11-26')
    await expect(paymentDateInput).toHaveAccessibleDescription(
      'Thursday, Nov 26 is not a banking day (Thanksgiving Day): the payment is sent on Friday, Nov 27.',
    )
    await paymentDateInput.fill('2026-11-24')
    await expect(paymentDateInput).toHaveAccessibleDescription(
      'The payment is sent on Tuesday, Nov 24.',
    )
    await paymentDateInput.fill('2026-11-22')
    await fillPayment(page, kind, '12.00')
    await clickReview(page, kind)
    await expect(getPaymentPlanRegion(page)).toContainText(
      `Sunday, Nov 22 is not a banking day: the money ${kind === 'charge' ? 'is taken' : 'leaves'} Monday, Nov 23.`,
    )
  })
}

test('a resubmission, a refund and an edit name the same date', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const failedPayout = await sandbox.makePayout({
    status: 'failed',
    reason: 'insufficient_funds',
    source: 'bank_decline',
  })
  const paidCharge = await sandbox.makeCharge({ status: 'paid' })
  const heldPayout = await sandbox.makePayout({ payment_date: '2026-11-26' })
  const page = await signIn('operator')
  await page.clock.setFixedTime(sunday)
  for (const [made, opens] of [
    [failedPayout, 'Resubmit…'],
    [paidCharge, 'Refund…'],
  ] as const) {
    await openPayment(page, made)
    await getDecisionRegion(page).getByRole('button', { name: opens }).click()
    await expect(getDecisionRegion(page).getByLabel('Payment date')).toHaveAccessibleDescription(
      movedDateText,
    )
  }
  await openPayment(page, heldPayout)
  const checkList = page.getByRole('list', { name: 'Checks' })
  await expect(checkList).toContainText(
    'Thursday, Nov 26 is not a banking day (Thanksgiving Day): the payment is sent on Friday, Nov 27.',
  )
  await getDecisionRegion(page).getByRole('button', { name: 'Edit…' }).click()
  await expect(getDecisionRegion(page).getByLabel('Payment date')).toHaveAccessibleDescription(
    /the payment is sent on Friday, Nov 27\.$/,
  )
})

test('the cut-off on the home page is the one that the held payouts wait for', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ payment_date: '2020-01-02' })
  const page = await signIn('operator')
  await page.request.get(serviceApiPath('sandbox', `/payouts/${payout.id}`, '', payout.account))
  await openHome(page)
  const row = getQueueRows(page, 'Held payouts').filter({
    has: page.getByRole('link', { name: payout.id.slice(-6) }),
  })
  const cutOffItem = page.locator('dl div').filter({ hasText: 'Cut-off for held payments' })
  const payoutDueTime = await row.locator('time').last().getAttribute('datetime')
  await expect(cutOffItem.locator('dd').first().locator('time')).toHaveAttribute(
    'datetime',
    payoutDueTime ?? 'no due time',
  )
  await expect(cutOffItem).toContainText('A payment released by then is sent that day')
})
