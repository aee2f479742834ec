import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildCustomerBody, createObjectViaDesk, listActiveAccounts } from './harness/objects'
import { createIdempotencyKey, goodReason, type Person, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

let testStack: IsolatedDesk
let sandbox: Sandbox
let db: Client
let operator: Person
let prefixedAccountId: string

beforeAll(async () => {
  testStack = await startWholeDesk()
  ;({ sandbox, db, operator } = testStack)
  prefixedAccountId = `acct_${(await listActiveAccounts(operator))[0]}`
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

type LogRow = Record<string, unknown>

/** Waits for the log row of a request, by the request id in its response. Returns the row. */
const waitForLogRow = (requestId: string | undefined): Promise<LogRow> =>
  waitUntil(`the row of ${requestId}`, async () => {
    const { rows } = await db.query('select * from request_log where request_id = $1', [requestId])
    return (rows[0] as LogRow | undefined) ?? null
  })

const getBareAccountId = () => prefixedAccountId.replace('acct_', '')

test('a read writes a row with IDs and figures', async () => {
  const payout = await sandbox.makePayout({ account_id: getBareAccountId() })
  const { body } = await operator.get(
    `/api/sandbox/v1/payouts/${payout.id}?account=${prefixedAccountId}`,
  )
  const logRow = await waitForLogRow(body.meta.request_id)
  expect(logRow).toMatchObject({
    environment: 'sandbox',
    operation: 'payouts.get',
    account_id: getBareAccountId(),
    target: `payouts/${payout.id}`,
    api_request_id: body.meta.api_request_id,
    status: 200,
    attempts: 1,
    replayed: false,
    action_id: null,
    error_code: null,
    error_detail: null,
  })
  expect(Number(logRow.took_ms)).toBeGreaterThan(0)
  const { rows } = await db.query('select name from people where id = $1', [logRow.actor_id])
  expect(rows).toEqual([{ name: 'Omar Operator' }])
})

test('a write has a row with its action, its attempts and the created object', async () => {
  const [idempotencyKey, customerBody] = [createIdempotencyKey(), buildCustomerBody()]
  await sandbox.fault({
    operation: 'customers.create',
    match: idempotencyKey,
    kind: 'reset',
    at: 'after',
  })
  const { made, body: answer } = await createObjectViaDesk(
    operator,
    `/customers?account=${prefixedAccountId}`,
    customerBody,
    {
      key: idempotencyKey,
    },
  )
  const target = `customers/${made.id}`
  expect(await waitForLogRow(answer.meta.request_id)).toMatchObject({
    status: 201,
    attempts: 2,
    action_id: answer.action?.id,
    target,
  })
  await createObjectViaDesk(operator, `/customers?account=${prefixedAccountId}`, customerBody, {
    key: idempotencyKey,
  })
  const requestLogRows = await waitUntil('the replay', async () => {
    const requestLogResult = await db.query(
      'select replayed from request_log where target = $1 order by at',
      [target],
    )
    return requestLogResult.rowCount === 2 ? requestLogResult.rows : null
  })
  expect(requestLogRows).toEqual([{ replayed: false }, { replayed: true }])
})

test('a refusal has a row with the service’s text but without values', async () => {
  const payout = await sandbox.makePayout({ account_id: getBareAccountId(), status: 'paid' })
  const refusedReply = await operator.decide('hold', payout)
  const row = await waitForLogRow(refusedReply.body.meta.request_id)
  expect(row).toMatchObject({
    status: 422,
    error_code: 'service_refused',
    attempts: 1,
    error_detail: expect.stringContaining('paid'),
  })
  expect(String(row.error_detail)).not.toMatch(/\d/)
})

test('a refusal by Paydesk has a row too', async () => {
  const viewer = await signIn(testStack.dashboard.url, 'viewer')
  const payout = await sandbox.makePayout({ account_id: getBareAccountId() })
  const deniedReply = await viewer.decide('release', payout)
  expect(await waitForLogRow(deniedReply.body.meta.request_id)).toMatchObject({
    status: 403,
    error_code: 'forbidden',
    attempts: 0,
    error_detail: null,
  })
  const unknownAccountReply = await operator.write(
    'PATCH',
    `/paykeys/${payout.id}/unblock?account=nobody`,
  )
  expect(await waitForLogRow(unknownAccountReply.body.meta.request_id)).toMatchObject({
    operation: 'paykeys.unblock',
    attempts: 0,
    account_id: null,
  })
})

test('no row contains a body, a query or a reason', async () => {
  const { body } = await operator.get(
    `/api/sandbox/v1/payments?account=${prefixedAccountId}&search_text=canarysearch`,
  )
  await waitForLogRow(body.meta.request_id)
  const namedCustomer = { ...buildCustomerBody(), name: 'Canary Name' }
  await waitForLogRow(
    (await createObjectViaDesk(operator, `/customers?account=${prefixedAccountId}`, namedCustomer))
      .body.meta.request_id,
  )
  const { rows } = await db.query('select r::text as row from request_log r')
  const logText = JSON.stringify(rows)
  expect(rows.length).toBeGreaterThan(5)
  for (const word of ['canarysearch', 'Canary', 'example.org', goodReason])
    expect(logText).not.toContain(word)
})

test('two hundred concurrent requests are all logged', async () => {
  const rowCountBefore = Number((await db.query('select count(*) as n from request_log')).rows[0].n)
  await Promise.all(
    Array.from({ length: 200 }, () =>
      operator.get(`/api/sandbox/v1/payments?account=${prefixedAccountId}&page_size=1`),
    ),
  )
  await waitUntil('two hundred rows', async () => {
    const { rows } = await db.query('select count(*) as n from request_log')
    return Number(rows[0].n) === rowCountBefore + 200 ? true : null
  })
})

test('a failing log does not fail requests, is reported once, and continues after the repair', async () => {
  await db.query('alter table request_log rename to request_log_gone')
  const readPaymentList = () =>
    operator.get(`/api/sandbox/v1/payments?account=${prefixedAccountId}&page_size=1`)
  const countLogWriteErrors = () =>
    testStack.dashboard.log().split('request_log.not_written').length - 1
  expect((await readPaymentList()).status).toBe(200)
  await waitUntil('the failure to be said', () => (countLogWriteErrors() === 1 ? true : null))
  for (let time = 0; time < 60; time += 1) expect((await readPaymentList()).status).toBe(200)
  await db.query('alter table request_log_gone rename to request_log')
  // The server writes its log rows in batches. Several batches failed while the table was missing,
  // but the server must report only the first failure.
  expect(countLogWriteErrors()).toBe(1)
  await waitForLogRow((await readPaymentList()).body.meta.request_id)
})

test('rows are deleted after ninety days, and pending rows are written at a stop', async () => {
  const insertLogRowSql = `insert into request_log (id, at, environment, operation, actor_id, request_id, status, took_ms)
    select gen_random_uuid(), now() - $1::interval, 'sandbox', 'payouts.get', id, $2, 200, 1 from people limit 1`
  await db.query(insertLogRowSql, ['91 days', 'req_old'])
  await db.query(insertLogRowSql, ['89 days', 'req_young'])
  const lastReply = await operator.get(
    `/api/sandbox/v1/payments?account=${prefixedAccountId}&page_size=1`,
  )
  await testStack.dashboard.end()
  await waitForLogRow(lastReply.body.meta.request_id)
  await testStack.dashboard.restart()
  await waitUntil('the old row to go', async () => {
    const { rowCount } = await db.query(`select 1 from request_log where request_id = 'req_old'`)
    return rowCount === 0 ? true : null
  })
  expect(await waitForLogRow('req_young')).toBeDefined()
})
