import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addLimitedPerson,
  buildRepresentativeBody,
  type CreatedObject,
  createViaDesk,
  listActiveAccounts,
  readAuditRows,
} from './harness/objects'
import { goodReason, type Person, type Reply, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let sandbox: Sandbox
let db: Client
let admin: Person
let limitedPerson: Person
let ownAccount: string
let foreignAccount: string

beforeAll(async () => {
  desk = await openSharedDesk()
  ;({ sandbox, db } = desk)
  admin = await signIn(desk.dashboard.url, 'admin')
  ;[ownAccount = '', foreignAccount = ''] = await listActiveAccounts(admin)
  await addLimitedPerson(db, 'limited@paydesk.test', 'operator', ownAccount)
  limitedPerson = await signIn(desk.dashboard.url, 'limited@paydesk.test')
})
afterEach(() => sandbox.clearFaults())
afterAll(() => desk?.stop())

const api = '/api/sandbox/v1'
const forbidden = { status: 403, body: { error: { code: 'forbidden' } } }
const notFound = { status: 404, body: { error: { code: 'service_not_found' } } }
const invalidAccount = { status: 422, body: { error: { code: 'invalid_input', items: [{ reference: 'account_id' }] } } }
const bankBody = (accountId?: string) => ({
  bank_account: { account_holder: 'Sable & Finch Bakery', routing_number: '021000021', account_number: '1234567890' },
  purposes: ['billing'],
  ...(accountId ? { account_id: accountId } : {}),
})

/** Runs requests that must be denied. Returns the requests that reached the service. */
async function listArrivingRequests(work: () => Promise<Reply<unknown>[]>, denial: object = forbidden): Promise<string[]> {
  const seqBefore = await sandbox.lastSeq()
  for (const reply of await work()) expect(reply).toMatchObject(denial)
  return (await sandbox.requests(seqBefore)).map((row) => `${row.method} ${row.path}`)
}

describe('an account ID in the path', () => {
  test('is allowed if it is the own account, and the action contains it', async () => {
    for (const where of ['accounts', 'account_settings'])
      expect((await limitedPerson.get(`${api}/${where}/${ownAccount}`)).status).toBe(200)
    const { body } = await limitedPerson.get<{ business_profile: { name: string; website: string } }>(`${api}/accounts/${ownAccount}`)
    const { name = '', website = '' } = body.data?.business_profile ?? {}
    const before = await sandbox.lastSeq()
    await sandbox.fault({ operation: 'accounts.update', match: ownAccount, kind: 'reset', at: 'after' })
    const changed = await limitedPerson.write(
      'PUT',
      `/accounts/${ownAccount}`,
      { business_profile: { name, website, tax_id: '123456789' } },
      { reason: goodReason },
    )
    expect(changed).toMatchObject({
      status: 200,
      body: { action: { account: `acct_${ownAccount}`, target: `accounts/${ownAccount}`, replayed: true } },
    })
    const sent = await sandbox.requests(before)
    expect(sent.map((row) => [row.method, row.account_header])).toEqual([
      ['PUT', null],
      ['PUT', null],
    ])
    expect((await limitedPerson.get<unknown[]>(`/api/sandbox/desk/actions?target=accounts/${ownAccount}`)).body.data).toHaveLength(1)
  })

  test('is refused for another account in every operation', async () => {
    const sendRequests = () =>
      Promise.all([
        limitedPerson.get(`${api}/accounts/${foreignAccount}`),
        limitedPerson.get(`${api}/accounts/${foreignAccount}?account=acct_${ownAccount}`),
        limitedPerson.get(`${api}/account_settings/${foreignAccount}`),
        limitedPerson.write('PUT', `/accounts/${foreignAccount}`),
        limitedPerson.write('POST', `/accounts/${foreignAccount}/onboard?account=acct_${ownAccount}`),
        limitedPerson.write('POST', `/accounts/${foreignAccount}/simulate`),
      ])
    expect(await listArrivingRequests(sendRequests)).toEqual([])
    expect(await readAuditRows(db, 'accounts.simulate.denied')).toMatchObject([{ target: `accounts/${foreignAccount}` }])
  })
})

test('platform resources require a role for the whole platform', async () => {
  const [organization] = (await admin.get<CreatedObject[]>(`${api}/organizations?page_size=1`)).body.data ?? []
  const sendRequests = () =>
    Promise.all([
      limitedPerson.get(`${api}/organizations`),
      limitedPerson.get(`${api}/organizations/${organization?.id}?account=acct_${ownAccount}`),
      limitedPerson.write('POST', '/organizations', { name: 'Harbor Group' }),
      limitedPerson.write('POST', `/accounts?account=acct_${ownAccount}`),
    ])
  expect(await listArrivingRequests(sendRequests)).toEqual([])
  for (const code of ['organizations.list', 'organizations.get', 'organizations.create', 'accounts.create']) {
    expect(await readAuditRows(db, `${code}.denied`)).toHaveLength(1)
  }
  expect(await admin.write('POST', '/organizations', { name: 'Harbor Group' })).toMatchObject({
    status: 201,
    body: { action: { account: null } },
  })
})

describe.each([
  { resource: 'representatives', body: buildRepresentativeBody, denied: 'representatives.update' },
  { resource: 'linked_bank_accounts', body: bankBody, denied: 'linked_bank_accounts.update' },
])('$resource', ({ resource, body, denied }) => {
  let ours: string
  let theirs: string

  /**
   * Creates an object in an account. The tests use new accounts, because most existing ones accept no second linked bank account for a
   * purpose.
   */
  async function createObject(person: Person, accountId: string): Promise<CreatedObject> {
    return (await createViaDesk(person, `/${resource}`, body(accountId), { reason: goodReason })).made
  }

  async function createAccount(): Promise<string> {
    const [organization] = (await admin.get<CreatedObject[]>(`${api}/organizations?page_size=1`)).body.data ?? []
    const business_profile = { name: 'Sable & Finch Bakery', website: 'https://sable-finch.example.com' }
    const fields = { organization_id: organization?.id, account_type: 'business', access_level: 'standard', business_profile }
    return (await createViaDesk(admin, '/accounts', fields)).made.id
  }

  let home: string
  let away: string
  let person: Person

  beforeAll(async () => {
    ;[home, away] = [await createAccount(), await createAccount()]
    await addLimitedPerson(db, `${resource}@paydesk.test`, 'operator', home)
    person = await signIn(desk.dashboard.url, `${resource}@paydesk.test`)
    theirs = (await createObject(admin, away)).id
  })

  test('are created in the own account, and recorded there, without the account header', async () => {
    const before = await sandbox.lastSeq()
    const reply = await createViaDesk(person, `/${resource}`, body(home), { reason: goodReason })
    ours = reply.made.id
    expect(reply.body.action).toMatchObject({ account: `acct_${home}`, target: `${resource}/${ours}` })
    expect((await sandbox.requests(before)).map((row) => row.account_header)).toEqual([null])
    const list = `/api/sandbox/desk/actions?target=${resource}/${ours}`
    expect((await person.get<unknown[]>(list)).body.data).toHaveLength(1)
    expect((await limitedPerson.get<unknown[]>(list)).body.data).toEqual([])
  })

  test('are not created in another account, or without one', async () => {
    expect(await listArrivingRequests(() => Promise.all([person.write('POST', `/${resource}?account=acct_${home}`, body(away))]))).toEqual(
      [],
    )
    const { account_id: _, ...nowhere } = { account_id: '', ...body(home) }
    expect(await person.write('POST', `/${resource}`, nowhere)).toMatchObject(invalidAccount)
    expect(await person.write('POST', `/${resource}`, { ...nowhere, account_id: 'mine' })).toMatchObject(invalidAccount)
  })

  test('are listed for the own account only', async () => {
    const ids = async (query: string, who = person) =>
      (await who.get<CreatedObject[]>(`${api}/${resource}${query}`)).body.data?.map((row) => row.id)
    expect(await ids('')).toEqual([ours])
    expect(await ids(`?account_id=${home}`)).toEqual([ours])
    expect(await ids(`?account=acct_${away}`, admin)).toEqual([theirs])
    expect((await ids('?page_size=1000', admin))?.length).toBeGreaterThan(2)
    expect(await listArrivingRequests(() => Promise.all([person.get(`${api}/${resource}?account_id=${away}`)]))).toEqual([])
    expect(await listArrivingRequests(() => Promise.all([person.get(`${api}/${resource}?account=acct_${away}`)]))).toEqual([])
  })

  test('require the account if a person has two', async () => {
    const email = `${resource}.two@paydesk.test` as const
    await addLimitedPerson(db, email, 'operator', home)
    await db.query(
      `insert into grants (person_id, role, environment, account_id) select id, 'operator', 'sandbox', $2::uuid from people where email = $1`,
      [email, away],
    )
    const two = await signIn(desk.dashboard.url, email)
    expect(await two.get(`${api}/${resource}`)).toMatchObject(invalidAccount)
    expect((await two.get<CreatedObject[]>(`${api}/${resource}?account_id=${away}`)).body.data?.map((row) => row.id)).toEqual([theirs])
  })

  test('are read, changed and revealed in the own account', async () => {
    expect((await person.get(`${api}/${resource}/${ours}`)).status).toBe(200)
    const { account_id: _, purposes: __, ...fields } = { purposes: [], ...body(home) }
    const changed = await person.write('PUT', `/${resource}/${ours}`, fields, { reason: goodReason })
    expect(changed).toMatchObject({ status: 200, body: { action: { account: `acct_${home}` } } })
    // The account's setting does not allow unmasked data. The refusal by the service shows that the desk sent the request.
    expect(await person.reveal(`/${resource}/${ours}/unmask`)).toMatchObject({
      status: 502,
      body: { error: { code: 'service_forbidden' } },
    })
    expect(await readAuditRows(db, `${resource}.unmask.refused`)).toMatchObject([{ account: home, target: `${resource}/${ours}` }])
  })

  test('are hidden in another account, and the check does not reveal them', async () => {
    await db.query(`delete from mirror_${resource} where id = $1`, [theirs])
    const sendRequests = () =>
      Promise.all([
        person.get(`${api}/${resource}/${theirs}`),
        person.get(`${api}/${resource}/${theirs}?account=acct_${home}`),
        person.write('PUT', `/${resource}/${theirs}`, body(home)),
        person.reveal(`/${resource}/${theirs}/unmask`, goodReason),
        ...(resource === 'representatives' ? [] : [person.write('PATCH', `/${resource}/${theirs}/cancel`)]),
      ])
    const requestLines = new Set(await listArrivingRequests(sendRequests, notFound))
    expect([...requestLines].filter((line) => line !== `GET /v1/${resource}/${theirs}`)).toEqual([])
    expect(await readAuditRows(db, `${denied}.denied`)).toMatchObject([{ target: `${resource}/${theirs}` }])
  })
})

test('a linked bank account of the platform is visible only to people of the platform', async () => {
  const [made] = (await admin.get<CreatedObject[]>(`${api}/linked_bank_accounts?level=platform`)).body.data ?? []
  expect((await admin.get(`${api}/linked_bank_accounts/${made?.id}`)).status).toBe(200)
  expect(await limitedPerson.get(`${api}/linked_bank_accounts/${made?.id}`)).toMatchObject(notFound)
  expect(await limitedPerson.write('PATCH', `/linked_bank_accounts/${made?.id}/cancel`)).toMatchObject(notFound)
})
