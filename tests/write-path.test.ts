import { createHash, randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deletionLegalBases } from '@/lib/operations/deletion'
import { dialect } from './harness/dialect'
import {
  buildCustomerBody,
  type CreatedObject,
  createObjectViaDesk,
  listActiveAccounts,
  makePaykey,
} from './harness/objects'
import { createIdempotencyKey, goodReason, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let db: Client
let admin: Person
let account: string

beforeAll(async () => {
  testStack = await startWholeDesk({ production: true })
  ;({ sandbox, db } = testStack)
  admin = await testStack.signIn('admin')
  const [first = ''] = await listActiveAccounts(admin)
  account = `acct_${first}`
})
afterAll(() => testStack?.stop())

const hashSha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const listWritesSince = async (seq: number) =>
  (await sandbox.requests(seq)).filter((row) => row.method !== 'GET')
const readStoredAccountId = async (target: string) => {
  const [resource = '', id] = target.split('/')
  const { rows } = await db.query(
    `select account_id from mirror_${resource === 'payouts' ? 'payments' : resource} where id = $1`,
    [id],
  )
  return rows[0]?.account_id as string | null | undefined
}
const getBareAccountId = () => account.replace('acct_', '')

describe('creating objects', () => {
  test('twenty times at once, with one key each, creates twenty, each with its creator', async () => {
    const creationReplies = await Promise.all(
      Array.from({ length: 20 }, () =>
        createObjectViaDesk(admin, `/customers?account=${account}`, buildCustomerBody()),
      ),
    )
    const createdIds = creationReplies.map((reply) => reply.made.id)
    expect(new Set(createdIds).size).toBe(20)
    expect(creationReplies.map((reply) => reply.body.action?.target)).toEqual(
      createdIds.map((id) => `customers/${id}`),
    )
    for (const id of createdIds)
      expect(await readStoredAccountId(`customers/${id}`)).toBe(getBareAccountId())
    const { body } = await admin.get<Record<string, unknown>[]>(
      `/api/sandbox/desk/actions?target=customers/${createdIds[0]}`,
    )
    expect(body.data).toMatchObject([
      { operation: 'customers.create', state: 'applied', account, own: true },
    ])
  })

  test('twenty times with one key creates one', async () => {
    const seqBeforeCreation = await sandbox.lastSeq()
    const [key, body] = [createIdempotencyKey(), buildCustomerBody()]
    const customersPath = `/customers?account=${account}`
    const sameKeyReplies = await Promise.all(
      Array.from({ length: 20 }, () =>
        admin.write<CreatedObject>('POST', customersPath, body, { key }),
      ),
    )
    const createdReplies = sameKeyReplies.filter((reply) => reply.status === 201)
    const inProgressReplies = sameKeyReplies.filter(
      (reply) => reply.status === 409 && reply.body.error?.code === 'in_progress',
    )
    expect(createdReplies.length + inProgressReplies.length).toBe(20)
    expect(createdReplies.filter((reply) => !reply.replayed)).toHaveLength(1)
    expect(new Set(createdReplies.map((reply) => reply.body.data?.id)).size).toBe(1)
    expect(await listWritesSince(seqBeforeCreation)).toHaveLength(1)
  })

  test('by an operation on another object records the new object’s account, and the action’s target stays', async () => {
    const payout = await sandbox.makePayout({ account_id: getBareAccountId(), status: 'cancelled' })
    const resubmitReply = await createObjectViaDesk(
      admin,
      `/payouts/${payout.id}/resubmit?account=${account}`,
      {},
      { reason: goodReason },
    )
    expect(resubmitReply.made.id).not.toBe(payout.id)
    expect(resubmitReply.body.action?.target).toBe(`payouts/${payout.id}`)
    expect(await readStoredAccountId(`payouts/${resubmitReply.made.id}`)).toBe(getBareAccountId())
    const { paykey } = await makePaykey(admin, account)
    expect(await readStoredAccountId(`paykeys/${paykey.id}`)).toBe(getBareAccountId())
  })

  test('is not the only source: a list of one account records the account of its rows', async () => {
    const activeAccountIds = await listActiveAccounts(admin)
    const otherAccount = activeAccountIds[1] ?? ''
    const { body } = await admin.get<CreatedObject[]>(
      `/api/sandbox/v1/customers?account=acct_${otherAccount}&page_size=5`,
    )
    const [row] = body.data ?? []
    // Paydesk stores the row only after it has sent the response.
    const storedAccountId = await waitUntil(
      'the row to be learnt',
      async () => (await readStoredAccountId(`customers/${row?.id}`)) ?? null,
    )
    expect(storedAccountId).toBe(otherAccount)
  })
})

test('every kind of object is compared with its snapshot, and the refusal contains the change', async () => {
  const { config: _, type: __, ...fields } = buildCustomerBody()
  const { made } = await createObjectViaDesk(
    admin,
    `/customers?account=${account}`,
    buildCustomerBody(),
  )
  const readReply = await admin.get(`/api/sandbox/v1/customers/${made.id}?account=${account}`)
  const snapshotHeaders = {
    'snapshot-hash': (readReply.body.meta as { snapshot?: string }).snapshot ?? '',
  }
  const changeCustomerName = (name: string) =>
    admin.write(
      'PUT',
      `/customers/${made.id}?account=${account}`,
      { ...fields, name, status: 'verified' },
      { headers: snapshotHeaders, reason: goodReason },
    )
  expect(await changeCustomerName('Amara Okafor-Lind')).toMatchObject({
    status: 200,
    body: { data: { name: 'Amara Okafor-Lind' } },
  })
  const seqBeforeConflict = await sandbox.lastSeq()
  const conflictReply = await changeCustomerName('Amara O.')
  expect(conflictReply).toMatchObject({
    status: 409,
    body: { error: { code: 'changed' }, data: { name: 'Amara Okafor-Lind' } },
  })
  expect(conflictReply.body.error?.detail).toContain('change a customer')
  expect(await listWritesSince(seqBeforeConflict)).toEqual([])
})

const deletionRequestFields = {
  asker: 'RETENTION_END',
  basis: deletionLegalBases[0],
  identity_check: 'NOT_NEEDED',
}

test('query fields are sent in the query, and a deletion has no body', async () => {
  const organizationsReply = await admin.get<CreatedObject[]>(
    '/api/sandbox/v1/organizations?page_size=1',
  )
  const businessProfile = {
    name: 'Sable & Finch Bakery',
    website: 'https://sable-finch.example.com',
  }
  const body = {
    organization_id: organizationsReply.body.data?.[0]?.id,
    account_type: 'business',
    access_level: 'standard',
    business_profile: businessProfile,
  }
  const { made } = await createObjectViaDesk(admin, '/accounts', body)
  const seqBeforeSimulation = await sandbox.lastSeq()
  const simulateReply = await createObjectViaDesk(admin, `/accounts/${made.id}/simulate`, {
    final_status: 'onboarding',
  })
  expect(simulateReply).toMatchObject({
    made: { status: 'onboarding' },
    body: { action: { account: `acct_${made.id}` } },
  })
  const { made: customer } = await createObjectViaDesk(
    testStack.operator,
    `/customers?account=${account}`,
    buildCustomerBody(),
  )
  // Deleting a customer requires an open deletion request that another person made.
  const deletionRequest = {
    id: randomUUID(),
    account,
    customer_id: customer.id,
    ...deletionRequestFields,
  }
  const requestInit = {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(deletionRequest),
  }
  expect((await testStack.operator.post('/api/sandbox/desk/deletions', requestInit)).status).toBe(
    201,
  )
  const deleteReply = await admin.write(
    'DELETE',
    `/customers/${customer.id}?account=${account}`,
    {},
    { reason: goodReason },
  )
  expect(deleteReply.status).toBe(200)
  const sentWrites = await listWritesSince(seqBeforeSimulation)
  expect(sentWrites.find((row) => row.path.includes('simulate'))).toMatchObject({
    account_header: null,
    status: 201,
  })
  expect(sentWrites.find((row) => row.method === 'DELETE')).toMatchObject({
    body_sha256: hashSha256(''),
    account_header: dialect.accountValue(account),
  })
})
