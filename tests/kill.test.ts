import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { testInFullRun } from '@/tests/sandbox/sample'
import type { Dashboard } from './harness/dashboard'
import { createIdempotencyKey, type Person } from './harness/person'
import type { Postgres } from './harness/postgres'
import type { MadePayout, Sandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

let testStack: IsolatedDesk
let sandbox: Sandbox
let postgres: Postgres
let dashboard: Dashboard
let db: Client
let operator: Person

beforeAll(async () => {
  testStack = await startWholeDesk()
  ;({ sandbox, postgres, dashboard, db, operator } = testStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

type ActionRow = { id: string; state: string; attempts: number }

async function readAction(payout: MadePayout): Promise<ActionRow | null> {
  const actionResult = await db.query(
    'select a.id, a.state, (select count(*)::int from attempts t where t.action_id = a.id) as attempts from actions a where a.target = $1',
    [`payouts/${payout.id}`],
  )
  return (actionResult.rows[0] as ActionRow | undefined) ?? null
}

/**
 * Ends the killed instance's leases on actions, so that the restarted instance can take over these
 * actions at once.
 */
const expireLeases = () =>
  db.query(
    `update actions set lease_until = now() - interval '1 second' where state in ('sending', 'unknown')`,
  )

async function killDashboardAndAwaitResult(payout: MadePayout): Promise<ActionRow> {
  await dashboard.kill9()
  await expireLeases()
  await dashboard.restart()
  return waitUntil('the resolver', async () => {
    const actionRow = await readAction(payout)
    return actionRow && actionRow.state !== 'sending' && actionRow.state !== 'unknown'
      ? actionRow
      : null
  })
}

/**
 * Requests the release of a payout. Returns null if the test kills the dashboard before it
 * responds.
 */
const sendUnansweredRelease = (payout: MadePayout) =>
  operator.decide('release', payout, createIdempotencyKey()).catch(() => null)

test('killed before the call, an action is sent once by the resolver', async () => {
  const payout = await sandbox.makePayout()
  // The dashboard stores the action in a first transaction (T1). It then inserts a row into
  // `attempts` before it sends the request to the service. This lock blocks that insert, so the
  // dashboard is killed after T1 and before the request.
  await db.query('begin')
  await db.query('lock table attempts in access exclusive mode')
  const lostReleasePromise = sendUnansweredRelease(payout)
  const watcherClient = new Client(postgres.url)
  await watcherClient.connect()
  await waitUntil('T1', async () =>
    (await watcherClient.query('select 1 from actions where target = $1', [`payouts/${payout.id}`]))
      .rowCount
      ? true
      : null,
  )
  await dashboard.kill9()
  await db.query('rollback')
  await watcherClient.end()
  expect(await readAction(payout)).toMatchObject({ state: 'sending', attempts: 0 })
  expect(await sandbox.journal(payout.id)).toEqual([])
  expect(await killDashboardAndAwaitResult(payout)).toMatchObject({ state: 'applied', attempts: 1 })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
  await lostReleasePromise
})

testInFullRun(
  'killed during the call, an action is sent again under the same key, with one effect',
  async () => {
    const payout = await sandbox.makePayout()
    await sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'delay',
      ms: 3000,
      at: 'before',
    })
    const pendingReleasePromise = sendUnansweredRelease(payout)
    await waitUntil('the call', async () =>
      (await sandbox.requests()).some((row) => row.method === 'PUT' && row.path.includes(payout.id))
        ? true
        : null,
    )
    expect(await killDashboardAndAwaitResult(payout)).toMatchObject({ state: 'applied' })
    const journalRows = await sandbox.journal(payout.id)
    expect(journalRows).toHaveLength(1)
    const sentReleases = (await sandbox.requests()).filter(
      (row) => row.method === 'PUT' && row.path.includes(payout.id),
    )
    expect(sentReleases.length).toBeGreaterThan(1)
    expect(new Set(sentReleases.map((row) => row.idempotency_key)).size).toBe(1)
    await pendingReleasePromise
  },
)

test('killed after the effect, an action is not settled by a refusal unrelated to the first call', async () => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'delay',
    ms: 3000,
    at: 'after',
  })
  const lostReplyPromise = sendUnansweredRelease(payout)
  await waitUntil('the effect', async () =>
    (await sandbox.journal(payout.id)).length === 1 ? true : null,
  )
  await dashboard.kill9()
  await sandbox.clearFaults()
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 403,
    body: 'none',
  })
  await expireLeases()
  await dashboard.restart()
  const attemptFaultsSql = `select t.fault from attempts t join actions a on a.id = t.action_id where a.target = $1 and t.fault is not null`
  await waitUntil('the refusal', async () =>
    (await db.query(attemptFaultsSql, [`payouts/${payout.id}`])).rowCount ? true : null,
  )
  expect((await readAction(payout))?.state).not.toBe('refused')
  await sandbox.clearFaults()
  await db.query('update actions set next_check_at = now() where target = $1', [
    `payouts/${payout.id}`,
  ])
  await waitUntil('the replay', async () =>
    (await readAction(payout))?.state === 'applied' ? true : null,
  )
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
  await lostReplyPromise
})

test('killed before the response was stored, an action gets the stored response, with one effect', async () => {
  const payout = await sandbox.makePayout()
  const lockHolder = new Client(postgres.url)
  await lockHolder.connect()
  const lastSeqBefore = await sandbox.lastSeq()
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'delay',
    ms: 500,
    at: 'after',
  })
  const lost = sendUnansweredRelease(payout)
  // The dashboard stores the service's response in a second transaction (T2), which also updates
  // `audit_head`. The lock below blocks T2, so the dashboard is killed when it has received the
  // response but not stored it.
  await waitUntil('the attempt', async () =>
    (await readAction(payout))?.attempts === 1 ? true : null,
  )
  await lockHolder.query('begin')
  await lockHolder.query('select * from audit_head for update')
  const lockWaitSql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%audit_head%'`
  await waitUntil('T2 to wait', async () => ((await db.query(lockWaitSql)).rowCount ? true : null))
  await dashboard.kill9()
  await lockHolder.query('rollback')
  await lockHolder.end()
  expect(await readAction(payout)).toMatchObject({ state: 'sending', attempts: 1 })
  expect(await killDashboardAndAwaitResult(payout)).toMatchObject({ state: 'applied', attempts: 2 })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
  const replayedRequest = (await sandbox.requests(lastSeqBefore))
    .filter((row) => row.method === 'PUT')
    .at(-1)
  expect(replayedRequest).toMatchObject({ replayed: true })
  // The stored request body is deleted when the action is settled, because the request will not be
  // sent again.
  expect(
    (
      await db.query('select body, answer is not null as answered from actions where target = $1', [
        `payouts/${payout.id}`,
      ])
    ).rows,
  ).toEqual([{ body: null, answered: true }])
  await lost
})

test('after twenty hours or under another API key an action is not replayed, and a person decides', async () => {
  for (const change of [`first_sent_at = now() - interval '21 hours'`, `service_key = 'another'`]) {
    const payout = await sandbox.makePayout()
    await sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: 3,
    })
    expect((await operator.decide('release', payout)).status).toBe(202)
    const seqBefore = await sandbox.lastSeq()
    await db.query(`update actions set ${change}, next_check_at = now() where target = $1`, [
      `payouts/${payout.id}`,
    ])
    await waitUntil('the verdict', async () =>
      (await readAction(payout))?.state === 'needs_human' ? true : null,
    )
    expect((await sandbox.requests(seqBefore)).filter((row) => row.method === 'PUT')).toEqual([])
    expect(await operator.decide('cancel', payout)).toMatchObject({
      status: 409,
      body: { error: { code: 'action_open' } },
    })
  }
})

test('a process whose lease has expired cannot write', async () => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'delay',
    ms: 1500,
    at: 'after',
  })
  const slowReplyPromise = operator.decide('release', payout)
  const sendingAction = await waitUntil('the attempt', async () => {
    const currentAction = await readAction(payout)
    return currentAction?.attempts === 1 ? currentAction : null
  })
  await db.query(
    `update actions set fence = fence + 1, lease_owner = 'another instance', lease_until = now() + interval '1 hour' where id = $1`,
    [sendingAction.id],
  )
  expect(await slowReplyPromise).toMatchObject({
    status: 409,
    body: { error: { code: 'in_progress' } },
  })
  expect(await readAction(payout)).toMatchObject({ state: 'sending' })
  await db.query('update actions set lease_until = now() where id = $1', [sendingAction.id])
  const settledAction = await waitUntil('the resolver', async () =>
    (await readAction(payout))?.state === 'applied' ? readAction(payout) : null,
  )
  expect(settledAction).toMatchObject({ attempts: 2 })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})
