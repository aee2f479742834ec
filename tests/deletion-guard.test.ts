import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DeletionView } from '@/lib/operations/deletion'
import { type DeletionDesk, postJson, startDeletionDesk } from './harness/deletions'
import { followChanges } from './harness/follow-changes'
import {
  addLimitedPerson,
  buildBankAccountInput,
  createObjectViaDesk,
  readAuditRows,
} from './harness/objects'
import { type Person, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'

let testStack: DeletionDesk
let sandbox: Sandbox
let db: Client
let operator: Person
let reviewer: Person
let account: string

beforeAll(async () => {
  testStack = await startDeletionDesk(await openSharedDesk())
  ;({ sandbox, db, operator, reviewer, account } = testStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

describe('a deletion request', () => {
  test('is written once, however often it is sent', async () => {
    const { id } = await testStack.newCustomer()
    const deletionRequestBody = testStack.requestOf(id)
    const requestReplies = await Promise.all(
      [1, 2, 3].map(() => postJson(operator, '/api/sandbox/desk/deletions', deletionRequestBody)),
    )
    expect(requestReplies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(requestReplies.map(({ body: { data } }) => data?.id)).toEqual([
      deletionRequestBody.id,
      deletionRequestBody.id,
      deletionRequestBody.id,
    ])
    const rows = (await readAuditRows(db, 'deletions.request.applied')).filter(
      (row) => row.target === `customers/${id}`,
    )
    expect(rows).toMatchObject([{ reason_code: 'DATA_SUBJECT_REQUEST', account: account.slice(5) }])
    expect(
      await postJson(reviewer, '/api/sandbox/desk/deletions', testStack.requestOf(id)),
    ).toMatchObject({
      status: 409,
      body: { error: { code: 'changed' } },
    })
  })

  test('sends events to open pages when it is created and when it is executed', async () => {
    const changeFeed = await followChanges(reviewer)
    const { id } = await testStack.newCustomer()
    const deletionRequestId = await testStack.ask(id)
    const listDeletionChanges = () =>
      changeFeed
        .heard()
        .filter(({ resource, ids }) => resource === 'deletions' && ids?.includes(deletionRequestId))
    await waitUntil('the request to be told', () => listDeletionChanges()[0] ?? null)
    expect(listDeletionChanges()).toEqual([
      {
        resource: 'deletions',
        account: account.slice(5),
        ids: [deletionRequestId, id],
        shown_by: null,
        ago: expect.any(Number),
      },
    ])
    expect(await testStack.erase(id)).toMatchObject({ status: 200 })
    await waitUntil('its end to be told', () => listDeletionChanges()[1] ?? null)
    changeFeed.stop()
  })

  test('lists its invalid fields, and accepts only customers of the account', async () => {
    const { id } = await testStack.newCustomer()
    const invalidFieldsReply = await postJson(
      operator,
      '/api/sandbox/desk/deletions',
      testStack.requestOf(id, { identity_check: 'NOT_NEEDED', ticket: 'Jane Miller', note: 'x' }),
    )
    expect(invalidFieldsReply).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_input' } },
    })
    expect(invalidFieldsReply.body.error?.items?.map(({ reference }) => reference)).toEqual(
      expect.arrayContaining(['ticket', 'note']),
    )
    expect(
      await postJson(operator, '/api/sandbox/desk/deletions', testStack.requestOf(randomUUID())),
    ).toMatchObject({ status: 404 })
    expect(
      await postJson(
        operator,
        '/api/sandbox/desk/deletions',
        testStack.requestOf(id, { account: `acct_${testStack.elsewhere}` }),
      ),
    ).toMatchObject({
      status: 404,
    })
    expect(
      await postJson(operator, '/api/sandbox/desk/deletions', testStack.requestOf(id), {
        origin: 'https://evil.example',
      }),
    ).toMatchObject({
      status: 403,
    })
    expect((await db.query('select 1 from deletions where customer_id = $1', [id])).rowCount).toBe(
      0,
    )
  })

  test('by a viewer is refused and audited', async () => {
    const { id } = await testStack.newCustomer()
    const viewer = await signIn(testStack.dashboard.url, 'viewer')
    expect(
      await postJson(viewer, '/api/sandbox/desk/deletions', testStack.requestOf(id)),
    ).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
    const rows = await readAuditRows(db, 'deletions.request.denied')
    expect(rows.some((row) => row.target === `customers/${id}`)).toBe(true)
  })

  test('can be withdrawn, and then nothing is deleted', async () => {
    const { id } = await testStack.newCustomer()
    const withdrawnRequestId = await testStack.ask(id)
    expect(
      await postJson(operator, `/api/sandbox/desk/deletions/${withdrawnRequestId}/withdraw`),
    ).toMatchObject({
      status: 200,
      body: { data: { state: 'withdrawn' } },
    })
    expect(
      await postJson(operator, `/api/sandbox/desk/deletions/${withdrawnRequestId}/withdraw`),
    ).toMatchObject({ status: 409 })
    expect(await testStack.erase(id)).toMatchObject({ status: 400 })
    expect(await testStack.sentFor(id)).toEqual([])
  })

  test('is visible only to people of its account', async () => {
    const { id } = await testStack.newCustomer()
    const hiddenRequestId = await testStack.ask(id)
    await addLimitedPerson(db, 'other@paydesk.test', 'admin', testStack.elsewhere)
    const otherPerson = await signIn(testStack.dashboard.url, 'other@paydesk.test')
    expect(
      (await otherPerson.get<DeletionView[]>(`/api/sandbox/desk/deletions?customer=${id}`)).body
        .data,
    ).toEqual([])
    expect(
      await postJson(otherPerson, `/api/sandbox/desk/deletions/${hiddenRequestId}/withdraw`),
    ).toMatchObject({ status: 404 })
    expect(await (await reviewer.send(`/sandbox/deletions/${hiddenRequestId}`)).text()).toContain(
      'PRIV-1234',
    )
    expect(
      await (await otherPerson.send(`/sandbox/deletions/${hiddenRequestId}`)).text(),
    ).not.toContain('PRIV-1234')
    expect(
      (await otherPerson.send(`/api/sandbox/desk/deletions/${hiddenRequestId}/certificate`)).status,
    ).toBe(404)
    expect(await testStack.stateOf(hiddenRequestId)).toBe('requested')
  })
})

describe('the guard', () => {
  test('refuses a deletion without a request, sends nothing and audits it', async () => {
    const { id } = await testStack.newCustomer()
    expect(await testStack.erase(id)).toMatchObject({
      status: 400,
      body: {
        error: { code: 'bad_request', detail: expect.stringContaining('open deletion request') },
      },
    })
    expect(await testStack.sentFor(id)).toEqual([])
    expect(
      (
        await db.query('select 1 from actions where target = $1 and operation = $2', [
          `customers/${id}`,
          'customers.delete',
        ])
      ).rowCount,
    ).toBe(0)
    const rows = (await readAuditRows(db, 'customers.delete.blocked')).filter(
      (row) => row.target === `customers/${id}`,
    )
    expect(rows).toMatchObject([{ fault: 'no_request' }])
  })

  test('refuses while a payment waits, and allows it after that payment was canceled', async () => {
    const { id } = await testStack.newCustomer()
    const payout = await sandbox.makePayout({
      account_id: account.slice(5),
      customer_id: id,
      status: 'on_hold',
    })
    const pendingRequestId = await testStack.ask(id)
    const pageHtml = await (
      await reviewer.send(`/sandbox/customers/${id}/delete?account=${account}`)
    ).text()
    expect(pageHtml).toContain('1 payment is pending')
    expect(pageHtml).toContain(`/sandbox/payouts/${payout.id}`)
    expect(await testStack.erase(id)).toMatchObject({
      status: 409,
      body: { error: { code: 'changed', detail: expect.stringContaining('1 payment is pending') } },
    })
    expect(await testStack.sentFor(id)).toEqual([])
    expect(await operator.decide('cancel', payout)).toMatchObject({ status: 200 })
    expect(await testStack.erase(id)).toMatchObject({ status: 200 })
    expect(await testStack.stateOf(pendingRequestId)).toBe('executed')
    expect((await testStack.certificateOf(pendingRequestId)).certificate.impact?.payouts).toEqual([
      { status: 'cancelled', count: 1, sum: 12_345 },
    ])
  })

  test('refuses while a bank account is in review', async () => {
    const { id } = await testStack.newCustomer()
    await createObjectViaDesk(
      operator,
      `/bridge/bank_account?account=${account}`,
      buildBankAccountInput(id, 'review'),
    )
    await testStack.ask(id)
    expect(await testStack.erase(id)).toMatchObject({
      status: 409,
      body: { error: { detail: expect.stringContaining('1 bank account is in review') } },
    })
    expect(await testStack.sentFor(id)).toEqual([])
  })

  test('refuses while an action on a record of the customer is open', async () => {
    const { id } = await testStack.newCustomer()
    const payout = await sandbox.makePayout({
      account_id: account.slice(5),
      customer_id: id,
      status: 'on_hold',
    })
    await testStack.ask(id)
    await sandbox.fault({
      operation: 'payouts.cancel',
      match: payout.id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: null,
    })
    expect((await operator.decide('cancel', payout)).status).toBe(202)
    expect(await testStack.erase(id)).toMatchObject({
      status: 409,
      body: { error: { detail: expect.stringMatching(/payment is pending.*still in progress/) } },
    })
    expect(await testStack.sentFor(id)).toEqual([])
  })

  test('sends nothing if the affected records cannot be read', async () => {
    const { id } = await testStack.newCustomer()
    await testStack.ask(id)
    await sandbox.fault({
      operation: 'payments.search',
      match: id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: null,
    })
    expect(await testStack.erase(id)).toMatchObject({
      status: 503,
      body: { error: { code: 'not_sent' } },
    })
    expect(await testStack.sentFor(id)).toEqual([])
  })
})
