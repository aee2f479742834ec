import { listPath } from '@/lib/routes'
import { getDecisionRegion, getTimelineList, goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import {
  checkAllBoxes,
  fetchServiceData,
  getPanelByTitle,
  openAndFillDecision,
  openPaykey,
  readPaykeyStatus,
} from './paykey-desk'

const paykeyReviewOverrides = {
  paykey_status: 'review',
  status: 'on_hold',
  reason: 'watchtower_review',
  source: 'watchtower',
}

test('a paykey in review is approved from the queue with evidence, and its payment continues', async ({
  signIn,
  sandbox,
}) => {
  const heldPayout = await sandbox.makePayout({ ...paykeyReviewOverrides, amount: 12_300 })
  await sandbox.makePayout({ paykey_id: heldPayout.paykey, status: 'on_hold', amount: 4_500 })
  const page = await signIn('reviewer')
  const { label } = await fetchServiceData<{ label: string }>(page, `/paykeys/${heldPayout.paykey}`)

  await goTo(
    page,
    listPath('sandbox', 'paykeys', { account: heldPayout.account, search_text: heldPayout.paykey }),
  )
  await expect(page.getByRole('heading', { name: 'Paykeys' })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: heldPayout.customer })
  await expect(row).toContainText('2 pending · $168.00 out')
  await row.getByRole('link').first().click()

  const paykeyArticle = page.getByRole('article', { name: 'Paykey' })
  await expect(paykeyArticle.getByText('Awaiting review')).toBeVisible()
  await expect(paykeyArticle.getByRole('list', { name: 'Evidence' })).toContainText('Name match')
  await expect(paykeyArticle).toContainText('2 payments: $168.00 to pay out.')
  await expect(paykeyArticle).toContainText('1 goes on, 1 stays on hold until it is released.')
  await expectAccessible(page)
  await expect(
    paykeyArticle.getByRole('list', { name: 'Checks' }).getByText('Loading:'),
  ).toHaveCount(0)

  const decisionForm = await openAndFillDecision(page, 'Approve…', 'Owner matches')
  await expect(decisionForm).toContainText(`for ${'Brightwater'}`)
  await checkAllBoxes(decisionForm)
  await decisionForm.getByRole('button', { name: /^Approve .*\d{4}$/ }).click()

  await expect(
    decisionForm.getByRole('list', { name: 'Affected payments' }).getByRole('listitem'),
  ).toHaveCount(2)
  await expect(decisionForm.getByRole('list', { name: 'Affected payments' })).toContainText(
    /Created|Scheduled/,
  )
  await expect(decisionForm.getByRole('list', { name: 'Affected payments' })).toContainText(
    'On hold',
  )
  expect(await readPaykeyStatus(page, heldPayout.paykey)).toBe('active')
  expect((await sandbox.journal(heldPayout.paykey)).map((entry) => entry.operation)).toEqual([
    'paykeys.decide',
  ])
  await expect(getTimelineList(page)).toContainText('Owner matched: ')
  expect(label).toContain('*')
})

test('a rejection requires a tick, is permanent and disables all decisions', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const heldPayout = await sandbox.makePayout(paykeyReviewOverrides)
  const page = await signIn('reviewer')
  await openPaykey(page, { id: heldPayout.paykey, account: heldPayout.account })
  const rejectionForm = await openAndFillDecision(page, 'Reject…', 'Owner does not match')
  const rejectButton = rejectionForm.getByRole('button', { name: /^Reject .*\d{4}$/ })
  await rejectButton.click()
  await expect(rejectionForm.getByRole('alert')).toContainText('Check each box to continue.')
  expect(await sandbox.writes(heldPayout.paykey)).toEqual([])
  await rejectionForm.getByLabel(/A rejection is final/).check()
  await rejectButton.click()
  await expect(page.getByText('Permanently rejected')).toBeVisible()
  expect(await readPaykeyStatus(page, heldPayout.paykey)).toBe('rejected')
  for (const name of ['Approve…', 'Reject…', 'Unblock…', 'Cancel paykey…']) {
    await expect(getDecisionRegion(page).getByRole('button', { name })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  }
  await expect(getDecisionRegion(page)).toContainText(
    'only a paykey that is in review can be approved or rejected',
  )
})

test.describe('with a decision of another person', () => {
  test.use({ events: 'live' })

  test('a paykey that another person decided cannot be decided again', { tag: '@full' }, async ({
    signIn,
    sandbox,
  }) => {
    const payout = await sandbox.makePayout(paykeyReviewOverrides)
    const paykey = { id: payout.paykey, account: payout.account }
    const [firstPersonPage, secondPersonPage] = [await signIn('reviewer'), await signIn('admin')]
    await openPaykey(firstPersonPage, paykey)
    await openPaykey(secondPersonPage, paykey)
    const firstDecisionForm = await openAndFillDecision(firstPersonPage, 'Reject…', 'Risk signal')
    await checkAllBoxes(firstDecisionForm)
    const secondDecisionForm = await openAndFillDecision(
      secondPersonPage,
      'Approve…',
      'Bank confirmed',
    )
    await checkAllBoxes(secondDecisionForm)
    await secondDecisionForm.getByRole('button', { name: /^Approve .*\d{4}$/ }).click()
    await expect(secondPersonPage.getByText('Charges and payouts can be created.')).toBeVisible()
    await expect(firstDecisionForm).toContainText('This changed while the form was open')
    await expect(
      firstDecisionForm.getByRole('button', { name: /^Reject .*\d{4}$/ }),
    ).toHaveAttribute('aria-disabled', 'true')
    expect(await readPaykeyStatus(firstPersonPage, payout.paykey)).toBe('active')
    expect(await sandbox.writes(payout.paykey)).toHaveLength(1)
  })
})

test('an operator sees the decisions disabled, with the roles that may decide', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const heldPayout = await sandbox.makePayout(paykeyReviewOverrides)
  const page = await signIn('operator')
  await openPaykey(page, { id: heldPayout.paykey, account: heldPayout.account })
  await expect(
    getDecisionRegion(page).getByRole('button', { name: 'Approve…' }),
  ).toHaveAccessibleDescription(/Only a reviewer or an admin/)
  await page.keyboard.press('a')
  await expect(getDecisionRegion(page).getByLabel('Reason', { exact: true })).toHaveCount(0)
})

test('a new balance is requested, awaited and shown', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout({ status: 'paid', balance: 777_700 })
  const page = await signIn('operator')
  await openPaykey(page, { id: payout.paykey, account: payout.account })
  const balancePanel = getPanelByTitle(page, 'Balance')
  await expect(balancePanel).toContainText('7,777.00')
  await balancePanel.getByRole('button', { name: 'Refresh balance' }).click()
  await expect(balancePanel.getByRole('status')).toContainText(
    'Requested. This page updates automatically',
  )
  await expect(balancePanel.getByRole('status')).toContainText('Balance updated.')
  await expect(balancePanel).not.toContainText('7,777.00')
  expect((await sandbox.writes(payout.paykey)).map(({ method }) => method)).toEqual(['PUT'])
})

test('the numbers are revealed for a reason and hidden again', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout({ status: 'paid' })
  const page = await signIn('reviewer')
  await openPaykey(page, { id: payout.paykey, account: payout.account })
  const recordPanel = getPanelByTitle(page, 'Record')
  await recordPanel.getByRole('button', { name: 'Reveal… the account and routing number' }).click()
  await recordPanel.getByLabel('Reason', { exact: true }).selectOption({ label: 'Bank inquiry' })
  await recordPanel.getByRole('button', { name: 'Reveal', exact: true }).click()
  // Searches for the account number together with its routing number, because the panel's ids can
  // also contain twelve digits in a row.
  const bankNumbersText = recordPanel.getByText(/\d{12}, routing \d{9}/)
  await expect(bankNumbersText).toBeVisible()
  const [number = 'no number'] = /\d{12}/.exec((await bankNumbersText.textContent()) ?? '') ?? []
  await expect(recordPanel.getByText(number)).toBeVisible()
  await recordPanel.getByRole('button', { name: 'Hide now' }).click()
  await expect(recordPanel.getByText(number)).toHaveCount(0)
})
