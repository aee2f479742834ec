import { linkBankAccount, makeAccount, makeRepresentative, type ServiceObject } from '@/tests/sandbox/make-account'
import { type ConfiguredAccount, createOwnCustomer } from '@/tests/sandbox/own-customer'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'

/** Test data for accepted requests: an account that may unmask, its verified customer, and a second account without objects. */
export type OperationTestContext = { client: SandboxClient; account: ConfiguredAccount; customer: string; other: ConfiguredAccount }

/**
 * Parts of an accepted request: id of the object in the path, body, headers, and whether it sends a file. Created for each request, so that
 * requests do not share objects.
 */
export type HappyCall = { id?: string; body?: Record<string, unknown>; headers?: Record<string, string>; file?: true }

export type MakeCall = (stage: OperationTestContext) => Promise<HappyCall>

const toConfiguredAccount = (client: SandboxClient, id: string): ConfiguredAccount => ({ id, headers: client.accountHeaders(id) })

export const allowUnmask = (client: SandboxClient, account_id: string): Promise<unknown> =>
  client.control('configuration', { account_id, allow_data_unmask: true })

export async function completeAccount(client: SandboxClient): Promise<ServiceObject> {
  const account = await makeAccount(client)
  await makeRepresentative(client, account.id)
  await linkBankAccount(client, account.id)
  await allowUnmask(client, account.id)
  return account
}

export async function openTestContext(client: SandboxClient): Promise<OperationTestContext> {
  const account = toConfiguredAccount(client, (await completeAccount(client)).id)
  const other = toConfiguredAccount(client, (await makeAccount(client)).id)
  const customer = await createOwnCustomer(client, account, { config: { sandbox_outcome: 'verified' } })
  return { client, account, other, customer: customer.id }
}
