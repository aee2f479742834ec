import { linkBankAccount, makeAccount, makeRepresentative, type Thing } from '@/sandbox/testing/make-account'
import { type ConfiguredAccount, ownCustomer } from '@/sandbox/testing/own-customer'
import type { SandboxClient } from '@/sandbox/testing/sandbox-client'

/** Where accepted requests are made: an account that may unmask, a verified customer of it, and an account that has nothing. */
export type Stage = { client: SandboxClient; account: ConfiguredAccount; customer: string; other: ConfiguredAccount }

/** What an accepted request needs: the object in its path, its JSON body, the account in its header. Everything is made again for each. */
export type HappyCall = { id?: string; body?: Record<string, unknown>; headers?: Record<string, string>; file?: true }

export type MakeCall = (stage: Stage) => Promise<HappyCall>

const named = (client: SandboxClient, id: string): ConfiguredAccount => ({ id, headers: client.accountHeaders(id) })

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

export async function openStage(client: SandboxClient): Promise<Stage> {
  const account = named(client, (await completeAccount(client)).id)
  const other = named(client, (await makeAccount(client)).id)
  const customer = await ownCustomer(client, account, { config: { sandbox_outcome: 'verified' } })
  return { client, account, other, customer: customer.id }
}
