import {
  createLinkedBankAccount,
  makeAccount,
  makeRepresentative,
  type ServiceObject,
} from '@/tests/sandbox/make-account'
import { type AccountWithHeaders, createTestCustomer } from '@/tests/sandbox/own-customer'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'

/**
 * Test data for accepted requests: an account whose configuration allows unmasking, its verified
 * customer, and a second account without objects.
 */
export type OperationTestContext = {
  client: SandboxClient
  account: AccountWithHeaders
  customer: string
  other: AccountWithHeaders
}

/**
 * Parts of an accepted request: the id of the object in the path, body and headers. Each test
 * creates its own, so that no two tests change the same object.
 */
export type HappyCall = {
  id?: string
  body?: Record<string, unknown>
  headers?: Record<string, string>
}

export type CallMaker = (testContext: OperationTestContext) => Promise<HappyCall>

const toAccountWithHeaders = (client: SandboxClient, id: string): AccountWithHeaders => ({
  id,
  headers: client.accountHeaders(id),
})

export const allowUnmask = (client: SandboxClient, account_id: string): Promise<unknown> =>
  client.control('configuration', { account_id, allow_data_unmask: true })

export async function makeUnmaskableAccount(client: SandboxClient): Promise<ServiceObject> {
  const account = await makeAccount(client)
  await makeRepresentative(client, account.id)
  await createLinkedBankAccount(client, account.id)
  await allowUnmask(client, account.id)
  return account
}

export async function openTestContext(client: SandboxClient): Promise<OperationTestContext> {
  const account = toAccountWithHeaders(client, (await makeUnmaskableAccount(client)).id)
  const otherAccount = toAccountWithHeaders(client, (await makeAccount(client)).id)
  const customer = await createTestCustomer(client, account, {
    config: { sandbox_outcome: 'verified' },
  })
  return { client, account, other: otherAccount, customer: customer.id }
}
