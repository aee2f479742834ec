import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addLimitedPerson,
  buildCustomerBody,
  createObjectViaDesk,
  listActiveAccounts,
  readAuditRows,
} from './harness/objects'
import { goodReason, type Person, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

type UnmaskedCustomer = { id: string; email: string; phone: string }

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let prefixedAccountId: string
let customerEmail: string
let customerId: string
const peopleByRole: Record<string, Person> = {}

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, db } = testStack)
  for (const role of ['admin', 'reviewer', 'viewer'] as const)
    peopleByRole[role] = await signIn(testStack.dashboard.url, role)
  const [firstAccountId = '', secondAccountId = ''] = await listActiveAccounts(getPerson('admin'))
  prefixedAccountId = `acct_${firstAccountId}`
  await sandbox.configure(firstAccountId, { allow_data_unmask: true })
  await addLimitedPerson(db, 'elsewhere@paydesk.test', 'operator', secondAccountId)
  const body = buildCustomerBody()
  customerEmail = body.email
  ;({ id: customerId } = (
    await createObjectViaDesk(getPerson('admin'), `/customers?account=${prefixedAccountId}`, body)
  ).made)
})
afterAll(() => testStack?.stop())

function getPerson(role: string): Person {
  const foundPerson = peopleByRole[role]
  if (!foundPerson) throw new Error(`nobody is ${role}`)
  return foundPerson
}

const buildUnmaskedPath = () => `/customers/${customerId}/unmasked?account=${prefixedAccountId}`
const countReveals = async () =>
  Number((await db.query('select count(*) as n from reveals')).rows[0].n)
const hashSha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('masked data is revealed for a reason and audited', async () => {
  const maskedReply = await getPerson('admin').get<UnmaskedCustomer>(
    `/api/sandbox/v1/customers/${customerId}?account=${prefixedAccountId}`,
  )
  expect(maskedReply.body.data?.email).not.toBe(customerEmail)
  const reply = await testStack.operator.reveal<UnmaskedCustomer>(buildUnmaskedPath())
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: { id: customerId, email: customerEmail, phone: '+15125550123' },
      meta: { reveals_left: 29 },
    },
  })
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  const rows = await readAuditRows(db, 'customers.unmask.applied')
  expect(rows).toMatchObject([
    {
      environment: 'sandbox',
      account: prefixedAccountId.replace('acct_', ''),
      target: `customers/${customerId}`,
      reason_code: 'AUTH_PROOF_OK',
      reason_sha256: hashSha256(goodReason),
      request_id: reply.body.meta.request_id,
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(goodReason.split(': ')[1])
  expect(await countReveals()).toBe(1)
})

test('a reveal without a reason or from another site sends no service request', async () => {
  const seqBefore = await sandbox.lastSeq()
  const expectedRefusal = {
    status: 422,
    body: { error: { code: 'invalid_input', items: [{ reference: 'reason' }] } },
  }
  expect(await testStack.operator.reveal(buildUnmaskedPath(), null)).toMatchObject(expectedRefusal)
  expect(await testStack.operator.reveal(buildUnmaskedPath(), 'because')).toMatchObject(
    expectedRefusal,
  )
  for (const site of ['cross-site', 'same-site', 'none', '']) {
    const reply = await testStack.operator.reveal(buildUnmaskedPath(), goodReason, {
      'sec-fetch-site': site,
    })
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'other_site' } } })
  }
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

test('a reveal requires a role and the own account', async () => {
  const lastSeqBefore = await sandbox.lastSeq()
  const forbiddenReply = { status: 403, body: { error: { code: 'forbidden' } } }
  expect(await getPerson('viewer').reveal(buildUnmaskedPath())).toMatchObject(forbiddenReply)
  const otherAccountPerson = await signIn(testStack.dashboard.url, 'elsewhere@paydesk.test')
  expect(await otherAccountPerson.reveal(buildUnmaskedPath())).toMatchObject(forbiddenReply)
  expect(await readAuditRows(db, 'customers.unmask.denied')).toHaveLength(2)
  expect(await sandbox.requests(lastSeqBefore)).toEqual([])
})

test('a refusal of the service is audited and does not count as a reveal', async () => {
  const revealCountBefore = await countReveals()
  const bareAccount = prefixedAccountId.replace('acct_', '')
  await sandbox.configure(bareAccount, { allow_data_unmask: false })
  const reply = await testStack.operator.reveal(buildUnmaskedPath())
  await sandbox.configure(bareAccount, { allow_data_unmask: true })
  expect(reply).toMatchObject({ status: 502, body: { error: { code: 'service_forbidden' } } })
  expect(reply.body.data).toBeUndefined()
  expect(await readAuditRows(db, 'customers.unmask.refused')).toMatchObject([
    { fault: 'service_forbidden', target: `customers/${customerId}` },
  ])
  expect(await countReveals()).toBe(revealCountBefore)
})

test('data is not revealed if it cannot be audited', async () => {
  await db.query('alter table audit rename to audit_gone')
  const reply = await testStack.operator.reveal(buildUnmaskedPath())
  await db.query('alter table audit_gone rename to audit')
  expect(reply.status).toBe(500)
  expect(JSON.stringify(reply.body)).not.toContain(customerEmail)
})

test('of forty concurrent reveals thirty succeed, and the others get a retry time', async () => {
  const revealReplies = await Promise.all(
    Array.from({ length: 40 }, () =>
      getPerson('reviewer').reveal<UnmaskedCustomer>(buildUnmaskedPath()),
    ),
  )
  const revealedReplies = revealReplies.filter((reply) => reply.status === 200)
  const rateLimitedReplies = revealReplies.filter((reply) => reply.status === 429)
  expect([revealedReplies.length, rateLimitedReplies.length]).toEqual([30, 10])
  for (const { body, headers } of rateLimitedReplies) {
    expect(body).toMatchObject({ error: { code: 'too_many' } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600)
  }
  expect(
    (await readAuditRows(db, 'customers.unmask.refused')).filter((row) => row.fault === 'too_many'),
  ).toHaveLength(10)
  await db.query(`update reveals set at = at - interval '61 minutes'`)
  expect((await getPerson('reviewer').reveal(buildUnmaskedPath())).status).toBe(200)
})
