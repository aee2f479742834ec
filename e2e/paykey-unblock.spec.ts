import type { Page } from '@playwright/test'
import { serviceApiPath } from '@/lib/routes'
import { getDecisionRegion, goTo } from './desk'
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
import { reasonHeader } from './reason'

type PaykeyAndAccount = { paykey: string; account: string }

/**
 * Creates a charge on a blocked paykey, and waits until the service has let it fail because of the
 * block. Returns the charge's id.
 */
async function createFailedCharge(
  page: Page,
  { paykey, account }: PaykeyAndAccount,
): Promise<string> {
  const chargeResponse = await page.request.post(
    serviceApiPath('sandbox', '/charges', '', account),
    {
      headers: {
        origin: new URL(page.url()).origin,
        ...reasonHeader,
        'idempotency-key': `e2e-${crypto.randomUUID().slice(0, 30)}`,
      },
      data: {
        paykey_id: paykey,
        amount: 4_200,
        currency: 'USD',
        description: 'Lost to the block',
        payment_date: new Date().toLocaleDateString('sv-SE', { timeZone: 'America/New_York' }),
        device: { ip_address: '0.0.0.0' },
        external_id: `lost-${crypto.randomUUID()}`,
        consent_type: 'internet',
        config: { balance_check: 'disabled' },
      },
    },
  )
  expect(chargeResponse.status(), await chargeResponse.text()).toBe(201)
  const { data } = (await chargeResponse.json()) as { data: { id: string } }
  await expect
    .poll(
      async () => (await fetchServiceData<{ status: string }>(page, `/charges/${data.id}`)).status,
    )
    .toBe('failed')
  return data.id
}

test('the only unblock checks conditions, ticks and typed digits, and then allows a resubmission', async ({
  signIn,
  sandbox,
}) => {
  const blockedPaykeyPayout = await sandbox.makePayout({ paykey_status: 'blocked', status: 'paid' })
  const paykey = { id: blockedPaykeyPayout.paykey, account: blockedPaykeyPayout.account }
  const page = await signIn('admin')
  await openPaykey(page, paykey)
  const chargeId = await createFailedCharge(page, blockedPaykeyPayout)
  const heldPayout = await sandbox.makePayout({
    paykey_id: blockedPaykeyPayout.paykey,
    amount: 258_700,
    reason: 'invalid_paykey',
    source: 'watchtower',
  })
  await page.reload()
  await openPaykey(page, paykey)
  await expect(page.getByText(/^Blocked after a return with R29/)).toBeVisible()
  const failedPaymentsPanel = getPanelByTitle(page, 'Failed with R29')
  await expect(
    failedPaymentsPanel.getByRole('button', { name: 'Resubmit…' }),
  ).toHaveAccessibleDescription(/would fail/)

  const decisionForm = await openAndFillDecision(
    page,
    'Unblock…',
    'Bank allow-listed our ACH company ID',
  )
  await expect(decisionForm.getByText('A paykey can be unblocked only once.')).toBeVisible()
  await expect(decisionForm.getByRole('list', { name: 'Checks' })).toContainText(
    'Eligible according to the service.',
  )
  await expect(decisionForm).toContainText('Expected: 1 stays on hold until it is released.')
  const { bank_data } = await fetchServiceData<{ bank_data: { account_number: string } }>(
    page,
    `/paykeys/${blockedPaykeyPayout.paykey}`,
  )
  const lastFourDigits = bank_data.account_number.slice(-4)
  const unblockButton = decisionForm.getByRole('button', { name: /^Unblock .*\d{4}$/ })
  await checkAllBoxes(decisionForm)
  await decisionForm.getByLabel('Type the last four digits of the account').fill('0000 ')
  await unblockButton.click()
  await expect(decisionForm).toContainText('Does not match yet')
  await expectAccessible(page)
  expect(await sandbox.writes(blockedPaykeyPayout.paykey)).toEqual([])

  await decisionForm.getByLabel('Type the last four digits of the account').fill(lastFourDigits)
  await unblockButton.click()
  await expect(decisionForm).toContainText(
    'One payment failed because of the block and can be resubmitted',
  )
  expect(await readPaykeyStatus(page, blockedPaykeyPayout.paykey)).toBe('active')
  expect(
    (await sandbox.journal(blockedPaykeyPayout.paykey)).map(({ operation }) => operation),
  ).toEqual(['paykeys.unblock'])
  await expect(
    page.getByText('Already unblocked in Paydesk. A paykey can be unblocked only once.'),
  ).toBeVisible()

  await expect(decisionForm.getByRole('link', { name: 'Resubmit…' })).toHaveAttribute(
    'href',
    new RegExp(`/charges/${chargeId}\\?.*do=resubmit`),
  )
  const heldPaymentItems = decisionForm
    .getByRole('list', { name: 'Payments still on hold' })
    .getByRole('listitem')
  await expect(heldPaymentItems).toContainText('Bank account active again')
  await expect(heldPaymentItems).toContainText(heldPayout.customer)
  await expect(heldPaymentItems).toContainText('2,587.00')
  await heldPaymentItems.getByRole('link', { name: 'Release held payout' }).click()
  await expect(page).toHaveURL(new RegExp(`/payouts/${heldPayout.id}`))
  await expect(getDecisionRegion(page)).toContainText(/Release \$2,587\.00/)
  await expect(getDecisionRegion(page).getByLabel('Reason', { exact: true })).toBeVisible()
})

test('a permanent block shows its reason and an alternative', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('reviewer')
  const blockedPaykeys = await fetchServiceData<{ id: string; status_details: { code: string } }[]>(
    page,
    '/paykeys',
    'unblock_eligible=false&page_size=50',
  )
  const closedAccountPaykey = blockedPaykeys.find(
    ({ status_details }) => status_details.code === 'R02',
  )
  expect(closedAccountPaykey, 'a paykey blocked by R02 among the seeded ones').toBeDefined()
  await goTo(page, `/sandbox/paykeys/${closedAccountPaykey?.id}`)
  const beginUnblockButton = getDecisionRegion(page).getByRole('button', { name: 'Unblock…' })
  await expect(beginUnblockButton).toHaveAccessibleDescription(
    /a block after R02 is permanent.*connect another bank account/,
  )
  await page.keyboard.press('u')
  await expect(getDecisionRegion(page).getByLabel('Reason', { exact: true })).toHaveCount(0)
})

test('a paykey is permanently canceled, and the service receives the reason', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ status: 'paid' })
  const page = await signIn('reviewer')
  await openPaykey(page, { id: payout.paykey, account: payout.account })
  const cancellationForm = await openAndFillDecision(
    page,
    'Cancel paykey…',
    'Bank account is closed',
  )
  await checkAllBoxes(cancellationForm)
  await cancellationForm.getByRole('button', { name: /^Cancel .*\d{4}$/ }).click()
  await expect(page.getByText(/^Permanently deactivated/)).toBeVisible()
  const { status, status_details } = await fetchServiceData<{
    status: string
    status_details: { message: string }
  }>(page, `/paykeys/${payout.paykey}`)
  expect([status, status_details.message]).toEqual([
    'inactive',
    expect.stringContaining('ACCOUNT_CLOSED'),
  ])
})
