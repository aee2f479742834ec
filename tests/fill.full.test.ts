import { randomBytes, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { dialect } from './harness/dialect'
import { findSecretParts } from './harness/leaks'
import { buildPayoutBody, dumpDatabase } from './harness/objects'
import { createIdempotencyKey, goodReason, type Person, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import {
  buildPayout,
  type ResponseBehavior,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './harness/service'

const paykeyToken = `${randomBytes(4).toString('hex')}.02.${randomBytes(32).toString('hex')}`
const account = `acct_${randomUUID()}`
const replyTexts: string[] = []

let stubService: StubService
let postgres: Postgres
let dashboard: Dashboard
let db: Client
let operator: Person

beforeAll(async () => {
  ;[stubService, postgres] = await Promise.all([startStubService(), startPostgres()])
  const env = { LOG_LEVEL: 'debug' }
  dashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey: `key-of-this-test-${randomUUID()}`,
    databaseUrl: postgres.url,
    env,
  })
  db = new Client(postgres.url)
  await db.connect()
  operator = await signIn(dashboard.url)
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await Promise.all([stubService?.stop(), postgres?.stop()])
})

const addStubPaykey = (
  behavior: ResponseBehavior = respondWith(
    200,
    wrapInEnvelope({ id: randomUUID(), paykey: paykeyToken }),
  ),
) => stubService.object(() => behavior)
const countActions = async () =>
  Number((await db.query('select count(*) as n from actions')).rows[0].n)

async function createPayout(body: Record<string, unknown>, key = createIdempotencyKey()) {
  const reply = await operator.write<{ id: string }>('POST', `/payouts?account=${account}`, body, {
    key,
    reason: goodReason,
  })
  replyTexts.push(JSON.stringify([reply.body, [...reply.headers]]))
  return reply
}

const setPayoutCreationBehavior = (behavior: ResponseBehavior) =>
  stubService.lists((response, seen) => behavior(response, seen))
const respondWithCreatedPayout = () =>
  respondWith(
    201,
    wrapInEnvelope({
      ...buildPayout(randomUUID()),
      paykey: paykeyToken,
      paykey_details: { id: randomUUID(), label: 'BANK - *1' },
    }),
  )

test('replaces the ID with the token, in the scope of the write, reading it once for each key', async () => {
  setPayoutCreationBehavior(respondWithCreatedPayout())
  const [id, key] = [addStubPaykey(), createIdempotencyKey()]
  const body = buildPayoutBody(id)
  const firstReply = await createPayout(body, key)
  expect(firstReply.status).toBe(201)
  const repeatReply = await createPayout(body, key)
  expect(repeatReply).toMatchObject({ status: 201, replayed: true })
  expect(repeatReply.body).toEqual(firstReply.body)
  const paykeyRequests = stubService.about(id)
  expect(
    paykeyRequests.map((entry) => [entry.method, entry.path, entry.headers[dialect.accountHeader]]),
  ).toEqual([['GET', `/v1/paykeys/${id}/reveal`, dialect.accountValue(account)]])
  const sentPosts = stubService.seen.filter((entry) => entry.method === 'POST')
  expect(sentPosts).toHaveLength(1)
  const { paykey_id: _, ...rest } = body
  expect(JSON.parse(sentPosts[0]?.body ?? '')).toEqual({ ...rest, paykey: paykeyToken })
  expect(sentPosts[0]?.headers[dialect.accountHeader]).toBe(dialect.accountValue(account))
})

test('another paykey under the same key is another request and is not read', async () => {
  setPayoutCreationBehavior(respondWithCreatedPayout())
  const [key, first, other] = [createIdempotencyKey(), addStubPaykey(), addStubPaykey()]
  const body = buildPayoutBody(first)
  await createPayout(body, key)
  expect(await createPayout({ ...body, paykey_id: other }, key)).toMatchObject({
    status: 409,
    body: { error: { code: 'key_reused' } },
  })
  expect(stubService.about(other)).toEqual([])
})

test.each([
  ['does not answer', respondWith(500, ''), 503, 'not_sent'],
  [
    'answers without a token',
    respondWith(200, wrapInEnvelope({ id: randomUUID() })),
    503,
    'not_sent',
  ],
  [
    'does not know the paykey',
    respondWith(404, { error: { status: 404, detail: 'Paykey not found.' } }),
    404,
    'service_not_found',
  ],
  [
    'forbids it',
    respondWith(403, { error: { status: 403, detail: 'Not allowed.' } }),
    502,
    'service_forbidden',
  ],
] as const)(
  'if the service %s when the token is read, nothing is sent or recorded',
  async (_name, answering, status, code) => {
    const [actions, sent] = [
      await countActions(),
      stubService.seen.filter((entry) => entry.method === 'POST').length,
    ]
    const reply = await createPayout(buildPayoutBody(addStubPaykey(answering)))
    expect(reply).toMatchObject({ status, body: { error: { code } } })
    expect(reply.body.action).toBeUndefined()
    if (status === 404) expect(reply.body.error?.items).toMatchObject([{ reference: 'paykey_id' }])
    expect(await countActions()).toBe(actions)
    expect(stubService.seen.filter((entry) => entry.method === 'POST')).toHaveLength(sent)
  },
)

test('a refusal that repeats the token is returned without it', async () => {
  setPayoutCreationBehavior(
    respondWith(422, {
      response_type: 'error',
      error: {
        status: 422,
        detail: `The paykey ${paykeyToken} is blocked.`,
        items: [{ reference: 'paykey', detail: `${paykeyToken} is blocked` }],
      },
    }),
  )
  const reply = await createPayout(buildPayoutBody(addStubPaykey()))
  expect(reply).toMatchObject({ status: 422, body: { error: { code: 'service_refused' } } })
  expect(reply.body.error?.detail).toContain('is blocked')
})

test('even an admin cannot read the token itself', async () => {
  const paykeyId = addStubPaykey()
  const admin = await signIn(dashboard.url, 'admin')
  expect(
    (await admin.get(`/api/sandbox/v1/paykeys/${paykeyId}/reveal?account=${account}`)).status,
  ).toBe(404)
  expect(stubService.about(paykeyId)).toEqual([])
})

test('the token is in no response, log line or row', async () => {
  const { rows } = await db.query('select id from actions')
  for (const { id } of rows) replyTexts.push(JSON.stringify((await operator.action(id)).body))
  expect(replyTexts.length).toBeGreaterThan(10)
  expect(findSecretParts(replyTexts.join('\n'), paykeyToken)).toEqual([])
  expect(findSecretParts(dashboard.log(), paykeyToken)).toEqual([])
  expect(dashboard.log()).toContain('action.attempt')
  const storeText = await dumpDatabase(db)
  expect(storeText).toContain('payouts.create.applied')
  expect(storeText).toContain('service_refused')
  expect(findSecretParts(storeText, paykeyToken)).toEqual([])
  expect(findSecretParts(storeText, Buffer.from(paykeyToken).toString('hex'))).toEqual([])
})
