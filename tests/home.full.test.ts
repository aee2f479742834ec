import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let limitedPerson: Person
let ownPayouts: [MadePayout, MadePayout]
let foreignPayout: MadePayout
let foreignAccountNames: string[]

type ListedAccount = { id: string; business_profile: { name: string } }

/**
 * Creates a payout with a date long past. It is thus the first in its queue for every person who
 * may see it.
 */
const makeOverduePayout = (account_id: string | undefined) =>
  testStack.sandbox.makePayout({ account_id, payment_date: '2020-01-02' })

beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true })
  const { body } = await testStack.operator.get<ListedAccount[]>('/api/sandbox/v1/accounts')
  const [first, second, third, ...others] = body.data ?? []
  ownPayouts = [await makeOverduePayout(first?.id), await makeOverduePayout(second?.id)]
  foreignPayout = await makeOverduePayout(third?.id)
  foreignAccountNames = others.map((account) => account.business_profile.name)
  await testStack.db.query(
    `with person as (
       insert into people (email, name, password_hash, demo)
       select 'limited@paydesk.test', 'Lea Limited', password_hash, true from people where email = 'operator@paydesk.test' returning id)
     insert into grants (person_id, role, environment, account_id)
     select id, 'operator', 'sandbox', account from person, unnest($1::uuid[]) account`,
    [[first?.id, second?.id]],
  )
  await testStack.mirrored([...ownPayouts, foreignPayout].map(({ id }) => id))
  limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
})
afterAll(() => testStack?.stop())

const fetchHome = async (person: Person, search = '') =>
  (await person.send(`/sandbox/home${search}`)).text()

test('a person with several accounts sees the work of all of them', async () => {
  const html = await fetchHome(limitedPerson)
  for (const payout of ownPayouts) expect(html).toContain(payout.id)
  expect(html).not.toContain(foreignPayout.id)
  for (const name of foreignAccountNames) expect(html).not.toContain(name)
  expect(html).toContain('across your accounts')
})

test('selecting one account shows only its work', async () => {
  const html = await fetchHome(limitedPerson, `?account=${ownPayouts[0].account}`)
  expect(html).toContain(ownPayouts[0].id)
  expect(html).not.toContain(ownPayouts[1].id)
})

test('a foreign account is refused, and its data is not requested', async () => {
  const seqBefore = await testStack.sandbox.lastSeq()
  const html = await fetchHome(limitedPerson, `?account=${foreignPayout.account}`)
  expect(html).toContain('No access to this account')
  expect(html).not.toContain(foreignPayout.id)
  const accountHeaders = (await testStack.sandbox.requests(seqBefore)).map(
    (request) => request.account_header,
  )
  expect(accountHeaders).not.toContain(foreignPayout.account)
})

test('a person of the whole platform sees all accounts', async () => {
  const html = await fetchHome(testStack.operator)
  for (const payout of [...ownPayouts, foreignPayout]) expect(html).toContain(payout.id)
})
