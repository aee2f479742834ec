import {
  type AccountWithHeaders,
  createTestCustomer,
  findAccountWithConfiguration,
  type TestCustomer,
} from './own-customer'
import type { SandboxClient } from './sandbox-client'
import type { SandboxEnvironment } from './start-process'

/**
 * A token for the hosted page on which a customer links a bank account, with the customer and the
 * account for which it was created.
 */
export type BridgeSession = { account: AccountWithHeaders; customer: TestCustomer; token: string }

/**
 * Creates a customer and a token for the hosted page. `overrides` are added to the body of
 * `POST /v1/bridge/initialize`. Throws Error if that request fails.
 */
export async function createBridgeSession(
  client: SandboxClient,
  overrides: Record<string, unknown> = {},
): Promise<BridgeSession> {
  const account = await findAccountWithConfiguration(client)
  const customer = await createTestCustomer(client, account)
  const initializeResponse = await client.post(
    '/v1/bridge/initialize',
    { customer_id: customer.id, ...overrides },
    account.headers,
  )
  if (initializeResponse.status !== 201)
    throw new Error(`${initializeResponse.status} ${initializeResponse.text}`)
  return {
    account,
    customer,
    token: (initializeResponse.json.data as { bridge_token: string }).bridge_token,
  }
}

/**
 * Requests the hosted page as an iframe does. `origin` is the origin of the page with the iframe;
 * the URL of the hosted page contains it.
 */
export const requestBridgePage = (
  { url, fetch }: SandboxEnvironment,
  token: string,
  origin: string | undefined,
  headers: Record<string, string> = {},
) =>
  fetch(`${url}/bridge?${new URLSearchParams({ token, ...(origin && { origin }) })}`, {
    headers: { 'sec-fetch-dest': 'iframe', ...headers },
  })

/**
 * Sends the chosen bank account to the sandbox, as the hosted page does. `headers` override the
 * headers that the page sends.
 */
export async function sendBankChoice(
  { url, fetch }: SandboxEnvironment,
  token: string,
  choice: unknown,
  headers: Record<string, string> = {},
): Promise<{
  status: number
  json: { data?: Record<string, unknown>; error?: Record<string, unknown> }
}> {
  const pageHeaders = {
    origin: url,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  }
  const response = await fetch(`${url}/bridge/paykeys`, {
    method: 'POST',
    body: JSON.stringify(choice),
    headers: { ...pageHeaders, ...headers },
  })
  return { status: response.status, json: await response.json() }
}
