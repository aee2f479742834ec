import type { Locator, Page } from '@playwright/test'
import { makeAccountWithCustomer } from './customer'
import { getDecisionRegion } from './desk'
import type { MadePayment, Sandbox } from './sandbox'

export const getRecordHeading = (page: Page, name: string): Locator =>
  page.getByRole('article').getByRole('heading', { name, level: 2 })
export const getNextButton = (page: Page): Locator =>
  getDecisionRegion(page).getByRole('button', { name: /^Next: / })

const formatDollars = (cents: number) => (cents / 100).toFixed(2)

type PayoutOverrides = Parameters<Sandbox['makePayout']>[0]

/**
 * Creates held payouts with different amounts in a new account. Returns them and their amounts,
 * oldest first.
 */
export async function createHeldPayouts(
  makerPage: Page,
  deskUrl: string,
  sandbox: Sandbox,
  count: number,
  overrides: PayoutOverrides = {},
) {
  const { customer, account } = await makeAccountWithCustomer(makerPage, deskUrl)
  const payouts: MadePayment[] = []
  for (let at = 0; at < count; at += 1)
    payouts.push(
      await sandbox.makePayout({
        ...overrides,
        customer_id: customer.id,
        amount: 1_100 + 100 * at,
      }),
    )
  const payoutAmountTexts = payouts.map((_, at) => formatDollars(1_100 + 100 * at))
  return {
    payouts,
    amounts: payoutAmountTexts,
    account,
    customer: customer.name,
    customerId: customer.id,
  }
}
