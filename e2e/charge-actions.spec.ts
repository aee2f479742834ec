import type { Locator, Page } from '@playwright/test'
import { recordPath } from '@/lib/routes'
import {
  createPdfFile,
  fillDecision,
  getDecisionRegion,
  getFileRow,
  getTimelineList,
  goTo,
  openPayment,
  reasonText,
  uploadFiles,
} from './desk'
import { expect, test } from './fixtures'
import { chooseReason, getNoteField } from './reason'

const getChargeArticle = (page: Page): Locator => page.getByRole('article', { name: 'Charge' })
const getStatusMessage = (page: Page, title: RegExp) =>
  getDecisionRegion(page).getByRole('status').filter({ hasText: title })
const listOperations = async (
  sandbox: { journal: (id: string) => Promise<{ operation: string }[]> },
  id: string,
) => (await sandbox.journal(id)).map(({ operation }) => operation)
const getRelatedPaymentsList = (page: Page): Locator =>
  page.getByRole('list', { name: 'Related payments' })

test('a charge is held, released and canceled, each time with a reason', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const newCharge = await sandbox.makeCharge({ status: 'created' })
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await expect(
    getChargeArticle(page).getByRole('heading', { name: /Charge of \$123\.45/ }),
  ).toBeVisible()
  await fillDecision(page, 'Hold…', 'Risk signal')
  await getDecisionRegion(page).getByRole('button', { name: 'Hold $123.45' }).click()
  await expect(getStatusMessage(page, /^Held/)).toBeVisible()
  await fillDecision(page, 'Release…', 'False alarm')
  await expect(getDecisionRegion(page)).toContainText(
    /Release \$123\.45 from .* in SANDBOX although .*no proof is on file.*\./,
  )
  await getDecisionRegion(page).getByRole('button', { name: 'Release $123.45' }).click()
  await expect(getStatusMessage(page, /^Released/)).toBeVisible()
  expect(await listOperations(sandbox, newCharge.id)).toEqual(['charges.hold', 'charges.release'])

  // Uses another charge, because the sandbox schedules the first one a few seconds after its
  // release. A form that was opened before that change would send nothing.
  const heldCharge = await sandbox.makeCharge()
  await openPayment(page, heldCharge)
  await fillDecision(page, 'Cancel charge…', 'Created in error')
  await getDecisionRegion(page).getByRole('button', { name: 'Cancel charge of $123.45' }).click()
  await expect(getStatusMessage(page, /^Canceled/)).toBeVisible()
  await expect(getTimelineList(page)).toContainText(`CREATED_IN_ERROR: ${reasonText}`)
  expect(await listOperations(sandbox, heldCharge.id)).toEqual(['charges.cancel'])
})

test('a refund is limited to the charge and sent once, and the charge then links to it', async ({
  signIn,
  sandbox,
}) => {
  const newCharge = await sandbox.makeCharge({ status: 'paid', amount: 10_000 })
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await fillDecision(page, 'Refund…', 'Goodwill')
  const decisionArea = getDecisionRegion(page)
  await expect(decisionArea).toContainText('This refunds the full charge.')
  await decisionArea.getByLabel('Amount to refund').fill('100.01')
  await decisionArea.getByRole('button', { name: 'Refund $100.01' }).click()
  await expect(decisionArea.getByLabel('Amount to refund')).toHaveAccessibleDescription(
    /Must be at most \$100\.00, the amount of the charge/,
  )
  expect(await sandbox.writes(newCharge.id)).toEqual([])
  await decisionArea.getByLabel('Amount to refund').fill('40')
  await expect(decisionArea).toContainText('This refunds $40.00 of $100.00. The remaining $60.00')
  await decisionArea.getByRole('button', { name: 'Refund $40.00' }).dblclick()
  await expect(getStatusMessage(page, /^Refund created/)).toBeVisible()
  expect(await sandbox.writes(newCharge.id)).toHaveLength(1)

  await expect(decisionArea.getByRole('button', { name: 'Refund…' })).toHaveAccessibleDescription(
    'This charge was already refunded.',
  )
  await expect(getRelatedPaymentsList(page)).toContainText(
    /Original, charge · this one.*100\.00.*Paid.*Refund, payout.*40\.00/s,
  )
  await expect(getTimelineList(page)).toContainText('Refund a charge: done')
  await getChargeArticle(page).getByRole('link', { name: 'Open its refund' }).click()
  await expect(
    page
      .getByRole('article', { name: 'Payout' })
      .getByRole('heading', { name: /Payout of \$40\.00/ }),
  ).toBeVisible()
  await expect(getRelatedPaymentsList(page)).toContainText(
    /Original, charge.*100\.00.*Refund, payout · this one/s,
  )
})

for (const kind of ['charge', 'payout'] as const) {
  test(`a failed ${kind} is resubmitted once as a new one, and the chain shows both`, {
    tag: '@full',
  }, async ({ signIn, sandbox }) => {
    const failedPaymentFields = {
      status: 'failed',
      reason: 'insufficient_funds',
      source: 'bank_decline',
    }
    const payment = await (kind === 'charge'
      ? sandbox.makeCharge(failedPaymentFields)
      : sandbox.makePayout(failedPaymentFields))
    const page = await signIn('operator')
    await openPayment(page, payment)
    await expect(page.getByText('Next: Can be resubmitted')).toBeVisible()
    await goTo(
      page,
      recordPath('sandbox', `${kind}s`, payment.id, { account: payment.account, do: 'resubmit' }),
    )
    const resubmitDecisionArea = getDecisionRegion(page)
    await expect(resubmitDecisionArea).toContainText(
      `This creates a new ${kind} on the same bank account`,
    )
    await resubmitDecisionArea.getByLabel('Payment date').fill('2020-01-31')
    await resubmitDecisionArea
      .getByLabel('Reason', { exact: true })
      .selectOption({ label: 'Funds available now' })
    await resubmitDecisionArea.getByRole('button', { name: 'Resubmit $123.45' }).click()
    await expect(resubmitDecisionArea.getByLabel('Payment date')).toHaveAccessibleDescription(
      /has passed/,
    )
    expect(await sandbox.writes(payment.id)).toEqual([])
    await resubmitDecisionArea.getByLabel('Payment date').fill('2099-01-02')
    await resubmitDecisionArea.getByRole('button', { name: 'Resubmit $123.45' }).dblclick()
    await expect(getStatusMessage(page, /^Resubmitted as a new payment/)).toBeVisible()
    expect(await sandbox.writes(payment.id)).toHaveLength(1)
    await expect(
      resubmitDecisionArea.getByRole('button', { name: 'Resubmit…' }),
    ).toHaveAccessibleDescription(`This ${kind} was already resubmitted.`)
    await expect(getRelatedPaymentsList(page)).toContainText(
      new RegExp(`Original, ${kind} · this one.*Failed.*Resubmitted, ${kind}.*Jan 2, 2099`, 's'),
    )
    await page.getByRole('link', { name: `Open the new ${kind}` }).click()
    await expect(getRelatedPaymentsList(page)).toContainText(
      new RegExp(`Original, ${kind}.*Failed.*Resubmitted, ${kind} · this one`, 's'),
    )
    expect(new URL(page.url()).searchParams.has('do')).toBe(false)
  })
}

test('a rejected bank account disables the resubmission and shows an alternative', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge({ status: 'failed', paykey_status: 'rejected' })
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await expect(
    getDecisionRegion(page).getByRole('button', { name: 'Resubmit…' }),
  ).toHaveAccessibleDescription(/would fail at once/)
  await expect(
    getChargeArticle(page).getByRole('link', { name: 'Connect another bank account' }),
  ).toBeVisible()
})

test('a reviewer adds a proof to a charge', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('reviewer')
  await openPayment(page, newCharge)
  await uploadFiles(page, [createPdfFile('agreement.pdf')])
  await expect(getFileRow(page, 'agreement.pdf')).toContainText('attached')
  expect(await listOperations(sandbox, newCharge.id)).toEqual(['charges.authorize'])
})

test.describe('with an open form', () => {
  test.use({ events: 'live' })

  test('the second of two people sees that the charge changed and keeps the text', {
    tag: '@full',
  }, async ({ signIn, sandbox }) => {
    const newCharge = await sandbox.makeCharge()
    const [first, second] = [await signIn('operator'), await signIn('admin')]
    await openPayment(first, newCharge)
    await openPayment(second, newCharge)
    await getDecisionRegion(second).getByRole('button', { name: 'Edit…' }).click()
    await getDecisionRegion(second).getByLabel('Description').fill('My own words')
    await chooseReason(getDecisionRegion(second), 'Description changed')
    await fillDecision(first, 'Release…', 'False alarm')
    await getDecisionRegion(first).getByRole('button', { name: 'Release $123.45' }).click()
    await expect(getStatusMessage(first, /^Released/)).toBeVisible()
    await expect(
      getDecisionRegion(second).getByText('This changed while the form was open'),
    ).toBeVisible()
    await expect(
      getDecisionRegion(second).getByRole('button', { name: 'Save changes' }),
    ).toHaveAttribute('aria-disabled', 'true')
    await expect(getDecisionRegion(second).getByLabel('Description')).toHaveValue('My own words')
    await expect(getNoteField(getDecisionRegion(second))).toHaveValue(
      'The description on the bank statement was corrected.',
    )
    expect(await listOperations(sandbox, newCharge.id)).toEqual(['charges.release'])
  })
})

test('a viewer sees every action disabled with its reason', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('viewer')
  for (const [status, names] of Object.entries({
    on_hold: ['Release…', 'Hold…', 'Cancel charge…', 'Edit…'],
    paid: ['Refund…'],
    failed: ['Resubmit…'],
  })) {
    await openPayment(page, await sandbox.makeCharge({ status }))
    for (const name of [...names, 'Upload proof']) {
      const button = getDecisionRegion(page).getByRole('button', { name })
      await expect(button).toBeDisabled()
      await expect(button).toHaveAccessibleDescription(/^Only an? .* can /)
    }
  }
})

test('the device address is revealed for a reason and can be hidden again', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await expect(getChargeArticle(page)).not.toContainText('203.0.113.20')
  await getChargeArticle(page)
    .getByRole('button', { name: /^Reveal… the address/ })
    .click()
  await getChargeArticle(page)
    .getByLabel('Reason', { exact: true })
    .selectOption({ label: 'Suspected fraud' })
  await getChargeArticle(page).getByRole('button', { name: 'Reveal', exact: true }).click()
  await expect(getChargeArticle(page)).toContainText('203.0.113.20')
  await getChargeArticle(page).getByRole('button', { name: 'Hide now' }).click()
  await expect(getChargeArticle(page)).not.toContainText('203.0.113.20')
})

test('a refusal of the service is quoted, and the refund form keeps its entries', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge({ status: 'paid', amount: 10_000 })
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await fillDecision(page, 'Refund…', 'Goodwill')
  await getDecisionRegion(page).getByLabel('Amount to refund').fill('40')
  await sandbox.fault({
    operation: 'charges.refund',
    match: newCharge.id,
    kind: 'status',
    status: 422,
  })
  await getDecisionRegion(page).getByRole('button', { name: 'Refund $40.00' }).click()
  await expect(getDecisionRegion(page).getByRole('alert')).toContainText(
    '“A planned fault of the sandbox.”',
  )
  await expect(getDecisionRegion(page).getByLabel('Amount to refund')).toHaveValue('40')
})
