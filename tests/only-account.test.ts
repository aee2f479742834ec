import { afterAll, beforeAll, expect, test } from 'vitest'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { type Person, signIn } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let payout: MadePayout
let onePerson: Person
let twoPerson: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  const { sandbox, db, dashboard, operator } = testStack
  payout = await sandbox.makePayout()
  // Reads the payout, so that lists contain it.
  await operator.get(`/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`)
  const ownAccount = payout.account.slice(5)
  const otherAccount =
    (await listActiveAccounts(operator)).find((account) => account !== ownAccount) ?? ''
  await addLimitedPerson(db, 'one@paydesk.test', 'admin', ownAccount)
  await addLimitedPerson(db, 'two@paydesk.test', 'operator', ownAccount)
  await db.query(
    `insert into grants (person_id, role, environment, account_id)
     select id, 'operator', 'sandbox', $1::uuid from people where email = 'two@paydesk.test'`,
    [otherAccount],
  )
  onePerson = await signIn(dashboard.url, 'one@paydesk.test')
  twoPerson = await signIn(dashboard.url, 'two@paydesk.test')
})
afterAll(() => testStack?.stop())

const openPage = async (person: Person, path: string) =>
  (await person.send(`/sandbox${path}`)).text()

const listPaths = [
  '/payouts',
  '/charges',
  '/payments',
  '/customers',
  '/paykeys',
  '/funding-events',
  '/deletions',
  '/limits',
  '/accounts',
  '/representatives',
  '/linked-bank-accounts',
]

test.each(listPaths)('%s shows the only account of a person, without a choice', async (path) => {
  expect(await openPage(onePerson, path)).not.toContain('Choose an account')
  expect(await openPage(twoPerson, path)).toContain('Choose an account')
})

test('the list contains the rows of the only account', async () => {
  await waitUntil('the payout in the list', async () =>
    (await openPage(onePerson, `/payments?payment_id=${payout.id}`)).includes(payout.id)
      ? true
      : null,
  )
})

test('the sidebar leads an admin of one account to no page that refuses them', async () => {
  const html = await openPage(onePerson, '/payouts')
  expect(html).toContain('href="/sandbox/audit"')
  for (const path of ['/webhooks', '/people', '/policies', '/settings'])
    expect(html).not.toContain(`href="/sandbox${path}"`)
})
