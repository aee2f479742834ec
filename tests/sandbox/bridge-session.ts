import { type ConfiguredAccount, createOwnCustomer, findAccountWith, type OwnCustomer } from './own-customer'
import type { SandboxClient } from './sandbox-client'
import type { SandboxEnvironment } from './start-process'

/** A token for the hosted page, with the customer and account it is for. */
export type BridgeSession = { account: ConfiguredAccount; customer: OwnCustomer; token: string }

/**
 * Creates a customer and a token for the hosted page. `overrides` are fields of `POST /v1/bridge/initialize`. Throws Error if that request
 * fails.
 */
export async function createBridgeSession(client: SandboxClient, overrides: Record<string, unknown> = {}): Promise<BridgeSession> {
  const account = await findAccountWith(client)
  const customer = await createOwnCustomer(client, account)
  const answer = await client.post('/v1/bridge/initialize', { customer_id: customer.id, ...overrides }, account.headers)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return { account, customer, token: (answer.json.data as { bridge_token: string }).bridge_token }
}

/** Requests the hosted page as a frame. `origin` is the framing origin in the page's URL. */
export const openBridge = (
  { url, fetch }: SandboxEnvironment,
  token: string,
  origin: string | undefined,
  headers: Record<string, string> = {},
) =>
  fetch(`${url}/bridge?${new URLSearchParams({ token, ...(origin && { origin }) })}`, {
    headers: { 'sec-fetch-dest': 'iframe', ...headers },
  })

/** Sends a choice as the hosted page does. `headers` override the page's own. */
export async function chooseOnPage(
  { url, fetch }: SandboxEnvironment,
  token: string,
  choice: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: { data?: Record<string, unknown>; error?: Record<string, unknown> } }> {
  const pageHeaders = { origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/bridge/paykeys`, {
    method: 'POST',
    body: JSON.stringify(choice),
    headers: { ...pageHeaders, ...headers },
  })
  return { status: response.status, json: await response.json() }
}
