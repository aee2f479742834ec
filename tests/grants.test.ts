import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from './harness/person'
import type { MadePayout, Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let dashboard: WholeDesk['dashboard']
let db: Client
let admin: Person
let limitedPerson: Person
let ownPayout: MadePayout
let foreignPayout: MadePayout

type ListedAccount = { id: string; business_profile?: { name: string } }

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, dashboard, db } = testStack)
  admin = await signIn(dashboard.url, 'admin')
  const { body } = await admin.get<ListedAccount[]>('/api/sandbox/v1/accounts')
  const [first, second] = body.data ?? []
  ownPayout = await sandbox.makePayout({ account_id: first?.id })
  foreignPayout = await sandbox.makePayout({ account_id: second?.id })
  await db.query(
    `with person as (
       insert into people (email, name, password_hash, demo)
       select 'limited@paydesk.test', 'Lea Limited', password_hash, true from people where email = 'operator@paydesk.test' returning id)
     insert into grants (person_id, role, environment, account_id) select id, 'operator', 'sandbox', $1::uuid from person`,
    [first?.id],
  )
  limitedPerson = await signIn(dashboard.url, 'limited@paydesk.test')
})
afterAll(() => testStack?.stop())

const forbiddenReply = { status: 403, body: { error: { code: 'forbidden' } } }
const readPayout = (payout: MadePayout, account: string) =>
  limitedPerson.get<{ id: string }>(`/api/sandbox/v1/payouts/${payout.id}?account=${account}`)

test('a limited person can read and write in their own account', async () => {
  expect(await readPayout(ownPayout, ownPayout.account)).toMatchObject({
    status: 200,
    body: { data: { id: ownPayout.id } },
  })
  const payout = await sandbox.makePayout({ account_id: ownPayout.account.replace('acct_', '') })
  expect(await limitedPerson.decide('release', payout)).toMatchObject({
    status: 200,
    body: { action: { account: ownPayout.account } },
  })
  const paymentListReply = await limitedPerson.get<unknown[]>(
    `/api/sandbox/v1/payments?account=${ownPayout.account}&page_size=5`,
  )
  expect(paymentListReply.status).toBe(200)
  expect(paymentListReply.body.data?.length).toBeGreaterThan(0)
})

test('a request for another account is refused and never reaches the service', async () => {
  const seqBefore = await sandbox.lastSeq()
  expect(await readPayout(foreignPayout, foreignPayout.account)).toMatchObject(forbiddenReply)
  expect(await limitedPerson.decide('release', foreignPayout)).toMatchObject(forbiddenReply)
  expect(
    await limitedPerson.get(`/api/sandbox/v1/payments?account=${foreignPayout.account}`),
  ).toMatchObject(forbiddenReply)
  expect(
    await limitedPerson.get(
      `/api/sandbox/v1/accounts/${foreignPayout.account.replace('acct_', '')}`,
    ),
  ).toMatchObject(forbiddenReply)
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

test('a request for the whole platform is refused', async () => {
  const seqBeforeRequests = await sandbox.lastSeq()
  expect(await limitedPerson.get('/api/sandbox/v1/payments')).toMatchObject(forbiddenReply)
  expect(await limitedPerson.get(`/api/sandbox/v1/payouts/${ownPayout.id}`)).toMatchObject(
    forbiddenReply,
  )
  expect(await limitedPerson.put(`/api/sandbox/v1/payouts/${ownPayout.id}/release`)).toMatchObject(
    forbiddenReply,
  )
  expect(await sandbox.requests(seqBeforeRequests)).toEqual([])
})

test('an object of another account is not found in the own account, and cannot be written', async () => {
  expect(await readPayout(foreignPayout, ownPayout.account)).toMatchObject({
    status: 404,
    body: { error: { code: 'service_not_found' } },
  })
  const foreignReleaseReply = await limitedPerson.decide('release', {
    id: foreignPayout.id,
    account: ownPayout.account,
  })
  expect(foreignReleaseReply).toMatchObject({
    status: 404,
    body: { error: { code: 'service_not_found' } },
  })
  expect(foreignReleaseReply.body.action).toBeUndefined()
  expect(await sandbox.journal(foreignPayout.id)).toEqual([])
})

test('a write is refused if its account differs from the known account of the object', async () => {
  expect(
    (
      await admin.get(
        `/api/sandbox/v1/payouts/${foreignPayout.id}?account=${foreignPayout.account}`,
      )
    ).status,
  ).toBe(200)
  const seqBeforeRelease = await sandbox.lastSeq()
  const reply = await admin.decide('release', { id: foreignPayout.id, account: ownPayout.account })
  expect(reply).toMatchObject({
    status: 422,
    body: { error: { items: [{ reference: 'account' }] } },
  })
  expect(await sandbox.requests(seqBeforeRelease)).toEqual([])
})

test('the list of accounts contains only the own account', async () => {
  const { status, body } = await limitedPerson.get<ListedAccount[]>('/api/sandbox/v1/accounts')
  expect(status).toBe(200)
  expect(body.data?.map((account) => account.id)).toEqual([ownPayout.account.replace('acct_', '')])
  expect(body.meta.total_items).toBe(1)
  expect((await admin.get<ListedAccount[]>('/api/sandbox/v1/accounts')).body.data?.length).toBe(16)
})

test('pages contain no name of another account', async () => {
  const { body } = await admin.get<ListedAccount[]>('/api/sandbox/v1/accounts')
  const otherAccountNames = (body.data ?? [])
    .slice(1)
    .flatMap((account) => account.business_profile?.name ?? [])
  expect(otherAccountNames.length).toBe(15)
  for (const search of ['', `?account=${ownPayout.account}`]) {
    const html = await (await limitedPerson.send(`/sandbox/payouts${search}`)).text()
    expect(html.includes('Lea Limited')).toBe(true)
    expect(otherAccountNames.filter((name) => html.includes(name))).toEqual([])
  }
  const accountsHtml = await (
    await limitedPerson.send(`/sandbox/accounts?account=${ownPayout.account}&tab=all`)
  ).text()
  expect(accountsHtml.includes('Lea Limited')).toBe(true)
  expect(otherAccountNames.filter((name) => accountsHtml.includes(name))).toEqual([])
})

test('actions on objects of another account are hidden', async () => {
  const payout = await sandbox.makePayout({
    account_id: foreignPayout.account.replace('acct_', ''),
  })
  const releaseReply = await admin.decide('release', payout)
  expect(releaseReply.status).toBe(200)
  const actionId = releaseReply.body.action?.id ?? ''
  expect((await limitedPerson.action(actionId)).status).toBe(404)
  expect((await limitedPerson.check(actionId)).status).toBe(404)
  const actionsPath = `/api/sandbox/desk/actions?target=payouts/${payout.id}`
  expect((await admin.get<unknown[]>(actionsPath)).body.data).toHaveLength(1)
  expect((await limitedPerson.get<unknown[]>(actionsPath)).body.data).toEqual([])
  const payoutPagePath = `/sandbox/payouts/${payout.id}?account=`
  expect(
    (await (await admin.send(payoutPagePath + payout.account)).text()).includes(actionId),
  ).toBe(true)
  expect(
    (await (await limitedPerson.send(payoutPagePath + ownPayout.account)).text()).includes(
      actionId,
    ),
  ).toBe(false)
})

test('an open action of another account stays hidden when it blocks a write', async () => {
  const payout = await sandbox.makePayout({
    account_id: foreignPayout.account.replace('acct_', ''),
  })
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 3,
  })
  expect((await admin.decide('release', payout)).status).toBe(202)
  const reply = await limitedPerson.decide('release', { id: payout.id, account: ownPayout.account })
  expect(reply).toMatchObject({ status: 404, body: { error: { code: 'service_not_found' } } })
  expect(reply.body.action).toBeUndefined()
})

test('a response names the account of an object, if it is known, to people who may see that account', async () => {
  const otherPayout = await sandbox.makePayout({
    account_id: foreignPayout.account.replace('acct_', ''),
  })
  const payoutPath = `/api/sandbox/v1/payouts/${otherPayout.id}`
  expect(
    (await admin.get(`${payoutPath}?account=${foreignPayout.account}`)).body.meta,
  ).not.toHaveProperty('account')
  const seqBeforeRead = await sandbox.lastSeq()
  expect((await admin.get(payoutPath)).body.meta).toMatchObject({ account: foreignPayout.account })
  expect(await sandbox.requests(seqBeforeRead)).toHaveLength(1)
  const refusedReply = await limitedPerson.get(payoutPath)
  expect([refusedReply.status, JSON.stringify(refusedReply.body)]).toEqual([
    403,
    expect.not.stringContaining(foreignPayout.account),
  ])
})
