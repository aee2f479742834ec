import {
  addLimitedPerson,
  buildBankAccountInput,
  buildCustomerBody,
  buildRepresentativeBody,
  type CreatedObject,
  createObjectViaDesk,
  listActiveAccounts,
} from './objects'
import { type Person, signIn } from './person'
import type { WholeDesk } from './whole-desk'

export type DeskWithHiddenAccount = Awaited<ReturnType<typeof startDeskWithHiddenAccount>>

/**
 * Returns the id of one object in an account for each resource. Creates the objects or takes
 * existing ones. Reads each object in the account, because Paydesk stores its account at that read.
 */
async function findOrCreateObjectIds(
  { sandbox }: WholeDesk,
  admin: Person,
  accountId: string,
): Promise<Record<string, string>> {
  const account = `acct_${accountId}`
  const readObject = <T>(apiPath: string) => admin.get<T>(`/api/sandbox/v1/${apiPath}`)
  const findFirstId = async (listPath: string) =>
    (await readObject<CreatedObject[]>(listPath)).body.data?.[0]?.id ?? ''
  const { made: customer } = await createObjectViaDesk(
    admin,
    `/customers?account=${account}`,
    buildCustomerBody(),
  )
  const { made: paykey } = await createObjectViaDesk(
    admin,
    `/bridge/bank_account?account=${account}`,
    buildBankAccountInput(customer.id),
  )
  const { made: person } = await createObjectViaDesk(
    admin,
    '/representatives',
    buildRepresentativeBody(accountId),
  )
  const idsByResource: Record<string, string> = {
    payouts: (await sandbox.makePayout({ account_id: accountId })).id,
    charges: await findFirstId(`payments?payment_type=charge&account=${account}&page_size=1`),
    customers: customer.id,
    paykeys: paykey.id,
    funding_events: await findFirstId(`funding_events?account=${account}&page_size=1`),
    accounts: accountId,
    account_settings: accountId,
    organizations: await findFirstId('organizations?page_size=1'),
    representatives: person.id,
    linked_bank_accounts: await findFirstId(
      `linked_bank_accounts?account_id=${accountId}&page_size=1`,
    ),
  }
  for (const [resource, id] of Object.entries(idsByResource)) {
    const { status } = await readObject(`${resource}/${id}?account=${account}`)
    if (status !== 200) throw new Error(`${resource}/${id}: ${status}`)
  }
  return idsByResource
}

/**
 * Prepares a running Paydesk for tests of hidden objects. `limited` is a person who is admin only
 * in the account `own`. `theirs` contains ids of objects in the account `foreign`.
 */
export async function startDeskWithHiddenAccount(testStack: WholeDesk) {
  const admin = await signIn(testStack.dashboard.url, 'admin')
  const [own = '', foreign = ''] = await listActiveAccounts(admin)
  await addLimitedPerson(testStack.db, 'limited@paydesk.test', 'admin', own)
  const limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
  return {
    ...testStack,
    admin,
    limited: limitedPerson,
    own,
    foreign,
    theirs: await findOrCreateObjectIds(testStack, admin, foreign),
  }
}
