import type { Page } from '@playwright/test'
import { deskApiPath, serviceApiPath } from '@/lib/routes'
import { makeCustomer } from './customer'
import {
  fillRelease,
  getDecisionRegion,
  getReleaseButton,
  getTimelineList,
  goTo,
  openPayout,
  reasonText,
} from './desk'
import { expect, test } from './fixtures'
import { sendConfirmedRequest } from './person'

const getWarningCheckbox = (page: Page, name: string | RegExp) =>
  getDecisionRegion(page).getByRole('checkbox', { name })
const missingProofText = 'No proof is on file.'

test('a release over the limit without proof requires a tick for each', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const page = await signIn('operator')
  const smallPayout = await sandbox.makePayout()
  const accountResponse = await page.request.get(
    serviceApiPath('sandbox', `/accounts/${smallPayout.account.slice(5)}`, ''),
  )
  const { data } = (await accountResponse.json()) as {
    data: { settings: { payouts: { max_amount: number } } }
  }
  const payout = await sandbox.makePayout({ amount: data.settings.payouts.max_amount + 8700 })
  await openPayout(page, payout)
  await page.keyboard.press('r')
  const decisionArea = getDecisionRegion(page)
  await expect(decisionArea).toContainText(
    'although no proof is on file and the payment is over the single-payment limit by $87.00.',
  )
  await page.keyboard.type('False')
  await page.keyboard.press('Control+Enter')
  for (const name of [
    missingProofText,
    'The payment is over the single-payment limit by $87.00.',
  ]) {
    await expect(getWarningCheckbox(page, name)).toBeFocused()
    expect(await sandbox.writes(payout.id)).toEqual([])
    await page.keyboard.press('Space')
    await page.keyboard.press('Control+Enter')
  }
  await expect(decisionArea.getByText('Awaiting approval', { exact: true })).toBeFocused()
  expect(await sandbox.writes(payout.id)).toEqual([])
  const approvalRequestId = (
    await decisionArea.getByRole('link', { name: 'Open the request' }).getAttribute('href')
  )?.match(/approvals\/([0-9a-f-]{36})/)?.[1]
  const reviewerPage = await signIn('reviewer')
  const approvePath = deskApiPath('sandbox', `/approvals/${approvalRequestId}/approve`)
  const approveResponse = await sendConfirmedRequest(reviewerPage.request, deskUrl, (headers) =>
    reviewerPage.request.post(approvePath, { headers: { origin: deskUrl, ...headers }, data: {} }),
  )
  expect(approveResponse.status()).toBe(200)
  await expect(decisionArea.getByText('Released', { exact: true })).toBeFocused()
  await expect(getTimelineList(page)).toContainText(
    'Warnings accepted: No proof is on file. The payment is over the single-payment limit by $87.00.',
  )
  expect(await sandbox.writes(payout.id)).toHaveLength(1)
})

test('a release waits until its checks are loaded, and an unreadable check requires a tick', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await sandbox.fault({
    operation: 'paykeys.get',
    match: payout.paykey,
    kind: 'delay',
    ms: 4000,
    at: 'before',
    count: null,
  })
  await goTo(page, `/sandbox/payouts/${payout.id}?account=${payout.account}&do=release`)
  const decision = getDecisionRegion(page)
  await expect(decision.getByRole('button', { name: /^Release \$\d/ })).toHaveAccessibleDescription(
    'The checks are still loading.',
  )
  await expect(getReleaseButton(page)).toBeEnabled()
  await expect(getWarningCheckbox(page, missingProofText)).toBeVisible()
})

test('a new warning stops the release, receives the focus and requires its own tick', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  // Creates its own customer, because the test deactivates it, and other tests need active
  // customers.
  const { id, name } = await makeCustomer(page, deskUrl)
  const payout = await sandbox.makePayout({ customer_id: id })
  await openPayout(page, payout)
  await fillRelease(page)
  const customerUpdateResponse = await page.request.put(
    serviceApiPath('sandbox', `/customers/${id}`, '', payout.account),
    {
      headers: {
        origin: deskUrl,
        'idempotency-key': `pdk_${payout.id.replaceAll('-', '')}`,
        'action-reason': encodeURIComponent('RISK_SIGNAL: a risk signal has to be reviewed first'),
      },
      data: { name, status: 'inactive' },
    },
  )
  expect(customerUpdateResponse.status()).toBe(200)
  await getReleaseButton(page).click()
  const addedWarningCheckbox = getWarningCheckbox(page, /The customer is inactive\.$/)
  await expect(addedWarningCheckbox).toBeFocused()
  await expect(getDecisionRegion(page).getByRole('alert')).toContainText(
    'Check each box to continue.',
  )
  await expect(getDecisionRegion(page)).toContainText('and the customer is inactive.')
  await expect(getDecisionRegion(page).getByLabel('Note', { exact: true })).toHaveValue(reasonText)
  expect(await sandbox.writes(payout.id)).toEqual([])
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(getDecisionRegion(page).getByText('Released', { exact: true })).toBeFocused()
})
