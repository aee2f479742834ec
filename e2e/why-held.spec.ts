import type { Locator, Page } from '@playwright/test'
import { serviceApiPath } from '@/lib/routes'
import { makeAccountWithCustomer } from './customer'
import { getTimelineList, openPayment, openPayoutList } from './desk'
import { expect, test } from './fixtures'
import { getQueueRows, openHome } from './home'
import { reasonHeader } from './reason'
import type { MadePayment, Sandbox } from './sandbox'

test('a held payout has release checks, and a paid one has none', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const paidPayout = await sandbox.makePayout({ status: 'paid' })
  const heldPayout = await sandbox.makePayout({
    reason: 'auto_hold',
    source: 'watchtower',
    message: 'Ask Ann first',
  })
  const page = await signIn('operator')
  await openPayment(page, paidPayout)
  await expect(page.getByRole('list', { name: 'Checks' })).toHaveCount(0)
  await expect(page.getByRole('article')).not.toContainText('Not on hold')
  await openPayment(page, heldPayout)
  await expect(page.getByRole('list', { name: 'Checks' })).toContainText(
    'On hold, so it can be released.',
  )
  await expect(page.getByRole('article')).toContainText(
    'by its creator: Held by a user at creation: “Ask Ann first”',
  )
  await expect(page.getByRole('article')).not.toContainText('risk engine')
  await expect(getTimelineList(page).getByRole('listitem').first()).toContainText(
    'its creator · provider’s record',
  )
})

type PayoutLimits = { max_amount: number; daily_amount: number }
type AccountWithLimits = { id: string; settings: { payouts: PayoutLimits } }

/**
 * A payment date that only these payouts have. The lists are filtered by it, so that they show no
 * other payouts.
 */
const paymentDate = '2031-05-05'

/**
 * Creates held payouts in a new account. Returns each with the text of its reason that Paydesk must
 * show. These reasons follow from other objects too, such as the paykey and the limits of the
 * account.
 */
async function createHeldPayouts(
  page: Page,
  deskUrl: string,
  sandbox: Sandbox,
): Promise<{ account: string; holds: [MadePayment, string][] }> {
  const { account, customer } = await makeAccountWithCustomer(page, deskUrl)
  const response = await page.request.get(
    serviceApiPath('sandbox', `/accounts/${account.replace('acct_', '')}`, ''),
  )
  const { settings } = ((await response.json()) as { data: AccountWithLimits }).data
  const { max_amount: max, daily_amount: daily } = settings.payouts
  const makePayout = (overrides: object) =>
    sandbox.makePayout({ customer_id: customer.id, payment_date: paymentDate, ...overrides })
  for (let sum = max; sum <= daily; sum += max) await makePayout({ status: 'paid', amount: max })
  const watchtowerHoldFields = {
    reason: 'watchtower_review',
    source: 'watchtower',
    message: 'Waits',
  }
  const tooLargeHoldFields = {
    reason: 'amount_too_large',
    source: 'watchtower',
    message: 'Over a limit',
  }
  const holdMessage = 'First payout to a new vendor: check the contract before release'
  return {
    account,
    holds: [
      [
        await makePayout({ ...watchtowerHoldFields, paykey_status: 'review' }),
        'Bank account awaiting review',
      ],
      [
        await makePayout({
          ...watchtowerHoldFields,
          reason: 'invalid_paykey',
          paykey_status: 'blocked',
        }),
        'Bank account blocked after a return (R29)',
      ],
      [
        await makePayout({ ...tooLargeHoldFields, amount: max + 8700 }),
        'Over the single-payment limit by $87.00',
      ],
      [
        await makePayout({ ...tooLargeHoldFields, amount: (daily % max) + 4200 }),
        'Over the daily limit by $42.00 (our estimate)',
      ],
      [
        await makePayout({ reason: 'auto_hold', source: 'watchtower', message: holdMessage }),
        `Held by a user at creation: “${holdMessage}”`,
      ],
    ],
  }
}

const getPayoutRow = (page: Page, { id }: Pick<MadePayment, 'id'>): Locator =>
  page.locator(`[data-row="${id}"]`)

const measureTextFit = (text: Locator) =>
  text.evaluate((element) => {
    const cell = element.closest('td') ?? element
    const lineCount = Math.round(
      element.getBoundingClientRect().height /
        Number.parseFloat(getComputedStyle(element).lineHeight),
    )
    const isFullyVisible =
      element.scrollWidth <= element.clientWidth + 1 && cell.scrollWidth <= cell.clientWidth + 1
    return { whole: isFullyVisible, lines: lineCount }
  })

test('the list, the home page and the panel show the same reason', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { account, holds } = await createHeldPayouts(await signIn('admin'), deskUrl, sandbox)
  const page = await signIn('operator')
  await openHome(page, { account })
  for (const [made, reasonText] of holds) {
    await expect(
      getQueueRows(page, 'Held payouts').filter({
        has: page.getByRole('link', { name: made.id.slice(-6) }),
      }),
    ).toContainText(reasonText)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  const accountFilters: Record<string, string>[] = [{ account }, {}]
  for (const scope of accountFilters) {
    await openPayoutList(page, {
      ...scope,
      min_payment_date: paymentDate,
      max_payment_date: paymentDate,
    })
    for (const [made, line] of holds) {
      const shownHoldReason = getPayoutRow(page, made).getByText(line, { exact: true })
      await expect(shownHoldReason).toBeVisible()
      const { whole, lines } = await measureTextFit(shownHoldReason)
      expect([line, whole]).toEqual([line, true])
      expect(lines, line).toBeLessThanOrEqual(2)
    }
  }
  for (const [made, line] of holds) {
    await getPayoutRow(page, made).getByRole('link').first().click()
    await expect(
      page.getByRole('article', { name: 'Payout' }).getByText(line, { exact: true }),
    ).toBeVisible()
    await expect(getPayoutRow(page, made).getByText(line, { exact: true })).toBeVisible()
  }
  await page.setViewportSize({ width: 390, height: 800 })
  await openPayoutList(page, {
    account,
    min_payment_date: paymentDate,
    max_payment_date: paymentDate,
  })
  for (const [made, line] of holds) {
    const holdReasonElement = getPayoutRow(page, made).getByText(line, { exact: true })
    await expect(holdReasonElement).toBeVisible()
    expect((await measureTextFit(holdReasonElement)).whole, line).toBe(true)
  }
})

test('a reason that the panel updates appears in the row too', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout({
    reason: 'amount_too_large',
    source: 'watchtower',
    amount: 100,
    paykey_status: 'review',
  })
  const page = await signIn('operator')
  await openPayoutList(page, { account: payout.account, search_text: payout.externalId })
  await expect(getPayoutRow(page, payout)).toContainText('Bank account awaiting review')
  const reviewerPage = await signIn('reviewer')
  const sendPaykeyDecision = (confirmedWarnings: string) =>
    reviewerPage.request.patch(
      serviceApiPath('sandbox', `/paykeys/${payout.paykey}/review`, '', payout.account),
      {
        headers: {
          ...{
            origin: new URL(page.url()).origin,
            ...reasonHeader,
            'action-warnings': confirmedWarnings,
          },
          'idempotency-key': `pdk_${payout.paykey.replaceAll('-', '')}`,
        },
        data: { status: 'active' },
      },
    )
  const { error } = (await (await sendPaykeyDecision('')).json()) as {
    error: { items: { reference: string }[] }
  }
  const decisionResponse = await sendPaykeyDecision(
    error.items.map(({ reference }) => reference.replace('warnings.', '')).join(','),
  )
  expect(decisionResponse.status(), await decisionResponse.text()).toBe(200)
  await getPayoutRow(page, payout).getByRole('link').first().click()
  const holdReasonLine = 'Over a limit of the account'
  await expect(
    page.getByRole('article', { name: 'Payout' }).getByText(holdReasonLine, { exact: true }),
  ).toBeVisible()
  await expect(getPayoutRow(page, payout).getByText(holdReasonLine, { exact: true })).toBeVisible()
})

test('a long reason takes two lines in the list of all payments', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout({
    message: 'The contract has to be checked by the vendor team and by legal before it is released',
  })
  const page = await signIn('operator')
  await openPayoutList(page, {
    account: payout.account,
    search_text: payout.externalId,
    tab: 'all',
  })
  await expect(getPayoutRow(page, payout).getByText(/^Held by a user: /)).toBeVisible()
  expect((await getPayoutRow(page, payout).boundingBox())?.height).toBeLessThan(48)
})

test('the list and the home page count the age of a hold from its start', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  type PaymentRow = { id: string; created_at: string; status_details: { changed_at: string } }
  const heldPayoutsQuery =
    'payment_type=payout&payment_status=on_hold&status_reason=user_request&sort_by=payment_date&sort_order=asc&page_size=50'
  const paymentsResponse = await page.request.get(
    serviceApiPath('sandbox', '/payments', heldPayoutsQuery),
  )
  const seededPayout = ((await paymentsResponse.json()) as { data: PaymentRow[] }).data.find(
    (row) => row.status_details.changed_at !== row.created_at,
  )
  const heldAt = seededPayout?.status_details.changed_at ?? ''
  await openPayoutList(page, { payment_id: seededPayout?.id ?? '' })
  const heldAgeText = getPayoutRow(page, { id: seededPayout?.id ?? '' }).getByText(
    /^held \d+ (?:s|min|h|d)$/,
  )
  await expect(heldAgeText.locator('time')).toHaveAttribute('datetime', heldAt)
})
