import type { SandboxClient } from './sandbox-client'
import { today } from './test-time'

/** A test's own paykey with a verified customer: its account, the account header, and the full token. */
export type OwnPaykey = { id: string; token: string; account_id: string; customer_id: string; headers: Record<string, string> }

type Unmasked = { paykey: string; paykey_details: { id: string; customer_id: string } }

/** Makes a paykey in an account that allows unmasking; `overrides` are control plane fields of the payout created with it. */
export async function ownPaykey(client: SandboxClient, overrides: Record<string, unknown> = {}): Promise<OwnPaykey> {
  const payout = await client.payout({ status: 'cancelled', ...overrides })
  const { paykey, paykey_details } = (await client.ask(`/v1/payouts/${payout.id}/unmask`)).json.data as Unmasked
  const headers = client.accountHeaders(payout.account_id)
  return { id: paykey_details.id, token: paykey, account_id: payout.account_id, customer_id: paykey_details.customer_id, headers }
}

let count = 0

/** Returns a valid body of a payout; `overrides` replace its fields. References are unique. */
export const payoutBody = (token: string, overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  paykey: token,
  description: 'Commission for October',
  amount: 12_345,
  currency: 'USD',
  payment_date: today(),
  device: { ip_address: '198.51.100.23' },
  external_id: `own-${process.pid}-${++count}`,
  ...overrides,
})

export const chargeBody = (token: string, overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...payoutBody(token),
  consent_type: 'internet',
  config: { balance_check: 'disabled' },
  ...overrides,
})
