import type { SandboxClient } from './sandbox-client'

/** Id of an account, and the headers that select it. */
export type AccountWithHeaders = { id: string; headers: Record<string, string> }

/**
 * Returns an active account whose configuration has these values. Throws Error if the seeded data
 * has none.
 */
export async function findAccountWithConfiguration(
  client: SandboxClient,
  configuration: Record<string, boolean> = {},
): Promise<AccountWithHeaders> {
  const accounts = (await client.ask('/v1/accounts?status=active')).json.data as { id: string }[]
  for (const { id } of accounts) {
    const settings = (await client.ask(`/v1/account_settings/${id}`)).json.data as {
      configuration: Record<string, boolean>
    }
    const isMatch = Object.entries(configuration).every(
      ([name, value]) => settings.configuration[name] === value,
    )
    if (isMatch) return { id, headers: client.accountHeaders(id) }
  }
  throw new Error(`no active account with ${JSON.stringify(configuration)}`)
}

let customerCount = 0

/** Returns a valid customer body with a new e-mail address. `overrides` replace its fields. */
export const buildCustomerBody = (
  overrides: Record<string, unknown> = {},
): Record<string, unknown> => ({
  name: 'Amara Okafor',
  type: 'individual',
  email: `amara.${process.pid}.${++customerCount}@example.org`,
  phone: '+15125550123',
  device: { ip_address: '198.51.100.23' },
  ...overrides,
})

export type TestCustomer = Record<string, unknown> & {
  id: string
  status: string
  updated_at: string
  email: string
}

/** Creates a customer in an account. Throws Error unless the status is 201. */
export async function createTestCustomer(
  client: SandboxClient,
  account: AccountWithHeaders,
  overrides: Record<string, unknown> = {},
): Promise<TestCustomer> {
  const response = await client.post('/v1/customers', buildCustomerBody(overrides), account.headers)
  if (response.status !== 201) throw new Error(`${response.status} ${response.text}`)
  return response.json.data as TestCustomer
}

type CustomerReview = {
  customer_details: TestCustomer
  identity_details: Record<string, unknown> & { messages: Record<string, string> }
}

export const readCustomerReview = async (
  client: SandboxClient,
  id: string,
): Promise<CustomerReview> =>
  (await client.ask(`/v1/customers/${id}/review`)).json.data as CustomerReview
