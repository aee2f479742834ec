import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addLimitedPerson,
  buildRepresentativeBody,
  type CreatedObject,
  createObjectViaDesk,
  readAuditRows,
} from './harness/objects'
import {
  apiPath,
  listRequestsSentDuring,
  notFoundReply,
  openOwnAccountDesk,
} from './harness/own-account-desk'
import { goodReason, type Person, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let admin: Person
let limitedPerson: Person

beforeAll(async () => {
  ;({ testStack, admin, limitedPerson } = await openOwnAccountDesk())
  ;({ sandbox, db } = testStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

const invalidAccountReply = {
  status: 422,
  body: { error: { code: 'invalid_input', items: [{ reference: 'account_id' }] } },
}
const buildLinkedBankAccountBody = (accountId?: string) => ({
  bank_account: {
    account_holder: 'Sable & Finch Bakery',
    routing_number: '021000021',
    account_number: '1234567890',
  },
  purposes: ['billing'],
  ...(accountId ? { account_id: accountId } : {}),
})

describe.each([
  { resource: 'representatives', body: buildRepresentativeBody, denied: 'representatives.update' },
  {
    resource: 'linked_bank_accounts',
    body: buildLinkedBankAccountBody,
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
    const seqBeforeCreation = await sandbox.lastSeq()
    const reply = await createObjectViaDesk(person, `/${resource}`, body(ownAccountId), {
      reason: goodReason,
    })
    ownObjectId = reply.made.id
    expect(reply.body.action).toMatchObject({
      account: `acct_${ownAccountId}`,
      target: `${resource}/${ownObjectId}`,
    })
    expect((await sandbox.requests(seqBeforeCreation)).map((row) => row.account_header)).toEqual([
      null,
    ])
    const actionsPath = `/api/sandbox/desk/actions?target=${resource}/${ownObjectId}`
    expect((await person.get<unknown[]>(actionsPath)).body.data).toHaveLength(1)
    expect((await limitedPerson.get<unknown[]>(actionsPath)).body.data).toEqual([])
  })

  test('are not created in another account, or without one', async () => {
    expect(
      await listRequestsSentDuring(sandbox, () =>
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
      await listRequestsSentDuring(sandbox, () =>
        Promise.all([person.get(`${apiPath}/${resource}?account_id=${foreignAccountId}`)]),
      ),
    ).toEqual([])
    expect(
      await listRequestsSentDuring(sandbox, () =>
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
      await listRequestsSentDuring(sandbox, sendForeignObjectRequests, notFoundReply),
    )
    expect(
      [...requestLines].filter((line) => line !== `GET /v1/${resource}/${foreignObjectId}`),
    ).toEqual([])
    expect(await readAuditRows(db, `${denied}.denied`)).toMatchObject([
      { target: `${resource}/${foreignObjectId}` },
    ])
  })
})
