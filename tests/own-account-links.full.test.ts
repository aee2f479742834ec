import { afterAll, beforeAll, expect, test } from 'vitest'
import { newRecordPath, recordPath } from '@/lib/routes'
import { type Person, signIn } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let limitedPerson: Person
let ownPayout: MadePayout
let secondPayout: MadePayout
let foreignPayout: MadePayout
/** Unique amounts: a page that contains one shows that payout. */
const [ownAmount, foreignAmount] = ['1,234.51', '9,876.54']

const pageScope = { environment: 'sandbox', scope: null }
const buildLink = (payout: MadePayout, account: string, scope: string | null = null) =>
  recordPath({ ...pageScope, scope }, 'payouts', payout.id, { account })

beforeAll(async () => {
  desk = await startWholeDesk({ mirror: true })
  const { body } = await desk.operator.get<{ id: string }[]>('/api/sandbox/v1/accounts')
  const [first, other, third] = body.data ?? []
  const makePayout = (account_id: string | undefined, amount: number) => desk.sandbox.makePayout({ account_id, amount })
  ;[ownPayout, secondPayout, foreignPayout] = [
    await makePayout(first?.id, 123_451),
    await makePayout(other?.id, 10_000),
    await makePayout(third?.id, 987_654),
  ]
  await desk.db.query(
    `with person as (
       insert into people (email, name, password_hash, demo)
       select 'limited@paydesk.test', 'Lea Limited', password_hash, true from people where email = 'operator@paydesk.test' returning id)
     insert into grants (person_id, role, environment, account_id)
     select id, 'operator', 'sandbox', account from person, unnest($1::uuid[]) account`,
    [[first?.id, other?.id]],
  )
  limitedPerson = await signIn(desk.dashboard.url, 'limited@paydesk.test')
})
afterAll(() => desk?.stop())

const fetchPage = async (person: Person, path: string) => (await person.send(path)).text()

test('a link with the record’s account opens the record in any scope', async () => {
  for (const path of [buildLink(ownPayout, ownPayout.account), buildLink(ownPayout, ownPayout.account, secondPayout.account)]) {
    expect(await fetchPage(limitedPerson, path), path).toContain(ownAmount)
  }
})

test.each([
  ['as the record’s own', () => buildLink(foreignPayout, foreignPayout.account)],
  ['as the record’s own, within a scope of theirs', () => buildLink(foreignPayout, foreignPayout.account, ownPayout.account)],
  ['as the scope', () => recordPath({ ...pageScope, scope: foreignPayout.account }, 'payouts', foreignPayout.id)],
  ['as the scope, with a record of theirs', () => buildLink(ownPayout, ownPayout.account, foreignPayout.account)],
  ['of a form', () => newRecordPath(pageScope, 'payouts', { account: foreignPayout.account })],
])('a foreign account, given %s, is refused, and its data is not requested', async (_, path) => {
  const seqBefore = await desk.sandbox.lastSeq()
  const html = await fetchPage(limitedPerson, path())
  expect(html).toContain('No access to this account')
  expect(html).not.toContain(foreignAmount)
  const headers = (await desk.sandbox.requests(seqBefore)).map((request) => request.account_header)
  expect(headers).not.toContain(foreignPayout.account)
})

test('a foreign record is not found in an own account', async () => {
  const html = await fetchPage(limitedPerson, buildLink(foreignPayout, ownPayout.account))
  expect(html).not.toContain(foreignAmount)
})

test('a record opens in its known account, and the scope of the link stays', async () => {
  await desk.operator.get(`/api/sandbox/v1/payouts/${ownPayout.id}?account=${ownPayout.account}`)
  const before = await desk.sandbox.lastSeq()
  const html = await fetchPage(desk.operator, recordPath({ ...pageScope, scope: secondPayout.account }, 'payouts', ownPayout.id))
  expect(html).toContain(ownAmount)
  expect(html).toContain('outside the selected account')
  // No request was needed, because the mirror already has the record with its account.
  expect((await desk.sandbox.requests(before)).filter(({ path }) => path.includes(ownPayout.id))).toEqual([])
})

test.each([
  ['a word', 'of=nobody'],
  ['half an id', 'of=acct_1'],
  ['a word as the scope', 'account=nobody'],
  ['a very long text', `of=${'a'.repeat(5000)}`],
  ['a way out of the path', 'of=acct_..%2F..%2Fx'],
])('%s is not an account and leads to “Page not found”', async (_, search) => {
  const answer = await desk.operator.send(`/sandbox/payouts/${ownPayout.id}?${search}`)
  expect(await answer.text()).toContain('Page not found')
})
