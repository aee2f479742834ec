import { expect } from 'vitest'
import { addLimitedPerson, listActiveAccounts } from './objects'
import { type Person, type Reply, signIn } from './person'
import type { Sandbox } from './sandbox'
import { openSharedDesk } from './shared-desk'
import type { WholeDesk } from './whole-desk'

export const apiPath = '/api/sandbox/v1'
const forbiddenReply = { status: 403, body: { error: { code: 'forbidden' } } }
export const notFoundReply = { status: 404, body: { error: { code: 'service_not_found' } } }

/**
 * A running Paydesk with an admin of the platform, and an operator who has a role in `ownAccount`
 * only.
 */
export type OwnAccountDesk = {
  testStack: WholeDesk
  admin: Person
  limitedPerson: Person
  ownAccount: string
  foreignAccount: string
}

export async function openOwnAccountDesk(): Promise<OwnAccountDesk> {
  const testStack = await openSharedDesk()
  const admin = await signIn(testStack.dashboard.url, 'admin')
  const [ownAccount = '', foreignAccount = ''] = await listActiveAccounts(admin)
  await addLimitedPerson(testStack.db, 'limited@paydesk.test', 'operator', ownAccount)
  const limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
  return { testStack, admin, limitedPerson, ownAccount, foreignAccount }
}

/**
 * Sends requests that must all be denied. Returns the method and path of each request that Paydesk
 * sent to the service meanwhile.
 */
export async function listRequestsSentDuring(
  sandbox: Sandbox,
  work: () => Promise<Reply<unknown>[]>,
  denial: object = forbiddenReply,
): Promise<string[]> {
  const seqBefore = await sandbox.lastSeq()
  for (const reply of await work()) expect(reply).toMatchObject(denial)
  return (await sandbox.requests(seqBefore)).map((row) => `${row.method} ${row.path}`)
}
