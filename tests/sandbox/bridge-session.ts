import { accountWith, type ConfiguredAccount, type OwnCustomer, ownCustomer } from './own-customer'
import type { SandboxClient } from './sandbox-client'
import type { World } from './start-process'

/** A token for the hosted page, with the customer and account it is for. */
export type BridgeSession = { account: ConfiguredAccount; customer: OwnCustomer; token: string }

/**
 * Creates a customer and a token for the hosted page. `overrides` are fields of `POST /v1/bridge/initialize`. Throws Error if that request
 * fails.
 */
export async function bridgeSession(client: SandboxClient, overrides: Record<string, unknown> = {}): Promise<BridgeSession> {
  const account = await accountWith(client)
  const customer = await ownCustomer(client, account)
  const answer = await client.post('/v1/bridge/initialize', { customer_id: customer.id, ...overrides }, account.headers)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return { account, customer, token: (answer.json.data as { bridge_token: string }).bridge_token }
}

/** Requests the hosted page as a frame. `origin` is the framing origin in the page's URL. */
export const openBridge = ({ url, fetch }: World, token: string, origin: string | undefined, headers: Record<string, string> = {}) =>
  fetch(`${url}/bridge?${new URLSearchParams({ token, ...(origin && { origin }) })}`, {
    headers: { 'sec-fetch-dest': 'iframe', ...headers },
  })

/** Sends a choice as the hosted page does. `headers` override the page's own. */
export async function chooseOnPage(
  { url, fetch }: World,
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
