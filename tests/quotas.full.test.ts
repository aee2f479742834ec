import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { createIdempotencyKey, type Person, type Reply, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import {
  buildPayout,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'

const account = 'acct_01900000-0000-7000-8000-00000000000a'

let stubService: StubService
let postgres: Postgres
let dashboard: Dashboard
let db: Client
let operator: Person
let viewer: Person

beforeAll(async () => {
  ;[stubService, postgres] = await Promise.all([startStubService(), startPostgres()])
  // The tests' dashboards have very high limits. Empty values restore the defaults.
  const env = { PERSON_READS_PER_MINUTE: '', PERSON_WRITES_PER_HOUR: '' }
  dashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey: 'key-of-the-quota-tests',
    databaseUrl: postgres.url,
    env,
  })
  db = new Client(postgres.url)
  await db.connect()
  ;[operator, viewer] = await Promise.all([signIn(dashboard.url), signIn(dashboard.url, 'viewer')])
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await Promise.all([stubService?.stop(), postgres?.stop()])
})

const respondWithPayout = (id: string) => respondWith(200, wrapInEnvelope(buildPayout(id)))
const countRepliesWithStatus = (replies: readonly Reply<unknown>[], status: number) =>
  replies.filter((reply) => reply.status === status).length
const runConcurrently = <T>(length: number, work: () => Promise<T>) =>
  Promise.all(Array.from({ length }, work))

test('sixty writes an hour are allowed, and the next one gets a retry time and can be sent later', async () => {
  const cancelPayout = () =>
    operator.decide('cancel', { id: stubService.object(respondWithPayout), account })
  expect((await cancelPayout()).status).toBe(200)
  // Copies the first action 55 times, so that 56 of the 60 writes per hour are used.
  await db.query(`insert into actions select (jsonb_populate_record(first, jsonb_build_object(
    'id', gen_random_uuid(), 'idempotency_key', gen_random_uuid(), 'target', 'payouts/' || gen_random_uuid()))).*
    from actions first, generate_series(1, 55)`)
  const replies = await runConcurrently(12, cancelPayout)
  expect([countRepliesWithStatus(replies, 200), countRepliesWithStatus(replies, 429)]).toEqual([
    4, 8,
  ])
  const payoutId = stubService.object(respondWithPayout)
  const idempotencyKey = createIdempotencyKey()
  const refusedReply = await operator.decide('cancel', { id: payoutId, account }, idempotencyKey)
  expect(refusedReply).toMatchObject({ status: 429, body: { error: { code: 'too_many' } } })
  expect(refusedReply.body.error?.detail).toMatch(/Try again in \d+ minutes$/)
  expect(Number(refusedReply.headers.get('retry-after'))).toBeGreaterThan(3000)
  expect(Number(refusedReply.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
  expect(stubService.about(payoutId)).toEqual([])

  await db.query("update actions set created_at = created_at - interval '1 hour'")
  expect(await operator.decide('cancel', { id: payoutId, account }, idempotencyKey)).toMatchObject({
    status: 200,
    replayed: false,
  })
  expect(stubService.about(payoutId).filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

test('a person can write as many notes as writes in an hour', async () => {
  const id = stubService.object(respondWithPayout)
  expect((await operator.get(`/api/sandbox/v1/payouts/${id}?account=${account}`)).status).toBe(200)
  const sendNote = () =>
    operator.post(`/api/sandbox/desk/notes/payouts/${id}`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ note: randomUUID(), text: 'Called the customer.' }),
    })
  const replies = await runConcurrently(65, sendNote)
  expect([countRepliesWithStatus(replies, 201), countRepliesWithStatus(replies, 429)]).toEqual([
    60, 5,
  ])
  expect(replies.find(({ status }) => status === 429)?.body.error?.detail).toMatch(
    /60 notes per hour\. Try again in \d+ minutes$/,
  )
  await db.query("update notes set created_at = created_at - interval '1 hour'")
  expect((await sendNote()).status).toBe(201)
})

test('a person can send six hundred reads a minute, without affecting another person', async () => {
  const id = stubService.object(respondWithPayout)
  const readPayout = () => viewer.get(`/api/sandbox/v1/payouts/${id}`)
  const repliesToReads: Reply[] = []
  const getCurrentMinute = () => Math.floor(Date.now() / 60_000)
  const firstMinute = getCurrentMinute()
  // If a new minute begins during this loop, the person may send another 600 reads.
  while (countRepliesWithStatus(repliesToReads, 429) === 0 && repliesToReads.length < 2000)
    repliesToReads.push(...(await runConcurrently(50, readPayout)))
  const refusedReplies = repliesToReads.filter(({ status }) => status === 429)
  expect(refusedReplies.length).toBeGreaterThan(0)
  expect(countRepliesWithStatus(repliesToReads, 200)).toBe(stubService.about(id).length)
  expect(countRepliesWithStatus(repliesToReads, 200)).toBeGreaterThanOrEqual(600)
  expect(countRepliesWithStatus(repliesToReads, 200)).toBeLessThanOrEqual(
    600 * (getCurrentMinute() - firstMinute + 1),
  )
  for (const { headers, body } of refusedReplies) {
    expect(body.error).toMatchObject({
      code: 'too_many',
      detail: expect.stringMatching(/Try again in \d+ seconds?$/),
    })
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
  expect((await operator.get(`/api/sandbox/v1/payouts/${id}`)).status).toBe(200)
})

test('a page shows if the quota is used up and when it is renewed', async () => {
  const id = stubService.object(respondWithPayout)
  let pageHtml = ''
  while (!pageHtml.includes('Try again in')) {
    await runConcurrently(50, () => viewer.get(`/api/sandbox/v1/payouts/${id}`))
    pageHtml = await (await viewer.send(`/sandbox/payouts/${id}`)).text()
  }
  expect(pageHtml).toContain('Too many requests')
  expect(pageHtml).toMatch(/Try again in \d+ seconds?/)
})
