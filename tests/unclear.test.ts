import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildCustomerBody, listActiveAccounts } from './harness/objects'
import { createIdempotencyKey, goodReason, type Person, signIn } from './harness/person'
import type { MadePayout, Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let dashboard: WholeDesk['dashboard']
let db: Client
let operator: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, dashboard, db, operator } = testStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

const buildReleaseFault = ({ id }: MadePayout) => ({ operation: 'payouts.release', match: id })
const readActionState = async (payout: MadePayout) =>
  (await db.query('select state from actions where target = $1', [`payouts/${payout.id}`])).rows[0]
    ?.state as string | undefined
const makeCheckDue = (payout: MadePayout) =>
  db.query('update actions set next_check_at = now() where target = $1', [`payouts/${payout.id}`])
const waitForActionState = (payout: MadePayout, state: string) =>
  waitUntil(state, async () => ((await readActionState(payout)) === state ? true : null))
const readAuditRows = async (payout: MadePayout, code: string) =>
  (
    await db.query(
      `select body::json as body from audit where body::json ->> 'target' = $1 and body::json ->> 'code' = $2`,
      [`payouts/${payout.id}`, code],
    )
  ).rows.map((row) => row.body as Record<string, unknown>)

test.each([
  ['a 404 page', { status: 404, body: 'html' }],
  ['an empty 404', { status: 404, body: 'none' }],
  ['a 400 page', { status: 400, body: 'html' }],
  ['a 401', { status: 401, body: 'json' }],
])('%s after a lost response does not settle the first attempt', async (_name, answer) => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({ ...buildReleaseFault(payout), kind: 'reset', at: 'after' })
  await sandbox.fault({ ...buildReleaseFault(payout), kind: 'status', ...answer })
  expect(await operator.decide('release', payout)).toMatchObject({
    status: 202,
    body: { action: { state: 'unknown' } },
  })
  await makeCheckDue(payout)
  await waitForActionState(payout, 'applied')
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a process that resumes a day after its first attempt sends nothing more', async () => {
  const payout = await sandbox.makePayout()
  const seqBefore = await sandbox.lastSeq()
  await sandbox.fault({
    ...buildReleaseFault(payout),
    kind: 'status',
    status: 500,
    body: 'none',
    count: 5,
  })
  // This trigger sets the time of the first attempt to 21 hours ago before the second attempt
  // begins. Paydesk repeats a request for at most 20 hours, because a later repetition could run
  // the action twice.
  await db.query(`
    create function day_later() returns trigger language plpgsql as $$ begin
      update actions set first_sent_at = now() - interval '21 hours' where id = new.action_id and target = 'payouts/${payout.id}';
      return new;
    end $$;
    create trigger day_later after update on attempts for each row execute function day_later()`)
  try {
    await operator.decide('release', payout)
  } finally {
    await db.query('drop trigger day_later on attempts; drop function day_later')
  }
  await db.query(
    `update actions set lease_until = now() - interval '1 second', next_check_at = now() where target = $1`,
    [`payouts/${payout.id}`],
  )
  await waitForActionState(payout, 'needs_human')
  expect((await sandbox.requests(seqBefore)).filter((row) => row.method === 'PUT')).toHaveLength(1)
})

test('a manual check is audited, refused for viewers, and does not delay the schedule', async () => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    ...buildReleaseFault(payout),
    kind: 'status',
    status: 500,
    body: 'none',
    count: 20,
  })
  const { body } = await operator.decide('release', payout)
  const actionId = body.action?.id ?? ''
  for (let time = 0; time < 5; time += 1) await operator.check(actionId)
  const [row] = (
    await db.query(
      'select extract(epoch from next_check_at - now()) as wait from actions where id = $1',
      [actionId],
    )
  ).rows
  expect(Number(row.wait)).toBeLessThan(20)
  expect(await readAuditRows(payout, 'payouts.release.checked')).toHaveLength(5)
  const viewer = await signIn(dashboard.url, 'viewer')
  expect(await viewer.check(actionId)).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  expect(await readAuditRows(payout, 'payouts.release.denied')).toHaveLength(1)
})

test('the audit row contains the service’s status', async () => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({ ...buildReleaseFault(payout), kind: 'status', status: 400, body: 'json' })
  await operator.decide('release', payout)
  const [row] = await readAuditRows(payout, 'payouts.release.refused')
  expect(row).toMatchObject({
    status: 400,
    attempts: 1,
    request_id: expect.stringMatching(/^req_/),
  })
})

test('a change between the comparison and the recording is detected', async () => {
  const payout = await sandbox.makePayout()
  const readReply = await operator.get(
    `/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`,
  )
  const snapshotHeaders = {
    'snapshot-hash': (readReply.body.meta as { snapshot?: string }).snapshot ?? '',
  }
  const lastSeqBefore = await sandbox.lastSeq()
  await sandbox.fault({
    operation: 'payouts.get',
    match: payout.id,
    kind: 'delay',
    ms: 1500,
    at: 'after',
  })
  const slowReplyPromise = operator.decide(
    'cancel',
    payout,
    createIdempotencyKey(),
    'CREATED_IN_ERROR: made by mistake, stop it',
    snapshotHeaders,
  )
  await waitUntil('the comparing read', async () =>
    (await sandbox.requests(lastSeqBefore)).length > 0 ? true : null,
  )
  expect(
    (await operator.decide('release', payout, createIdempotencyKey(), goodReason)).status,
  ).toBe(200)
  expect(await slowReplyPromise).toMatchObject({
    status: 409,
    body: { error: { code: 'changed' } },
  })
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
    'payouts.release',
  ])
})

test('an open creation is returned to its requester only, until it is settled', async () => {
  const [account = ''] = await listActiveAccounts(operator)
  const customersPath = `/customers?account=acct_${account}`
  const buildActionsPath = (extraQuery = '') =>
    `/api/sandbox/desk/actions?operation=customers.create${extraQuery}`
  const accountQuery = `&account=acct_${account}`
  const requestBody = buildCustomerBody()
  const createCustomerFault = {
    operation: 'customers.create',
    match: requestBody.email,
    kind: 'status',
    status: 500,
    body: 'none',
    at: 'after',
    count: null,
  }
  await sandbox.fault(createCustomerFault)
  const { body } = await operator.write('POST', customersPath, requestBody)
  expect(body.action?.state).toBe('unknown')
  expect((await operator.get(buildActionsPath(accountQuery))).body.data).toMatchObject([
    { id: body.action?.id, own: true, target: null },
  ])
  expect((await operator.get(buildActionsPath())).body.data).toEqual([])
  expect(
    (await operator.get(`/api/sandbox/desk/actions?operation=charges.create${accountQuery}`)).body
      .data,
  ).toEqual([])
  expect(
    (await (await signIn(dashboard.url, 'admin')).get(buildActionsPath(accountQuery))).body.data,
  ).toEqual([])
  expect(await operator.get('/api/sandbox/desk/actions?operation=customers.make')).toMatchObject({
    status: 422,
  })
  await sandbox.clearFaults()
  await operator.check(body.action?.id ?? '')
  expect((await operator.get(buildActionsPath(accountQuery))).body.data).toEqual([])
})
