import type { SandboxClient } from './sandbox-client'
import { getPaymentDate } from './test-time'

/**
 * A paykey for one test, with its verified customer, its account, the account's headers and the
 * unmasked token.
 */
export type TestPaykey = {
  id: string
  token: string
  account_id: string
  customer_id: string
  headers: Record<string, string>
}

type UnmaskedPayout = { paykey: string; paykey_details: { id: string; customer_id: string } }

/**
 * Creates a paykey by creating a cancelled payout over the control plane, in an account that allows
 * unmasking. `overrides` are fields of this payout.
 */
export async function createTestPaykey(
  client: SandboxClient,
  overrides: Record<string, unknown> = {},
): Promise<TestPaykey> {
  const payout = await client.payout({ status: 'cancelled', ...overrides })
  const { paykey, paykey_details } = (await client.ask(`/v1/payouts/${payout.id}/unmask`)).json
    .data as UnmaskedPayout
  const headers = client.accountHeaders(payout.account_id)
  return {
    id: paykey_details.id,
    token: paykey,
    account_id: payout.account_id,
    customer_id: paykey_details.customer_id,
    headers,
  }
}

let externalIdCount = 0

/** Returns a valid payout body with a new reference. `overrides` replace its fields. */
export const buildPayoutBody = (
  token: string,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> => ({
  paykey: token,
  description: 'Commission for October',
  amount: 12_345,
  currency: 'USD',
  payment_date: getPaymentDate(),
  device: { ip_address: '198.51.100.23' },
  external_id: `own-${process.pid}-${++externalIdCount}`,
  ...overrides,
})

export const buildChargeBody = (
  token: string,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...buildPayoutBody(token),
  consent_type: 'internet',
  config: { balance_check: 'disabled' },
  ...overrides,
})
