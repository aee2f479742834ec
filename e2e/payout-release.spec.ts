import type { Page } from '@playwright/test'
import { payoutPath, signInPath } from '@/lib/routes'
import {
  checkAllBoxes,
  createPdfFile,
  fillDecision,
  fillProof,
  fillRelease,
  getDecisionRegion,
  getFileRow,
  getReleaseButton,
  getTimelineList,
  getUploadButton,
  goTo,
  openPayout,
  openPayoutList,
  reasonText,
  waitForPaymentData,
} from './desk'
import { dropFile } from './drop-file'
import { emailOf, expect, password, test } from './fixtures'
import { getPersonOfPage } from './person'
import { waitForHydration } from './wait-for-hydration'

const getReleasedMessage = (page: Page) =>
  getDecisionRegion(page)
    .getByRole('status')
    .filter({ hasText: /^Released/ })

test('a payout is found in the queue, gets a proof, is approved, and is released once', async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout({
    amount: 1_234_500,
    message: 'The contract has to be checked first',
  })
  const page = await signIn('operator')
  await openPayoutList(page, { account: payout.account })
  await page.getByRole('searchbox', { name: 'Search payouts' }).fill(payout.externalId)
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 payout', { exact: true })).toBeVisible()
  await page.getByRole('row').getByRole('link', { name: payout.customer }).click()

  const payoutPanel = page.getByRole('article', { name: 'Payout' })
  await expect(payoutPanel.getByRole('heading', { name: /12,345\.00/ })).toBeVisible()
  await expect(payoutPanel).toContainText(/On hold for (?:less than a minute|\d+ min)\. Held by /)
  await expect(payoutPanel).toContainText('“The contract has to be checked first”')
  await expect(
    payoutPanel
      .getByRole('list', { name: 'Checks' })
      .getByText('No authorization proof on file.', { exact: true }),
  ).toBeVisible()
  await waitForPaymentData(page)

  await getDecisionRegion(page).getByRole('button', { name: 'Upload proof' }).click()
  await dropFile(page, createPdfFile('signed agreement.pdf'))
  await expect(getFileRow(page, 'signed agreement.pdf')).toContainText('ready')
  expect(await sandbox.journal(payout.id)).toEqual([])
  await fillProof(page)
  await getUploadButton(page).click()
  await expect(page.getByText('Document uploaded. Release now?')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Checks' })).not.toContainText('No authorization')
  await page.getByRole('status').getByRole('button', { name: 'Release…' }).click()

  const decisionArea = getDecisionRegion(page)
  await expect(decisionArea).toContainText(
    /Release \$12,345\.00 to .* in SANDBOX although the payment is over the single-payment limit by \$[\d,.]+\.\d\d\./,
  )
  await decisionArea
    .getByLabel('Reason', { exact: true })
    .selectOption({ label: 'Authorization proof checked' })
  await expect(decisionArea.getByLabel('Note', { exact: true })).toHaveValue(
    'Authorization proof was received and checked.',
  )
  await checkAllBoxes(decisionArea)
  await getReleaseButton(page).click()
  await decisionArea.getByRole('link', { name: 'Open the request' }).click()
  await expect(page.getByRole('button', { name: 'Withdraw request' })).toBeVisible()
  const reviewerPage = await signIn('reviewer')
  await goTo(reviewerPage, new URL(page.url()).pathname)
  await reviewerPage.getByRole('button', { name: 'Approve and release $12,345.00' }).click()
  await expect(
    reviewerPage.getByRole('region', { name: 'Answer' }).getByRole('status'),
  ).toContainText('Confirmed in the provider’s history.')

  await openPayout(page, payout)
  const journalRows = await sandbox.journal(payout.id)
  expect(journalRows.map((row) => row.operation)).toEqual(['payouts.authorize', 'payouts.release'])
  await expect(
    getTimelineList(page).getByRole('listitem').filter({ hasText: 'Release a payout: done' }),
  ).toContainText('you · Paydesk')
  // Does not require that the release is the provider's newest entry: five seconds later, the
  // provider holds the payout again because of its amount.
  const providerRecordItem = getTimelineList(page)
    .getByRole('listitem')
    .filter({ hasText: 'provider’s record' })
  await expect(
    providerRecordItem.filter({
      hasText: 'AUTH_PROOF_OK: Authorization proof was received and checked.',
    }),
  ).toHaveCount(1)
  await reviewerPage
    .getByRole('region', { name: 'Answer' })
    .getByText('Technical details (1 attempt)')
    .click()
  await expect(reviewerPage.getByRole('row').last()).toContainText(/200.*[0-9a-f]{8}-/)
})

test('a reload still shows the result', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await fillRelease(page)
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toBeVisible()
  await page.reload()
  await waitForHydration(page)
  await expect(getTimelineList(page)).toContainText('Release a payout: done')
  // In print, the styles replace "you" by the person's name, because a reader of the paper cannot
  // know who "you" is.
  await page.emulateMedia({ media: 'print' })
  const youText = getTimelineList(page).getByText('you', { exact: true }).first()
  const computedStyle = await youText.evaluate((element) => [
    getComputedStyle(element, '::before').content,
    getComputedStyle(element).fontSize,
  ])
  expect(computedStyle).toEqual([`"${getPersonOfPage(page).name}"`, '0px'])
  await page.emulateMedia({ media: null })
  await expect(getTimelineList(page)).toContainText(reasonText)
  await expect(
    getDecisionRegion(page).getByRole('button', { name: 'Release…' }),
  ).toHaveAccessibleDescription(/only a payout that is on hold can be released/)
})

test('a created payout is put on hold', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ status: 'created' })
  const page = await signIn('operator')
  await openPayout(page, payout)
  await fillDecision(page, 'Hold…', 'Risk signal')
  await getDecisionRegion(page).getByRole('button', { name: 'Hold $123.45' }).click()
  await expect(
    getDecisionRegion(page).getByRole('status').filter({ hasText: /^Held/ }),
  ).toBeVisible()
  await expect(page.getByRole('article', { name: 'Payout' })).toContainText(
    `RISK_SIGNAL: ${reasonText}`,
  )
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual(['payouts.hold'])
})

test('a held payout is canceled once', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await fillDecision(page, 'Cancel payout…', 'Customer request')
  await expect(getDecisionRegion(page)).toContainText(
    'This permanently cancels the payout and cannot be undone.',
  )
  await getDecisionRegion(page).getByRole('button', { name: 'Cancel payout of $123.45' }).click()
  await expect(
    getDecisionRegion(page)
      .getByRole('status')
      .filter({ hasText: /^Canceled/ }),
  ).toBeVisible()
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual(['payouts.cancel'])
})

test('a double click sends one release', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await fillRelease(page)
  await getReleaseButton(page).dblclick()
  await expect(getReleasedMessage(page)).toBeVisible()
  expect(await sandbox.writes(payout.id)).toHaveLength(1)
})

test('nothing is sent without a reason, by Enter alone, or with an unticked warning', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  const decisionRegion = getDecisionRegion(page)
  await decisionRegion.getByRole('button', { name: 'Release…' }).click()
  await getReleaseButton(page).click()
  await expect(decisionRegion.getByLabel('Reason', { exact: true })).toHaveAccessibleDescription(
    'Choose a reason and add a note.',
  )
  await decisionRegion
    .getByLabel('Reason', { exact: true })
    .selectOption({ label: 'Customer confirmed' })
  await decisionRegion.getByLabel('Note', { exact: true }).fill('Ask someone@example.com')
  await decisionRegion.getByLabel('Reason', { exact: true }).press('Enter')
  await decisionRegion.getByLabel('Note', { exact: true }).press('Control+Enter')
  await expect(decisionRegion.getByRole('alert')).toContainText('Check each box to continue.')
  expect(await sandbox.writes(payout.id)).toEqual([])
  await decisionRegion.getByRole('checkbox', { name: /email address/ }).check()
  await decisionRegion.getByRole('checkbox', { name: 'No proof is on file.' }).check()
  await decisionRegion.getByLabel('Note', { exact: true }).press('Control+Enter')
  await expect(getReleasedMessage(page)).toBeVisible()
})

test('a person signs in and releases a payout without a mouse', { tag: '@full' }, async ({
  page,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  await goTo(page, signInPath(payoutPath('sandbox', payout.id, { account: payout.account })))
  await page.getByLabel('Email').focus()
  await page.keyboard.type(emailOf('operator'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'Payout' })).toBeVisible()
  await waitForHydration(page)
  await waitForPaymentData(page)

  await page.keyboard.press('r')
  const decision = getDecisionRegion(page)
  await expect(decision.getByLabel('Reason', { exact: true })).toBeFocused()
  await page.keyboard.type('False')
  await page.keyboard.press('Tab')
  await expect(decision.getByLabel('Note', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Looked into by hand.')
  await expect(getReleaseButton(page)).toBeVisible()
  expect(await sandbox.writes(payout.id)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expect(decision.getByRole('checkbox', { name: 'No proof is on file.' })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(getReleasedMessage(page)).toBeVisible()
  await expect(decision.getByText('Released', { exact: true })).toBeFocused()
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})
