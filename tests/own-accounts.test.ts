import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addLimitedPerson,
  buildRepresentativeBody,
  type CreatedObject,
  createObjectViaDesk,
  listActiveAccounts,
  readAuditRows,
} from './harness/objects'
import { goodReason, type Person, type Reply, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let admin: Person
let limitedPerson: Person
let ownAccount: string
let foreignAccount: string

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db } = testStack)
  admin = await signIn(testStack.dashboard.url, 'admin')
  ;[ownAccount = '', foreignAccount = ''] = await listActiveAccounts(admin)
  await addLimitedPerson(db, 'limited@paydesk.test', 'operator', ownAccount)
  limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

const apiPath = '/api/sandbox/v1'
const forbiddenReply = { status: 403, body: { error: { code: 'forbidden' } } }
const notFoundReply = { status: 404, body: { error: { code: 'service_not_found' } } }
const invalidAccountReply = {
  status: 422,
  body: { error: { code: 'invalid_input', items: [{ reference: 'account_id' }] } },
}
const buildLinkedBankAccount = (accountId?: string) => ({
  bank_account: {
    account_holder: 'Sable & Finch Bakery',
    routing_number: '021000021',
    account_number: '1234567890',
  },
  purposes: ['billing'],
  ...(accountId ? { account_id: accountId } : {}),
})

/**
 * Sends requests that must all be denied. Returns the method and path of each request that Paydesk
 * sent to the service meanwhile.
 */
async function listArrivingRequests(
  work: () => Promise<Reply<unknown>[]>,
  denial: object = forbiddenReply,
): Promise<string[]> {
  const seqBefore = await sandbox.lastSeq()
  for (const reply of await work()) expect(reply).toMatchObject(denial)
  return (await sandbox.requests(seqBefore)).map((row) => `${row.method} ${row.path}`)
}

describe('an account ID in the path', () => {
  test('is allowed if it is the own account, and the action contains it', async () => {
    for (const where of ['accounts', 'account_settings'])
      expect((await limitedPerson.get(`${apiPath}/${where}/${ownAccount}`)).status).toBe(200)
    const { body } = await limitedPerson.get<{
      business_profile: { name: string; website: string }
    }>(`${apiPath}/accounts/${ownAccount}`)
    const { name = '', website = '' } = body.data?.business_profile ?? {}
    const lastSeqBefore = await sandbox.lastSeq()
    await sandbox.fault({
      operation: 'accounts.update',
      match: ownAccount,
      kind: 'reset',
      at: 'after',
    })
    const changeReply = await limitedPerson.write(
      'PUT',
      `/accounts/${ownAccount}`,
      { business_profile: { name, website, tax_id: '123456789' } },
      { reason: goodReason },
    )
    expect(changeReply).toMatchObject({
      status: 200,
      body: {
        action: { account: `acct_${ownAccount}`, target: `accounts/${ownAccount}`, replayed: true },
      },
    })
    const sentRequests = await sandbox.requests(lastSeqBefore)
    expect(sentRequests.map((row) => [row.method, row.account_header])).toEqual([
      ['PUT', null],
      ['PUT', null],
    ])
    expect(
      (
        await limitedPerson.get<unknown[]>(
          `/api/sandbox/desk/actions?target=accounts/${ownAccount}`,
        )
      ).body.data,
    ).toHaveLength(1)
  })

  test('is refused for another account in every operation', async () => {
    const sendForeignAccountRequests = () =>
      Promise.all([
        limitedPerson.get(`${apiPath}/accounts/${foreignAccount}`),
        limitedPerson.get(`${apiPath}/accounts/${foreignAccount}?account=acct_${ownAccount}`),
        limitedPerson.get(`${apiPath}/account_settings/${foreignAccount}`),
        limitedPerson.write('PUT', `/accounts/${foreignAccount}`),
        limitedPerson.write(
          'POST',
          `/accounts/${foreignAccount}/onboard?account=acct_${ownAccount}`,
        ),
        limitedPerson.write('POST', `/accounts/${foreignAccount}/simulate`),
      ])
    expect(await listArrivingRequests(sendForeignAccountRequests)).toEqual([])
    expect(await readAuditRows(db, 'accounts.simulate.denied')).toMatchObject([
      { target: `accounts/${foreignAccount}` },
    ])
  })
})

test('platform resources require a role for the whole platform', async () => {
  const [organization] =
    (await admin.get<CreatedObject[]>(`${apiPath}/organizations?page_size=1`)).body.data ?? []
  const sendPlatformRequests = () =>
    Promise.all([
      limitedPerson.get(`${apiPath}/organizations`),
      limitedPerson.get(`${apiPath}/organizations/${organization?.id}?account=acct_${ownAccount}`),
      limitedPerson.write('POST', '/organizations', { name: 'Harbor Group' }),
      limitedPerson.write('POST', `/accounts?account=acct_${ownAccount}`),
    ])
  expect(await listArrivingRequests(sendPlatformRequests)).toEqual([])
  for (const code of [
    'organizations.list',
    'organizations.get',
    'organizations.create',
    'accounts.create',
  ]) {
    expect(await readAuditRows(db, `${code}.denied`)).toHaveLength(1)
  }
  expect(await admin.write('POST', '/organizations', { name: 'Harbor Group' })).toMatchObject({
    status: 201,
    body: { action: { account: null } },
  })
})

describe.each([
  { resource: 'representatives', body: buildRepresentativeBody, denied: 'representatives.update' },
  {
    resource: 'linked_bank_accounts',
    body: buildLinkedBankAccount,
    denied: 'linked_bank_accounts.update',
  },
])('$resource', ({ resource, body, denied }) => {
  let ownObjectId: string
  let foreignObjectId: string

  /**
   * Creates an object in an account. The tests pass a new account: most of the sandbox's accounts
   * already have a linked bank account for the purpose, and the service accepts no second one.
   */
  async function createObject(person: Person, accountId: string): Promise<CreatedObject> {
    return (
      await createObjectViaDesk(person, `/${resource}`, body(accountId), { reason: goodReason })
    ).made
  }

  async function createAccount(): Promise<string> {
    const [organization] =
      (await admin.get<CreatedObject[]>(`${apiPath}/organizations?page_size=1`)).body.data ?? []
    const business_profile = {
      name: 'Sable & Finch Bakery',
      website: 'https://sable-finch.example.com',
    }
    const fields = {
      organization_id: organization?.id,
      account_type: 'business',
      access_level: 'standard',
      business_profile,
    }
    return (await createObjectViaDesk(admin, '/accounts', fields)).made.id
  }

  let ownAccountId: string
  let foreignAccountId: string
  let person: Person

  beforeAll(async () => {
    ;[ownAccountId, foreignAccountId] = [await createAccount(), await createAccount()]
    await addLimitedPerson(db, `${resource}@paydesk.test`, 'operator', ownAccountId)
    person = await signIn(testStack.dashboard.url, `${resource}@paydesk.test`)
    foreignObjectId = (await createObject(admin, foreignAccountId)).id
  })

  test('are created in the own account, and recorded there, without the account header', async () => {
    const before = await sandbox.lastSeq()
    const reply = await createObjectViaDesk(person, `/${resource}`, body(ownAccountId), {
      reason: goodReason,
    })
    ownObjectId = reply.made.id
    expect(reply.body.action).toMatchObject({
      account: `acct_${ownAccountId}`,
      target: `${resource}/${ownObjectId}`,
    })
    expect((await sandbox.requests(before)).map((row) => row.account_header)).toEqual([null])
    const actionsPath = `/api/sandbox/desk/actions?target=${resource}/${ownObjectId}`
    expect((await person.get<unknown[]>(actionsPath)).body.data).toHaveLength(1)
    expect((await limitedPerson.get<unknown[]>(actionsPath)).body.data).toEqual([])
  })

  test('are not created in another account, or without one', async () => {
    expect(
      await listArrivingRequests(() =>
        Promise.all([
          person.write('POST', `/${resource}?account=acct_${ownAccountId}`, body(foreignAccountId)),
        ]),
      ),
    ).toEqual([])
    const { account_id: _, ...nowhere } = { account_id: '', ...body(ownAccountId) }
    expect(await person.write('POST', `/${resource}`, nowhere)).toMatchObject(invalidAccountReply)
    expect(
      await person.write('POST', `/${resource}`, { ...nowhere, account_id: 'mine' }),
    ).toMatchObject(invalidAccountReply)
  })

  test('are listed for the own account only', async () => {
    const listIds = async (query: string, who = person) =>
      (await who.get<CreatedObject[]>(`${apiPath}/${resource}${query}`)).body.data?.map(
        (row) => row.id,
      )
    expect(await listIds('')).toEqual([ownObjectId])
    expect(await listIds(`?account_id=${ownAccountId}`)).toEqual([ownObjectId])
    expect(await listIds(`?account=acct_${foreignAccountId}`, admin)).toEqual([foreignObjectId])
    expect((await listIds('?page_size=1000', admin))?.length).toBeGreaterThan(2)
    expect(
      await listArrivingRequests(() =>
        Promise.all([person.get(`${apiPath}/${resource}?account_id=${foreignAccountId}`)]),
      ),
    ).toEqual([])
    expect(
      await listArrivingRequests(() =>
        Promise.all([person.get(`${apiPath}/${resource}?account=acct_${foreignAccountId}`)]),
      ),
    ).toEqual([])
  })

  test('require the account if a person has two', async () => {
    const email = `${resource}.two@paydesk.test` as const
    await addLimitedPerson(db, email, 'operator', ownAccountId)
    await db.query(
      `insert into grants (person_id, role, environment, account_id) select id, 'operator', 'sandbox', $2::uuid from people where email = $1`,
      [email, foreignAccountId],
    )
    const twoAccountPerson = await signIn(testStack.dashboard.url, email)
    expect(await twoAccountPerson.get(`${apiPath}/${resource}`)).toMatchObject(invalidAccountReply)
    expect(
      (
        await twoAccountPerson.get<CreatedObject[]>(
          `${apiPath}/${resource}?account_id=${foreignAccountId}`,
        )
      ).body.data?.map((row) => row.id),
    ).toEqual([foreignObjectId])
  })

  test('are read, changed and revealed in the own account', async () => {
    expect((await person.get(`${apiPath}/${resource}/${ownObjectId}`)).status).toBe(200)
    const { account_id: _, purposes: __, ...fields } = { purposes: [], ...body(ownAccountId) }
    const updateReply = await person.write('PUT', `/${resource}/${ownObjectId}`, fields, {
      reason: goodReason,
    })
    expect(updateReply).toMatchObject({
      status: 200,
      body: { action: { account: `acct_${ownAccountId}` } },
    })
    // The account's settings forbid unmasked data, so the service refuses. This refusal shows that
    // Paydesk itself allowed the request.
    expect(await person.reveal(`/${resource}/${ownObjectId}/unmask`)).toMatchObject({
      status: 502,
      body: { error: { code: 'service_forbidden' } },
    })
    expect(await readAuditRows(db, `${resource}.unmask.refused`)).toMatchObject([
      { account: ownAccountId, target: `${resource}/${ownObjectId}` },
    ])
  })

  test('are hidden in another account, and the check does not reveal them', async () => {
    await db.query(`delete from mirror_${resource} where id = $1`, [foreignObjectId])
    const sendForeignObjectRequests = () =>
      Promise.all([
        person.get(`${apiPath}/${resource}/${foreignObjectId}`),
        person.get(`${apiPath}/${resource}/${foreignObjectId}?account=acct_${ownAccountId}`),
        person.write('PUT', `/${resource}/${foreignObjectId}`, body(ownAccountId)),
        person.reveal(`/${resource}/${foreignObjectId}/unmask`, goodReason),
        ...(resource === 'representatives'
          ? []
          : [person.write('PATCH', `/${resource}/${foreignObjectId}/cancel`)]),
      ])
    const requestLines = new Set(
      await listArrivingRequests(sendForeignObjectRequests, notFoundReply),
    )
    expect(
      [...requestLines].filter((line) => line !== `GET /v1/${resource}/${foreignObjectId}`),
    ).toEqual([])
    expect(await readAuditRows(db, `${denied}.denied`)).toMatchObject([
      { target: `${resource}/${foreignObjectId}` },
    ])
  })
})

test('a linked bank account of the platform is visible only to people of the platform', async () => {
  const [platformBankAccount] =
    (await admin.get<CreatedObject[]>(`${apiPath}/linked_bank_accounts?level=platform`)).body
      .data ?? []
  expect(
    (await admin.get(`${apiPath}/linked_bank_accounts/${platformBankAccount?.id}`)).status,
  ).toBe(200)
  expect(
    await limitedPerson.get(`${apiPath}/linked_bank_accounts/${platformBankAccount?.id}`),
  ).toMatchObject(notFoundReply)
  expect(
    await limitedPerson.write('PATCH', `/linked_bank_accounts/${platformBankAccount?.id}/cancel`),
  ).toMatchObject(notFoundReply)
})
