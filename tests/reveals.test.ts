import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addLimitedPerson, buildCustomerBody, createViaDesk, listActiveAccounts, readAuditRows } from './harness/objects'
import { goodReason, type Person, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

type Unmasked = { id: string; email: string; phone: string }

let desk: WholeDesk
let sandbox: Sandbox
let db: Client
let account: string
let email: string
let id: string
const person: Record<string, Person> = {}

beforeAll(async () => {
  desk = await openSharedDesk()
  ;({ sandbox, db } = desk)
  for (const role of ['admin', 'reviewer', 'viewer'] as const) person[role] = await signIn(desk.dashboard.url, role)
  const [first = '', second = ''] = await listActiveAccounts(getPerson('admin'))
  account = `acct_${first}`
  await sandbox.configure(first, { allow_data_unmask: true })
  await addLimitedPerson(db, 'elsewhere@paydesk.test', 'operator', second)
  const body = buildCustomerBody()
  email = body.email
  ;({ id } = (await createViaDesk(getPerson('admin'), `/customers?account=${account}`, body)).made)
})
afterAll(() => desk?.stop())

function getPerson(role: string): Person {
  const found = person[role]
  if (!found) throw new Error(`nobody is ${role}`)
  return found
}

const findCustomerPath = () => `/customers/${id}/unmasked?account=${account}`
const countReveals = async () => Number((await db.query('select count(*) as n from reveals')).rows[0].n)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('masked data is revealed for a reason and audited', async () => {
  const maskedReply = await getPerson('admin').get<Unmasked>(`/api/sandbox/v1/customers/${id}?account=${account}`)
  expect(maskedReply.body.data?.email).not.toBe(email)
  const reply = await desk.operator.reveal<Unmasked>(findCustomerPath())
  expect(reply).toMatchObject({ status: 200, body: { data: { id, email, phone: '+15125550123' }, meta: { reveals_left: 29 } } })
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  const rows = await readAuditRows(db, 'customers.unmask.applied')
  expect(rows).toMatchObject([
    {
      environment: 'sandbox',
      account: account.replace('acct_', ''),
      target: `customers/${id}`,
      reason_code: 'AUTH_PROOF_OK',
      reason_sha256: sha256(goodReason),
      request_id: reply.body.meta.request_id,
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(goodReason.split(': ')[1])
  expect(await countReveals()).toBe(1)
})

test('a reveal without a reason or from another site sends no service request', async () => {
  const seqBefore = await sandbox.lastSeq()
  const expectedRefusal = { status: 422, body: { error: { code: 'invalid_input', items: [{ reference: 'reason' }] } } }
  expect(await desk.operator.reveal(findCustomerPath(), null)).toMatchObject(expectedRefusal)
  expect(await desk.operator.reveal(findCustomerPath(), 'because')).toMatchObject(expectedRefusal)
  for (const site of ['cross-site', 'same-site', 'none', '']) {
    const reply = await desk.operator.reveal(findCustomerPath(), goodReason, { 'sec-fetch-site': site })
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'other_site' } } })
  }
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

test('a reveal requires a role and the own account', async () => {
  const before = await sandbox.lastSeq()
  const forbidden = { status: 403, body: { error: { code: 'forbidden' } } }
  expect(await getPerson('viewer').reveal(findCustomerPath())).toMatchObject(forbidden)
  const otherAccountPerson = await signIn(desk.dashboard.url, 'elsewhere@paydesk.test')
  expect(await otherAccountPerson.reveal(findCustomerPath())).toMatchObject(forbidden)
  expect(await readAuditRows(db, 'customers.unmask.denied')).toHaveLength(2)
  expect(await sandbox.requests(before)).toEqual([])
})

test('a refusal of the service is audited and does not count as a reveal', async () => {
  const revealsBefore = await countReveals()
  const bareAccount = account.replace('acct_', '')
  await sandbox.configure(bareAccount, { allow_data_unmask: false })
  const reply = await desk.operator.reveal(findCustomerPath())
  await sandbox.configure(bareAccount, { allow_data_unmask: true })
  expect(reply).toMatchObject({ status: 502, body: { error: { code: 'service_forbidden' } } })
  expect(reply.body.data).toBeUndefined()
  expect(await readAuditRows(db, 'customers.unmask.refused')).toMatchObject([{ fault: 'service_forbidden', target: `customers/${id}` }])
  expect(await countReveals()).toBe(revealsBefore)
})

test('data is not revealed if it cannot be audited', async () => {
  await db.query('alter table audit rename to audit_gone')
  const reply = await desk.operator.reveal(findCustomerPath())
  await db.query('alter table audit_gone rename to audit')
  expect(reply.status).toBe(500)
  expect(JSON.stringify(reply.body)).not.toContain(email)
})

test('of forty concurrent reveals thirty succeed, and the others get a retry time', async () => {
  const replies = await Promise.all(Array.from({ length: 40 }, () => getPerson('reviewer').reveal<Unmasked>(findCustomerPath())))
  const revealedReplies = replies.filter((reply) => reply.status === 200)
  const waitingReplies = replies.filter((reply) => reply.status === 429)
  expect([revealedReplies.length, waitingReplies.length]).toEqual([30, 10])
  for (const { body, headers } of waitingReplies) {
    expect(body).toMatchObject({ error: { code: 'too_many' } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600)
  }
  expect((await readAuditRows(db, 'customers.unmask.refused')).filter((row) => row.fault === 'too_many')).toHaveLength(10)
  await db.query(`update reveals set at = at - interval '61 minutes'`)
  expect((await getPerson('reviewer').reveal(findCustomerPath())).status).toBe(200)
})
