import {
  addLimitedPerson,
  bankAccountInput,
  buildCustomerBody,
  buildRepresentativeBody,
  type CreatedObject,
  createViaDesk,
  listActiveAccounts,
} from './objects'
import { type Person, signIn } from './person'
import type { WholeDesk } from './whole-desk'

export type HiddenDesk = Awaited<ReturnType<typeof startHiddenDesk>>

/**
 * Returns the id of one object per resource in an account. Creates or finds the objects. Reads each in its account, so that Paydesk records
 * which account owns it.
 */
async function findOrCreateObjects({ sandbox }: WholeDesk, admin: Person, accountId: string): Promise<Record<string, string>> {
  const account = `acct_${accountId}`
  const readObject = <T>(where: string) => admin.get<T>(`/api/sandbox/v1/${where}`)
  const findFirstId = async (list: string) => (await readObject<CreatedObject[]>(list)).body.data?.[0]?.id ?? ''
  const { made: customer } = await createViaDesk(admin, `/customers?account=${account}`, buildCustomerBody())
  const { made: paykey } = await createViaDesk(admin, `/bridge/bank_account?account=${account}`, bankAccountInput(customer.id))
  const { made: person } = await createViaDesk(admin, '/representatives', buildRepresentativeBody(accountId))
  const objects: Record<string, string> = {
    payouts: (await sandbox.makePayout({ account_id: accountId })).id,
    charges: await findFirstId(`payments?payment_type=charge&account=${account}&page_size=1`),
    customers: customer.id,
    paykeys: paykey.id,
    funding_events: await findFirstId(`funding_events?account=${account}&page_size=1`),
    accounts: accountId,
    account_settings: accountId,
    organizations: await findFirstId('organizations?page_size=1'),
    representatives: person.id,
    linked_bank_accounts: await findFirstId(`linked_bank_accounts?account_id=${accountId}&page_size=1`),
  }
  for (const [resource, id] of Object.entries(objects)) {
    const { status } = await readObject(`${resource}/${id}?account=${account}`)
    if (status !== 200) throw new Error(`${resource}/${id}: ${status}`)
  }
  return objects
}

/** Adds to a desk a person with the role admin in a single account, and the ids of objects in another account. */
export async function startHiddenDesk(desk: WholeDesk) {
  const admin = await signIn(desk.dashboard.url, 'admin')
  const [own = '', foreign = ''] = await listActiveAccounts(admin)
  await addLimitedPerson(desk.db, 'limited@paydesk.test', 'admin', own)
  const limitedPerson = await signIn(desk.dashboard.url, 'limited@paydesk.test')
  return { ...desk, admin, limited: limitedPerson, own, foreign, theirs: await findOrCreateObjects(desk, admin, foreign) }
}
