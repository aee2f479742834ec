import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let limitedPerson: Person
let ownPayouts: [MadePayout, MadePayout]
let foreignPayout: MadePayout
let foreignNames: string[]

type Account = { id: string; business_profile: { name: string } }

/** Creates a payout with so early a date that it is first in its queue, if the person may see it. */
const makeOverduePayout = (account_id: string | undefined) => desk.sandbox.makePayout({ account_id, payment_date: '2020-01-02' })

beforeAll(async () => {
  desk = await startWholeDesk({ mirror: true })
  const { body } = await desk.operator.get<Account[]>('/api/sandbox/v1/accounts')
  const [first, second, third, ...others] = body.data ?? []
  ownPayouts = [await makeOverduePayout(first?.id), await makeOverduePayout(second?.id)]
  foreignPayout = await makeOverduePayout(third?.id)
  foreignNames = others.map((account) => account.business_profile.name)
  await desk.db.query(
    `with person as (
       insert into people (email, name, password_hash, demo)
       select 'limited@paydesk.test', 'Lea Limited', password_hash, true from people where email = 'operator@paydesk.test' returning id)
     insert into grants (person_id, role, environment, account_id)
     select id, 'operator', 'sandbox', account from person, unnest($1::uuid[]) account`,
    [[first?.id, second?.id]],
  )
  await desk.mirrored([...ownPayouts, foreignPayout].map(({ id }) => id))
  limitedPerson = await signIn(desk.dashboard.url, 'limited@paydesk.test')
})
afterAll(() => desk?.stop())

const fetchHome = async (person: Person, search = '') => (await person.send(`/sandbox/home${search}`)).text()

test('a person with several accounts sees the work of all of them', async () => {
  const html = await fetchHome(limitedPerson)
  for (const payout of ownPayouts) expect(html).toContain(payout.id)
  expect(html).not.toContain(foreignPayout.id)
  for (const name of foreignNames) expect(html).not.toContain(name)
  expect(html).toContain('across your accounts')
})

test('selecting one account shows only its work', async () => {
  const html = await fetchHome(limitedPerson, `?account=${ownPayouts[0].account}`)
  expect(html).toContain(ownPayouts[0].id)
  expect(html).not.toContain(ownPayouts[1].id)
})

test('a foreign account is refused, and its data is not requested', async () => {
  const seqBefore = await desk.sandbox.lastSeq()
  const html = await fetchHome(limitedPerson, `?account=${foreignPayout.account}`)
  expect(html).toContain('No access to this account')
  expect(html).not.toContain(foreignPayout.id)
  const headers = (await desk.sandbox.requests(seqBefore)).map((request) => request.account_header)
  expect(headers).not.toContain(foreignPayout.account)
})

test('a person of the whole platform sees all accounts', async () => {
  const html = await fetchHome(desk.operator)
  for (const payout of [...ownPayouts, foreignPayout]) expect(html).toContain(payout.id)
})
