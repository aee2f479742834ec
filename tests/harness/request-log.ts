import type { LoggedCall } from '@/lib/operations/activity'
import { addLimitedPerson, listActiveAccounts } from './objects'
import { type Person, signIn } from './person'
import { openSharedDesk } from './shared-desk'
import { waitUntil } from './wait-until'
import type { WholeDesk } from './whole-desk'

/**
 * A running Paydesk with an operator of the platform, and an operator who has a role in
 * `ownAccount` only.
 */
export type RequestLogDesk = {
  testStack: WholeDesk
  operator: Person
  limitedPerson: Person
  ownAccount: string
  otherAccount: string
}

export async function openRequestLogDesk(): Promise<RequestLogDesk> {
  const testStack = await openSharedDesk()
  const { operator } = testStack
  const [ownAccount = '', otherAccount = ''] = await listActiveAccounts(operator)
  await addLimitedPerson(testStack.db, 'lea@paydesk.test', 'operator', ownAccount)
  const limitedPerson = await signIn(testStack.dashboard.url, 'lea@paydesk.test')
  // Confirms the password once for all tests, because a confirmation is valid for minutes. A
  // confirmation during a test would add a request to the log that the test reads.
  await operator.decide('release', await testStack.sandbox.makePayout({ account_id: ownAccount }))
  return { testStack, operator, limitedPerson, ownAccount, otherAccount }
}

/** Reads the logged requests that a person can see, newest first. */
export const fetchRequestLog = (person: Person, query = '') =>
  person.get<LoggedCall[]>(`/api/sandbox/desk/requests?${query}`)

/** Waits until a person can see `count` logged requests about an object. Returns these requests. */
export const waitForRequests = (
  person: Person,
  target: string,
  count: number,
): Promise<LoggedCall[]> =>
  waitUntil(`${count} calls about ${target}`, async () => {
    const { body } = await fetchRequestLog(person, `target=${target}`)
    return body.data?.length === count ? body.data : null
  })
