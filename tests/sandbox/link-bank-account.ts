import type { AccountWithHeaders } from './own-customer'
import type { SandboxClient, SandboxResponse } from './sandbox-client'

export type LinkedPaykey = Record<string, unknown> & {
  id: string
  status: string
  paykey: string
  status_details: Record<string, unknown>
  bank_data: Record<string, unknown>
  balance: { status: string; account_balance: number | null; updated_at: string | null }
  unblock_eligible: boolean | null
}

let accountNumberCount = 0

/** Returns an account number that no other test uses. */
export const createAccountNumber = (): string =>
  `77${process.pid}${String(++accountNumberCount).padStart(4, '0')}`

/** Returns a valid body for linking a bank account; `overrides` replace its fields. */
export const buildBankAccountBody = (
  customerId: string,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> => ({
  customer_id: customerId,
  routing_number: '021000021',
  account_number: createAccountNumber(),
  account_type: 'checking',
  ...overrides,
})

export const sendLinkRequest = (
  client: SandboxClient,
  account: AccountWithHeaders,
  body: Record<string, unknown>,
): Promise<SandboxResponse> => client.post('/v1/bridge/bank_account', body, account.headers)

/**
 * Links a bank account by its numbers and returns the paykey. Throws Error unless the status is
 * 201.
 */
export async function linkBankAccount(
  client: SandboxClient,
  account: AccountWithHeaders,
  customerId: string,
  overrides: Record<string, unknown> = {},
): Promise<LinkedPaykey> {
  const response = await sendLinkRequest(
    client,
    account,
    buildBankAccountBody(customerId, overrides),
  )
  if (response.status !== 201) throw new Error(`${response.status} ${response.text}`)
  return response.json.data as LinkedPaykey
}

/**
 * Links a bank account by a token of Plaid (an aggregator) and returns the paykey. Throws Error
 * unless the status is 201.
 */
export async function linkByPlaid(
  client: SandboxClient,
  account: AccountWithHeaders,
  customerId: string,
  overrides: Record<string, unknown> = {},
): Promise<LinkedPaykey> {
  const plaidLinkBody = {
    customer_id: customerId,
    plaid_token: `processor-sandbox-${createAccountNumber()}`,
    ...overrides,
  }
  const plaidResponse = await client.post('/v1/bridge/plaid', plaidLinkBody, account.headers)
  if (plaidResponse.status !== 201) throw new Error(`${plaidResponse.status} ${plaidResponse.text}`)
  return plaidResponse.json.data as LinkedPaykey
}
