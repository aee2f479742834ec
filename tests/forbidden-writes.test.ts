import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  buildCustomerBody,
  type CreatedObject,
  createObjectViaDesk,
  listActiveAccounts,
  readAuditRows,
} from './harness/objects'
import { createIdempotencyKey, goodReason, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
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

test('a sandbox-only operation is refused in production before validation, and audited', async () => {
  const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
  for (const operationPath of [`accounts/${id}/simulate`, 'funding_events/simulate']) {
    const reply = await admin.post(`/api/production/v1/${operationPath}`, {
      headers: { 'idempotency-key': createIdempotencyKey() },
      body: 'no JSON at all',
    })
    expect(reply).toMatchObject({
      status: 403,
      body: {
        error: { code: 'forbidden', detail: expect.stringContaining('only in the sandbox') },
      },
    })
  }
  expect(await readAuditRows(db, 'accounts.simulate.denied')).toMatchObject([
    { environment: 'production', target: `accounts/${id}` },
  ])
  const requestsResponse = await fetch(`${sandbox.production?.url}/sandbox/requests`)
  expect(((await requestsResponse.json()) as { data: unknown[] }).data).toEqual([])
})

test('an operator cannot decide a customer’s review by an update, but can deactivate a verified one', async () => {
  const operator = testStack.operator
  const changeCustomerStatus = (made: CreatedObject, status: string) =>
    operator.write(
      'PUT',
      `/customers/${made.id}?account=${account}`,
      { name: made.name, status, metadata: {} },
      { reason: goodReason },
    )
  const { made: customerInReview } = await createObjectViaDesk(
    admin,
    `/customers?account=${account}`,
    buildCustomerBody('review'),
  )
  const seqBefore = await sandbox.lastSeq()
  expect(await changeCustomerStatus(customerInReview, 'verified')).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  const laterRequests = await sandbox.requests(seqBefore)
  expect(laterRequests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect((await changeCustomerStatus(customerInReview, 'review')).status).toBe(200)
  // A pending customer is still being verified. Deactivating and then reactivating the customer
  // would skip this verification.
  const { made: pendingCustomer } = await createObjectViaDesk(
    admin,
    `/customers?account=${account}`,
    {
      ...buildCustomerBody(),
      config: { sandbox_outcome: 'review', processing_method: 'background' },
    },
  )
  expect(pendingCustomer.status).toBe('pending')
  expect(await changeCustomerStatus(pendingCustomer, 'inactive')).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  const { made: verifiedCustomer } = await createObjectViaDesk(
    admin,
    `/customers?account=${account}`,
    buildCustomerBody(),
  )
  expect((await changeCustomerStatus(verifiedCustomer, 'inactive')).status).toBe(200)
  expect((await changeCustomerStatus(verifiedCustomer, 'verified')).status).toBe(200)
})
