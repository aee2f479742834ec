import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RateBudget } from '@/lib/operations/service-check'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createIdempotencyKey, type Person, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'

const callsPerSecond = 20

let sandbox: Sandbox
let postgres: Postgres
let db: Client
let dashboards: Dashboard[]
let operators: Person[]

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgres()])
  const startInstance = () =>
    startDashboard({
      serviceUrl: sandbox.url,
      apiKey: sandbox.keys.full,
      databaseUrl: postgres.url,
      env: { SERVICE_SANDBOX_RATE_LIMIT: String(callsPerSecond) },
    })
  // Starts the instances one after the other, because the first creates the database tables.
  dashboards = [await startInstance()]
  dashboards.push(await startInstance())
  operators = await Promise.all(dashboards.map((dashboard) => signIn(dashboard.url)))
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await Promise.all(dashboards?.map((dashboard) => dashboard.stop()) ?? [])
  await Promise.all([sandbox?.stop(), postgres?.stop()])
})
beforeEach(async () => {
  await sandbox.rateLimit(null)
  await sandbox.clearFaults()
  await db.query('delete from service_budgets')
})

const [getFirstOperator, getSecondOperator] = [
  () => operators[0] as Person,
  () => operators[1] as Person,
]
const readPayout = (person: Person, id: string) => person.get(`/api/sandbox/v1/payouts/${id}`)

test('writes pass while reads of two processes are refused, and the service’s limit is kept', async () => {
  // The sandbox's limit is higher than Paydesk's own, because calls that were sent in different
  // seconds may arrive in the same second.
  await sandbox.rateLimit(callsPerSecond * 1.5)
  const payouts = await Promise.all(Array.from({ length: 10 }, () => sandbox.makePayout()))
  const seqBefore = await sandbox.lastSeq()
  const startedAt = performance.now()
  const readPromises = Array.from({ length: 160 }, (_, at) =>
    readPayout(at % 2 === 0 ? getFirstOperator() : getSecondOperator(), payouts[0]?.id ?? ''),
  )
  // When the first read has ended, the limit is used up, and the other reads wait in both
  // processes.
  await Promise.race(readPromises)
  const writeReplies = await Promise.all(
    payouts.map((payout, at) =>
      (at % 2 === 0 ? getFirstOperator() : getSecondOperator()).decide('cancel', payout),
    ),
  )
  const repliesToReads = await Promise.all(readPromises)
  const seconds = (performance.now() - startedAt) / 1000

  expect(writeReplies.map(({ status, body }) => [status, body.error?.code])).toEqual(
    writeReplies.map(() => [200, undefined]),
  )
  const rejectedReads = repliesToReads.filter(({ status }) => status === 429)
  expect(rejectedReads.length).toBeGreaterThan(0)
  for (const { headers, body } of rejectedReads) {
    expect(body.error).toMatchObject({
      code: 'too_many',
      detail: expect.stringMatching(/Try again in \d+ seconds?$/),
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  const arrivedRequests = await sandbox.requests(seqBefore)
  expect(arrivedRequests.length).toBeLessThanOrEqual(callsPerSecond * (1 + Math.ceil(seconds)))
  expect(arrivedRequests.filter(({ path }) => path.includes('cancel'))).toHaveLength(10)
})

test('a pause requested by the service applies to all processes, and a refused write can be sent later', async () => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.get',
    match: payout.id,
    kind: 'status',
    status: 429,
    retry_after: 30,
    count: 1,
  })
  expect((await readPayout(getFirstOperator(), payout.id)).status).toBe(503)
  const lastSeqBefore = await sandbox.lastSeq()

  const idempotencyKey = createIdempotencyKey()
  const refusedReply = await getSecondOperator().decide('cancel', payout, idempotencyKey)
  expect(refusedReply).toMatchObject({ status: 429, body: { error: { code: 'too_many' } } })
  expect(refusedReply.body.action).toBeUndefined()
  expect(Number(refusedReply.headers.get('retry-after'))).toBeGreaterThan(20)
  expect((await readPayout(getSecondOperator(), payout.id)).status).toBe(429)
  expect(await sandbox.requests(lastSeqBefore)).toEqual([])
  expect(
    (await db.query('select 1 from actions where idempotency_key = $1', [idempotencyKey])).rows,
  ).toEqual([])

  await db.query('delete from service_budgets')
  const acceptedReply = await getSecondOperator().decide('cancel', payout, idempotencyKey)
  expect(acceptedReply).toMatchObject({
    status: 200,
    replayed: false,
    body: { action: { state: 'applied' } },
  })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a refusal without a retry time halves the limit of all processes until it has grown back', async () => {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.get',
    match: payout.id,
    kind: 'status',
    status: 429,
    count: 1,
  })
  expect((await readPayout(getFirstOperator(), payout.id)).status).toBe(503)
  expect((await db.query('select share from service_budgets')).rows).toEqual([{ share: 0.5 }])
  expect((await readPayout(getSecondOperator(), payout.id)).status).toBe(200)
})

test('the meter shows the usage of all processes, the limit, and the last refusal', async () => {
  const readRateBudget = async (person: Person) =>
    (await person.get<RateBudget>('/api/sandbox/desk/rate-budget')).body.data
  const seqBeforeIdleReads = await sandbox.lastSeq()
  const expectedIdleBudget = {
    limit: callsPerSecond,
    allowed: callsPerSecond,
    used: 0,
    waiting: { write: 0, read: 0, background: 0 },
  }
  expect(await readRateBudget(getFirstOperator())).toEqual({
    ...expectedIdleBudget,
    refused_at: null,
    paused_seconds: 0,
  })
  expect(await sandbox.requests(seqBeforeIdleReads)).toEqual([])

  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.get',
    match: payout.id,
    kind: 'status',
    status: 429,
    retry_after: 30,
    count: 1,
  })
  expect((await readPayout(getFirstOperator(), payout.id)).status).toBe(503)
  const { rows } = await db.query<{ at: number }>(
    'select floor(extract(epoch from shrunk_at) * 1000)::float8 as at from service_budgets',
  )
  const rateBudget = await readRateBudget(getSecondOperator())
  expect(rateBudget).toMatchObject({
    limit: callsPerSecond,
    allowed: callsPerSecond / 2,
    refused_at: new Date(rows[0]?.at ?? 0).toISOString(),
  })
  expect(rateBudget?.paused_seconds).toBeGreaterThan(20)
  await waitUntil('what was counted just now to be told', async () => {
    await db.query(
      'update service_budgets set slot = floor(extract(epoch from now()) * 10), slots = array[7,0,0,3,0,0,0,0,0,0,0]',
    )
    return (await readRateBudget(getFirstOperator()))?.used === 10 ? true : null
  })
})

test('a person who may not move money for the whole platform cannot see the meter', async () => {
  const viewer = await signIn(dashboards[0]?.url ?? '', 'viewer')
  expect((await viewer.get('/api/sandbox/desk/rate-budget')).body.error?.code).toBe('forbidden')
})

test('nothing is sent if the usage cannot be read', async () => {
  const payout = await sandbox.makePayout()
  const seqBeforeRefusals = await sandbox.lastSeq()
  await db.query('alter table service_budgets rename to service_budgets_away')
  const key = createIdempotencyKey()
  const refusedReplies = [
    await readPayout(getFirstOperator(), payout.id),
    await getFirstOperator().decide('cancel', payout, key),
  ]
  await db.query('alter table service_budgets_away rename to service_budgets')
  for (const { status, body } of refusedReplies)
    expect([status, body.error?.code]).toEqual([503, 'unavailable'])
  expect(await sandbox.requests(seqBeforeRefusals)).toEqual([])
  expect((await getFirstOperator().decide('cancel', payout, key)).status).toBe(200)
})

test('a killed process does not reduce the limit', async () => {
  const ownDashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    env: { SERVICE_SANDBOX_RATE_LIMIT: String(callsPerSecond) },
  })
  try {
    const earlierSession = await signIn(ownDashboard.url)
    const id = (await sandbox.makePayout()).id
    await Promise.all(Array.from({ length: 40 }, () => readPayout(earlierSession, id)))
    await ownDashboard.kill9()
    await ownDashboard.restart()
    expect((await readPayout(await signIn(ownDashboard.url), id)).status).toBe(200)
  } finally {
    await ownDashboard.stop()
  }
})

test('an unknown object is 404, not a limit error', async () => {
  expect(await readPayout(getFirstOperator(), randomUUID())).toMatchObject({
    status: 404,
    body: { error: { code: 'service_not_found' } },
  })
})
