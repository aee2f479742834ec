import { afterAll, beforeAll, expect, test } from 'vitest'
import { newRecordPath, recordPath } from '@/lib/routes'
import { type Person, signIn } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let limitedPerson: Person
let ownPayout: MadePayout
let secondPayout: MadePayout
let foreignPayout: MadePayout
/**
 * Amounts of `ownPayout` and `foreignPayout`. They are unique, so a page that contains one of them
 * shows that payout.
 */
const [ownAmount, foreignAmount] = ['1,234.51', '9,876.54']

const platformPageScope = { environment: 'sandbox', scope: null }
const buildPayoutLink = (payout: MadePayout, account: string, scope: string | null = null) =>
  recordPath({ ...platformPageScope, scope }, 'payouts', payout.id, { account })

beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true })
  const { body } = await testStack.operator.get<{ id: string }[]>('/api/sandbox/v1/accounts')
  const [firstAccount, secondAccount, thirdAccount] = body.data ?? []
  const makePayout = (account_id: string | undefined, amount: number) =>
    testStack.sandbox.makePayout({ account_id, amount })
  ;[ownPayout, secondPayout, foreignPayout] = [
    await makePayout(firstAccount?.id, 123_451),
    await makePayout(secondAccount?.id, 10_000),
    await makePayout(thirdAccount?.id, 987_654),
  ]
  await testStack.db.query(
    `with person as (
       insert into people (email, name, password_hash, demo)
       select 'limited@paydesk.test', 'Lea Limited', password_hash, true from people where email = 'operator@paydesk.test' returning id)
     insert into grants (person_id, role, environment, account_id)
     select id, 'operator', 'sandbox', account from person, unnest($1::uuid[]) account`,
    [[firstAccount?.id, secondAccount?.id]],
  )
  limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
})
afterAll(() => testStack?.stop())

const fetchPage = async (person: Person, path: string) => (await person.send(path)).text()

test('a link with the record’s account opens the record in any scope', async () => {
  for (const path of [
    buildPayoutLink(ownPayout, ownPayout.account),
    buildPayoutLink(ownPayout, ownPayout.account, secondPayout.account),
  ]) {
    expect(await fetchPage(limitedPerson, path), path).toContain(ownAmount)
  }
})

test.each([
  ['as the record’s own', () => buildPayoutLink(foreignPayout, foreignPayout.account)],
  [
    'as the record’s own, within a scope of theirs',
    () => buildPayoutLink(foreignPayout, foreignPayout.account, ownPayout.account),
  ],
  [
    'as the scope',
    () =>
      recordPath(
        { ...platformPageScope, scope: foreignPayout.account },
        'payouts',
        foreignPayout.id,
      ),
  ],
  [
    'as the scope, with a record of theirs',
    () => buildPayoutLink(ownPayout, ownPayout.account, foreignPayout.account),
  ],
  [
    'of a form',
    () => newRecordPath(platformPageScope, 'payouts', { account: foreignPayout.account }),
  ],
])('a foreign account, given %s, is refused, and its data is not requested', async (_, path) => {
  const seqBefore = await testStack.sandbox.lastSeq()
  const html = await fetchPage(limitedPerson, path())
  expect(html).toContain('No access to this account')
  expect(html).not.toContain(foreignAmount)
  const accountHeaders = (await testStack.sandbox.requests(seqBefore)).map(
    (request) => request.account_header,
  )
  expect(accountHeaders).not.toContain(foreignPayout.account)
})

test('a foreign record is not found in an own account', async () => {
  const html = await fetchPage(limitedPerson, buildPayoutLink(foreignPayout, ownPayout.account))
  expect(html).not.toContain(foreignAmount)
})

test('a record opens in its known account, and the scope of the link stays', async () => {
  await testStack.operator.get(
    `/api/sandbox/v1/payouts/${ownPayout.id}?account=${ownPayout.account}`,
  )
  const lastSeqBefore = await testStack.sandbox.lastSeq()
  const html = await fetchPage(
    testStack.operator,
    recordPath({ ...platformPageScope, scope: secondPayout.account }, 'payouts', ownPayout.id),
  )
  expect(html).toContain(ownAmount)
  expect(html).toContain('outside the selected account')
  // No request about the payout was needed, because the mirror (our copy of the service’s objects)
  // already contains it with its account.
  expect(
    (await testStack.sandbox.requests(lastSeqBefore)).filter(({ path }) =>
      path.includes(ownPayout.id),
    ),
  ).toEqual([])
})

test.each([
  ['a word', 'of=nobody'],
  ['half an id', 'of=acct_1'],
  ['a word as the scope', 'account=nobody'],
  ['a very long text', `of=${'a'.repeat(5000)}`],
  ['a way out of the path', 'of=acct_..%2F..%2Fx'],
])('%s is not an account and leads to “Page not found”', async (_, search) => {
  const payoutPageResponse = await testStack.operator.send(
    `/sandbox/payouts/${ownPayout.id}?${search}`,
  )
  expect(await payoutPageResponse.text()).toContain('Page not found')
})
