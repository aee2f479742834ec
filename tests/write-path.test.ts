import { createHash, randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deletionBases } from '@/lib/operations/deletion'
import { dialect } from './harness/dialect'
import { buildCustomerBody, type CreatedObject, createViaDesk, listActiveAccounts, makePaykey, readAuditRows } from './harness/objects'
import { goodReason, newKey, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let sandbox: Sandbox
let db: Client
let admin: Person
let account: string

beforeAll(async () => {
  desk = await startWholeDesk({ production: true })
  ;({ sandbox, db } = desk)
  admin = await desk.signIn('admin')
  const [first = ''] = await listActiveAccounts(admin)
  account = `acct_${first}`
})
afterAll(() => desk?.stop())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const listWritesSince = async (seq: number) => (await sandbox.requests(seq)).filter((row) => row.method !== 'GET')
const readStoredAccount = async (target: string) => {
  const [resource = '', id] = target.split('/')
  const { rows } = await db.query(`select account_id from mirror_${resource === 'payouts' ? 'payments' : resource} where id = $1`, [id])
  return rows[0]?.account_id as string | null | undefined
}
const toBareAccount = () => account.replace('acct_', '')

describe('a reason that Paydesk stores', () => {
  const reason = 'OWNER_MATCHED: Müller prüfte die Namen, they match'
  const warningHeaders = { 'action-warnings': 'approve_names:unknown' }
  const decidePaykey = (paykey: CreatedObject, beside: { key?: string; reason?: string; headers?: Record<string, string> }) =>
    admin.write(
      'PATCH',
      `/paykeys/${paykey.id}/review?account=${account}`,
      { status: 'active' },
      {
        ...beside,
        headers: { ...warningHeaders, ...beside.headers },
      },
    )

  test('is required and must be valid', async () => {
    const { paykey } = await makePaykey(admin, account, 'review')
    const seqBefore = await sandbox.lastSeq()
    const expectedRefusal = { status: 422, body: { error: { code: 'invalid_input', items: [{ reference: 'reason' }] } } }
    expect(await decidePaykey(paykey, {})).toMatchObject(expectedRefusal)
    expect(await decidePaykey(paykey, { reason: 'too short' })).toMatchObject(expectedRefusal)
    expect(await decidePaykey(paykey, { reason: 'it has no code in front of it' })).toMatchObject(expectedRefusal)
    expect(await decidePaykey(paykey, { headers: { 'action-reason': 'OWNER_MATCHED: cut off %E0%A4%A' } })).toMatchObject(expectedRefusal)
    expect(await sandbox.requests(seqBefore)).toEqual([])
  })

  test('is stored with the action, hashed in the audit log, and never sent', async () => {
    const { paykey } = await makePaykey(admin, account, 'review')
    const before = await sandbox.lastSeq()
    const reply = await decidePaykey(paykey, { reason })
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'active' }, action: { reason, effect_verified: null } } })
    const [sent] = await listWritesSince(before)
    expect(sent?.body_sha256).toBe(sha256('{"status":"active"}'))
    const rows = (await readAuditRows(db, 'paykeys.decide.applied')).filter((row) => row.action === reply.body.action?.id)
    expect(rows).toMatchObject([{ reason_code: 'OWNER_MATCHED', reason_sha256: sha256(reason), target: `paykeys/${paykey.id}` }])
    expect(JSON.stringify(rows)).not.toContain('Müller')
  })

  test('is part of the request, and another reason under the same key is another request', async () => {
    const { paykey } = await makePaykey(admin, account, 'review')
    const idempotencyKey = newKey()
    expect((await decidePaykey(paykey, { key: idempotencyKey, reason })).status).toBe(200)
    expect(await decidePaykey(paykey, { key: idempotencyKey, reason })).toMatchObject({ status: 200, replayed: true })
    expect(await decidePaykey(paykey, { key: idempotencyKey, reason: goodReason })).toMatchObject({
      status: 409,
      body: { error: { code: 'key_reused' } },
    })
  })

  test('that is sent is compared with the response', async () => {
    const { paykey } = await makePaykey(admin, account)
    const sentReason = 'BANK_CONFIRMED: the bank closed the account last week'
    const reply = await admin.write(
      'PUT',
      `/paykeys/${paykey.id}/cancel?account=${account}`,
      { reason: sentReason },
      { headers: { 'action-warnings': 'cancel_paykey' } },
    )
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { status: 'inactive' }, action: { reason: sentReason, effect_verified: true } },
    })
  })
})

describe('creating objects', () => {
  test('twenty times at once, with one key each, creates twenty, each with its creator', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => createViaDesk(admin, `/customers?account=${account}`, buildCustomerBody())),
    )
    const ids = replies.map((reply) => reply.made.id)
    expect(new Set(ids).size).toBe(20)
    expect(replies.map((reply) => reply.body.action?.target)).toEqual(ids.map((id) => `customers/${id}`))
    for (const id of ids) expect(await readStoredAccount(`customers/${id}`)).toBe(toBareAccount())
    const { body } = await admin.get<Record<string, unknown>[]>(`/api/sandbox/desk/actions?target=customers/${ids[0]}`)
    expect(body.data).toMatchObject([{ operation: 'customers.create', state: 'applied', account, own: true }])
  })

  test('twenty times with one key creates one', async () => {
    const before = await sandbox.lastSeq()
    const [key, body] = [newKey(), buildCustomerBody()]
    const where = `/customers?account=${account}`
    const replies = await Promise.all(Array.from({ length: 20 }, () => admin.write<CreatedObject>('POST', where, body, { key })))
    const createdReplies = replies.filter((reply) => reply.status === 201)
    const runningReplies = replies.filter((reply) => reply.status === 409 && reply.body.error?.code === 'in_progress')
    expect(createdReplies.length + runningReplies.length).toBe(20)
    expect(createdReplies.filter((reply) => !reply.replayed)).toHaveLength(1)
    expect(new Set(createdReplies.map((reply) => reply.body.data?.id)).size).toBe(1)
    expect(await listWritesSince(before)).toHaveLength(1)
  })

  test('by an operation on another object records the new object’s account, and the action’s target stays', async () => {
    const payout = await sandbox.makePayout({ account_id: toBareAccount(), status: 'cancelled' })
    const resubmitReply = await createViaDesk(admin, `/payouts/${payout.id}/resubmit?account=${account}`, {}, { reason: goodReason })
    expect(resubmitReply.made.id).not.toBe(payout.id)
    expect(resubmitReply.body.action?.target).toBe(`payouts/${payout.id}`)
    expect(await readStoredAccount(`payouts/${resubmitReply.made.id}`)).toBe(toBareAccount())
    const { paykey } = await makePaykey(admin, account)
    expect(await readStoredAccount(`paykeys/${paykey.id}`)).toBe(toBareAccount())
  })

  test('is not the only source: a list of one account records the account of its rows', async () => {
    const accounts = await listActiveAccounts(admin)
    const otherAccount = accounts[1] ?? ''
    const { body } = await admin.get<CreatedObject[]>(`/api/sandbox/v1/customers?account=acct_${otherAccount}&page_size=5`)
    const [row] = body.data ?? []
    // The row is stored after the response.
    const learntAccount = await waitUntil('the row to be learnt', async () => (await readStoredAccount(`customers/${row?.id}`)) ?? null)
    expect(learntAccount).toBe(otherAccount)
  })
})

test('every kind of object is compared with its snapshot, and the refusal contains the change', async () => {
  const { config: _, type: __, ...fields } = buildCustomerBody()
  const { made } = await createViaDesk(admin, `/customers?account=${account}`, buildCustomerBody())
  const readReply = await admin.get(`/api/sandbox/v1/customers/${made.id}?account=${account}`)
  const headers = { 'snapshot-hash': (readReply.body.meta as { snapshot?: string }).snapshot ?? '' }
  const changeName = (name: string) =>
    admin.write('PUT', `/customers/${made.id}?account=${account}`, { ...fields, name, status: 'verified' }, { headers, reason: goodReason })
  expect(await changeName('Amara Okafor-Lind')).toMatchObject({ status: 200, body: { data: { name: 'Amara Okafor-Lind' } } })
  const before = await sandbox.lastSeq()
  const conflictReply = await changeName('Amara O.')
  expect(conflictReply).toMatchObject({ status: 409, body: { error: { code: 'changed' }, data: { name: 'Amara Okafor-Lind' } } })
  expect(conflictReply.body.error?.detail).toContain('change a customer')
  expect(await listWritesSince(before)).toEqual([])
})

const retentionEnd = { asker: 'RETENTION_END', basis: deletionBases[0], identity_check: 'NOT_NEEDED' }

test('query fields are sent in the query, and a deletion has no body', async () => {
  const organizations = await admin.get<CreatedObject[]>('/api/sandbox/v1/organizations?page_size=1')
  const profile = { name: 'Sable & Finch Bakery', website: 'https://sable-finch.example.com' }
  const body = {
    organization_id: organizations.body.data?.[0]?.id,
    account_type: 'business',
    access_level: 'standard',
    business_profile: profile,
  }
  const { made } = await createViaDesk(admin, '/accounts', body)
  const before = await sandbox.lastSeq()
  const simulateReply = await createViaDesk(admin, `/accounts/${made.id}/simulate`, { final_status: 'onboarding' })
  expect(simulateReply).toMatchObject({ made: { status: 'onboarding' }, body: { action: { account: `acct_${made.id}` } } })
  const { made: customer } = await createViaDesk(desk.operator, `/customers?account=${account}`, buildCustomerBody())
  // Deleting a customer requires an open deletion request that another person made.
  const request = { id: randomUUID(), account, customer_id: customer.id, ...retentionEnd }
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
  expect((await desk.operator.post('/api/sandbox/desk/deletions', json)).status).toBe(201)
  const deleteReply = await admin.write('DELETE', `/customers/${customer.id}?account=${account}`, {}, { reason: goodReason })
  expect(deleteReply.status).toBe(200)
  const sentWrites = await listWritesSince(before)
  expect(sentWrites.find((row) => row.path.includes('simulate'))).toMatchObject({ account_header: null, status: 201 })
  expect(sentWrites.find((row) => row.method === 'DELETE')).toMatchObject({
    body_sha256: sha256(''),
    account_header: dialect.accountValue(account),
  })
})

test('a sandbox-only operation is refused in production before validation, and audited', async () => {
  const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
  for (const where of [`accounts/${id}/simulate`, 'funding_events/simulate']) {
    const reply = await admin.post(`/api/production/v1/${where}`, { headers: { 'idempotency-key': newKey() }, body: 'no JSON at all' })
    expect(reply).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', detail: expect.stringContaining('only in the sandbox') } },
    })
  }
  expect(await readAuditRows(db, 'accounts.simulate.denied')).toMatchObject([{ environment: 'production', target: `accounts/${id}` }])
  const arrivedResponse = await fetch(`${sandbox.production?.url}/sandbox/requests`)
  expect(((await arrivedResponse.json()) as { data: unknown[] }).data).toEqual([])
})

test('an operator cannot decide a customer’s review by an update, but can deactivate a verified one', async () => {
  const operator = desk.operator
  const changeStatus = (made: CreatedObject, status: string) =>
    operator.write('PUT', `/customers/${made.id}?account=${account}`, { name: made.name, status, metadata: {} }, { reason: goodReason })
  const { made: inReview } = await createViaDesk(admin, `/customers?account=${account}`, buildCustomerBody('review'))
  const before = await sandbox.lastSeq()
  expect(await changeStatus(inReview, 'verified')).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  expect(await listWritesSince(before)).toEqual([])
  expect((await changeStatus(inReview, 'review')).status).toBe(200)
  // Deactivating and reactivating a customer would skip a verification that is still running.
  const { made: pending } = await createViaDesk(admin, `/customers?account=${account}`, {
    ...buildCustomerBody(),
    config: { sandbox_outcome: 'review', processing_method: 'background' },
  })
  expect(pending.status).toBe('pending')
  expect(await changeStatus(pending, 'inactive')).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  const { made: verified } = await createViaDesk(admin, `/customers?account=${account}`, buildCustomerBody())
  expect((await changeStatus(verified, 'inactive')).status).toBe(200)
  expect((await changeStatus(verified, 'verified')).status).toBe(200)
})
