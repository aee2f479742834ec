import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { decideAsTwoAdmins } from './harness/decide-as-two-admins'
import { type DeletionDesk, startDeletionDesk } from './harness/deletions'
import { buildPayoutBody, createObjectViaDesk, makePaykey, readAuditRows } from './harness/objects'
import { createIdempotencyKey, goodReason, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'

let testStack: DeletionDesk
let sandbox: Sandbox
let reviewer: Person
let account: string

beforeAll(async () => {
  testStack = await startDeletionDesk(await openSharedDesk())
  ;({ sandbox, reviewer, account } = testStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

test('a deletion is sent once, and a second one finds no open request under any key', async () => {
  const { id } = await testStack.newCustomer()
  await testStack.ask(id)
  expect(await testStack.erase(id)).toMatchObject({ status: 200 })
  expect(await testStack.erase(id)).toMatchObject({ status: 400 })
  expect(await testStack.sentFor(id)).toHaveLength(1)
})

test('a payment of a deleted customer says so in each list of payments', async () => {
  const { customer, paykey } = await makePaykey(testStack.operator, account)
  const { made: payout } = await createObjectViaDesk(
    testStack.operator,
    `/payouts?account=${account}`,
    buildPayoutBody(paykey.id),
    { reason: goodReason },
  )
  expect(await testStack.operator.decide('cancel', { id: payout.id, account })).toMatchObject({
    status: 200,
  })
  await testStack.ask(customer.id)
  expect(await testStack.erase(customer.id)).toMatchObject({ status: 200 })
  for (const list of ['payouts', 'payments'])
    await waitUntil(`the deleted customer in the list of ${list}`, async () => {
      const listPath = `/sandbox/${list}?tab=all&account=${account}&customer_id=${customer.id}`
      const html = await (await testStack.operator.send(listPath)).text()
      return html.includes('Deleted customer') ? true : null
    })
})

test('questions about a payment of a deleted customer lose their texts', async () => {
  const { operator } = testStack
  const { id: customer_id } = await testStack.newCustomer()
  const account_id = account.replace('acct_', '')
  const payout = await sandbox.makePayout({ customer_id, account_id, amount: 600_000 })
  const requested = await operator.decide('release', payout)
  const actionId = requested.body.action?.id ?? ''
  const send = (person: Person, verb: string, body: object) =>
    person.post(`/api/sandbox/desk/approvals/${actionId}/${verb}`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await send(reviewer, 'ask', { question: 'Does Ada live in Austin?' })).status).toBe(200)
  expect((await send(operator, 'answer', { answer: 'Ada lives in Austin.' })).status).toBe(200)
  expect((await send(operator, 'withdraw', {})).status).toBe(200)
  expect((await operator.decide('cancel', payout)).status).toBe(200)
  await testStack.ask(customer_id)
  expect((await testStack.erase(customer_id)).status).toBe(200)
  await waitUntil('the purge of the question', async () => {
    const { rows } = await testStack.db.query(
      'select question, answer from approval_questions where action_id = $1',
      [actionId],
    )
    expect(rows).toHaveLength(1)
    return JSON.stringify(rows).includes('Ada') ? null : true
  })
})

test('ten concurrent deletions have one effect', async () => {
  const { id } = await testStack.newCustomer()
  const deletionRequestId = await testStack.ask(id)
  const replies = await Promise.all(Array.from({ length: 10 }, () => testStack.erase(id)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await testStack.sentFor(id)).toHaveLength(1)
  // The ten requests may have used up the call limit. Then a background job writes the certificate
  // later, within 15 s.
  await expect
    .poll(() => testStack.stateOf(deletionRequestId), { timeout: 30_000 })
    .toBe('executed')
  expect(
    (await readAuditRows(testStack.db, 'deletions.certify.applied')).filter(
      (row) => row.target === `customers/${id}`,
    ),
  ).toHaveLength(1)
})

test('a deletion that another window executed during its checks sends nothing', async () => {
  const { id } = await testStack.newCustomer()
  const customerDeletionRequestId = await testStack.ask(id)
  const sendConfirmedDeletion = await testStack.provenErase(id)
  await sandbox.fault({
    operation: 'paykeys.list',
    match: id,
    kind: 'delay',
    at: 'after',
    ms: 5000,
    count: 1,
  })
  const seqBefore = await sandbox.lastSeq()
  const deletionReplyPromise = sendConfirmedDeletion()
  await vi.waitFor(async () =>
    expect((await sandbox.requests(seqBefore)).some(({ path }) => path.endsWith('/paykeys'))).toBe(
      true,
    ),
  )
  expect(await testStack.erase(id)).toMatchObject({ status: 200 })
  expect(await testStack.stateOf(customerDeletionRequestId)).toBe('executed')
  const refusedReply = await deletionReplyPromise
  expect(await testStack.sentFor(id)).toHaveLength(1)
  expect(refusedReply).toMatchObject({
    status: 409,
    body: { error: { detail: expect.stringContaining('carried out at the same time') } },
  })
})

test('a deletion whose response was lost is settled by its replay, as the certificate records', async () => {
  const { id } = await testStack.newCustomer()
  const ownDeletionRequestId = await testStack.ask(id)
  await sandbox.fault({ operation: 'customers.delete', match: id, kind: 'reset', at: 'after' })
  expect(await testStack.erase(id)).toMatchObject({ status: 200 })
  expect((await testStack.certificateOf(ownDeletionRequestId)).certificate.provider).toMatchObject({
    proof: 'replayed answer',
    attempts: [{ status: null }, { status: 200 }],
  })
  expect(await sandbox.journal(id)).toMatchObject([
    { operation: 'customers.create' },
    { operation: 'customers.delete' },
  ])
})

test('a deletion that finds no customer in its replay is not ours until a person decides so', async () => {
  const { id } = await testStack.newCustomer()
  const request = await testStack.ask(id)
  await sandbox.fault({
    operation: 'customers.delete',
    match: id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 3,
  })
  const firstReply = await testStack.erase(id)
  expect(firstReply.status).toBe(202)
  const actionId = firstReply.body.action?.id ?? ''
  // Deletes the customer directly at the service, not through Paydesk.
  const serviceHeaders = {
    authorization: `Bearer ${sandbox.keys.full}`,
    'service-account-id': account,
    'idempotency-key': createIdempotencyKey(),
  }
  expect(
    (
      await fetch(`${sandbox.url}/v1/customers/${id}`, {
        method: 'DELETE',
        headers: serviceHeaders,
      })
    ).status,
  ).toBe(200)
  expect(await reviewer.check(actionId)).toMatchObject({
    body: { action: { state: 'needs_human' } },
  })
  expect(await testStack.stateOf(request)).toBe('requested')
  const sentDeletionCountBefore = (await testStack.sentFor(id)).length
  expect(await testStack.erase(id)).toMatchObject({
    status: 409,
    body: { error: { detail: expect.stringContaining('still in progress') } },
  })
  expect(await testStack.sentFor(id)).toHaveLength(sentDeletionCountBefore)

  await decideAsTwoAdmins(testStack.dashboard.url, actionId, 'applied')
  expect((await reviewer.send('/sandbox/deletions')).status).toBe(200)
  expect(
    await waitUntil('the deletion to be finished', async () =>
      (await testStack.stateOf(request)) === 'executed' ? true : null,
    ),
  ).toBe(true)
  expect((await testStack.certificateOf(request)).certificate.provider.proof).toBe(
    'decided by a person',
  )
})

test('a deletion that the service refuses leaves the request open and all data in place', async () => {
  const { id } = await testStack.newCustomer()
  const request = await testStack.ask(id)
  await sandbox.fault({ operation: 'customers.delete', match: id, kind: 'status', status: 422 })
  expect(await testStack.erase(id)).toMatchObject({
    status: 422,
    body: { error: { code: 'service_refused' } },
  })
  expect(await testStack.stateOf(request)).toBe('requested')
  expect(await reviewer.get(`/api/sandbox/v1/customers/${id}?account=${account}`)).toMatchObject({
    status: 200,
  })
  expect((await reviewer.send(`/api/sandbox/desk/deletions/${request}/certificate`)).status).toBe(
    404,
  )
})
