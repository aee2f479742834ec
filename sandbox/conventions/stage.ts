import { linkBankAccount, makeAccount, makeRepresentative, type Thing } from '@/sandbox/testing/make-account'
import { type ConfiguredAccount, ownCustomer } from '@/sandbox/testing/own-customer'
import type { SandboxClient } from '@/sandbox/testing/sandbox-client'

/** Where accepted requests are made: an account that may unmask, a verified customer of it, and an account that has nothing. */
export type Stage = { client: SandboxClient; account: ConfiguredAccount; customer: string; other: ConfiguredAccount }

const named = (id: string): ConfiguredAccount => ({ id, headers: { 'service-account-id': `acct_${id}` } })

/** Lets an account read unmasked values. */
export const allowUnmask = (client: SandboxClient, account_id: string): Promise<unknown> =>
  client.control('configuration', { account_id, allow_data_unmask: true })

/** A new account that is complete, and may unmask. */
export async function completeAccount(client: SandboxClient): Promise<Thing> {
  const account = await makeAccount(client)
  await makeRepresentative(client, account.id)
  await linkBankAccount(client, account.id)
  await allowUnmask(client, account.id)
  return account
}

/** Makes the stage. */
export async function openStage(client: SandboxClient): Promise<Stage> {
  const account = named((await completeAccount(client)).id)
  const other = named((await makeAccount(client)).id)
  const customer = await ownCustomer(client, account, { config: { sandbox_outcome: 'verified' } })
  return { client, account, other, customer: customer.id }
}
