import { linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { SandboxClient } from '@/tests/sandbox/sandbox-client'
import type { SandboxEnvironment } from '@/tests/sandbox/start-process'
import type { KnownObjects } from './known-objects'

const customerCount = 12

/**
 * Creates twelve customers with a paykey each, in two accounts, and adds them to `known`. Throws
 * Error if a request fails.
 */
export async function createInitialObjects(
  world: SandboxEnvironment,
  known: KnownObjects,
): Promise<void> {
  const client = new SandboxClient(world)
  const accounts = [
    await findAccountWithConfiguration(client, { allow_data_unmask: true }),
    await findAccountWithConfiguration(client, { allow_data_unmask: false }),
  ]
  for (let index = 0; index < customerCount; index++) {
    const account = accounts[index % accounts.length]
    if (!account) return
    const customer = await createTestCustomer(client, account)
    const paykey = await linkBankAccount(client, account, customer.id)
    known.learnObject('customers', account.id, customer)
    known.learnObject('paykeys', account.id, paykey)
  }
}
