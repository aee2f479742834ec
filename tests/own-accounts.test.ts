import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CreatedObject, readAuditRows } from './harness/objects'
import {
  apiPath,
  listRequestsSentDuring,
  notFoundReply,
  openOwnAccountDesk,
} from './harness/own-account-desk'
import { goodReason, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let admin: Person
let limitedPerson: Person
let ownAccount: string
let foreignAccount: string

beforeAll(async () => {
  ;({ testStack, admin, limitedPerson, ownAccount, foreignAccount } = await openOwnAccountDesk())
  ;({ sandbox, db } = testStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

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
    const updateAccountReply = await limitedPerson.write(
      'PUT',
      `/accounts/${ownAccount}`,
      { business_profile: { name, website, tax_id: '123456789' } },
      { reason: goodReason },
    )
    expect(updateAccountReply).toMatchObject({
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
    expect(await listRequestsSentDuring(sandbox, sendForeignAccountRequests)).toEqual([])
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
  expect(await listRequestsSentDuring(sandbox, sendPlatformRequests)).toEqual([])
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
