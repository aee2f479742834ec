import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deskApiPath, eventsPath } from '@/lib/routes'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { followChanges } from './harness/follow-changes'
import { type Person, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { type StubService, startStubService } from './harness/service'
import { waitUntil } from './harness/wait-until'
import {
  buildWebhookEvent,
  buildWebhookPayout,
  createWebhookSecret,
  deliverWebhook,
} from './harness/webhook'

const secret = createWebhookSecret()
let stubService: StubService
beforeAll(async () => {
  stubService = await startStubService()
})
afterAll(() => stubService?.stop())

const startTestDashboard = (databaseUrl?: string) =>
  startDashboard({
    serviceUrl: stubService.url,
    apiKey: 'key-of-this-test-0123456789',
    databaseUrl,
    env: { EMBEDDED_SANDBOX_WEBHOOK_SECRET: secret },
  })

/** Sends a dashboard a webhook event about a new payout of an account. Returns the payout's id. */
async function deliverPayoutEvent(targetDashboard: Dashboard, account: string): Promise<string> {
  const payout = buildWebhookPayout()
  expect(
    (
      await deliverWebhook({
        desk: targetDashboard.url,
        secret,
        body: buildWebhookEvent('payout.event.v1', payout, account),
      })
    ).status,
  ).toBe(204)
  return payout.id
}

test('a new event stream starts with recent events', async () => {
  const liveDashboard = await startTestDashboard()
  const person = await signIn(liveDashboard.url)
  const firstStream = await followChanges(person)
  const payoutId = await deliverPayoutEvent(liveDashboard, randomUUID())
  await firstStream.told(payoutId)
  const secondStream = await followChanges(person)
  await secondStream.told(payoutId)
  firstStream.stop()
  secondStream.stop()
  await liveDashboard.stop()
})

test('on the embedded store, a webhook sends an event to open pages', async () => {
  const embeddedStoreDashboard = await startTestDashboard()
  const changeStream = await followChanges(await signIn(embeddedStoreDashboard.url))
  expect(changeStream.response.headers.get('content-type')).toBe('text/event-stream')
  const account = randomUUID()
  const id = await deliverPayoutEvent(embeddedStoreDashboard, account)
  expect(await changeStream.told(id)).toEqual({
    resource: 'payments',
    account,
    ids: [id],
    shown_by: null,
    ago: expect.any(Number),
  })
  // The dashboard must exit with code 0, although an event stream is still open.
  expect(await embeddedStoreDashboard.end()).toBe(0)
  await changeStream.end()
  await embeddedStoreDashboard.stop()
})

describe('on PostgreSQL', () => {
  let postgres: Postgres
  let db: Client
  let dashboards: [Dashboard, Dashboard]
  beforeAll(async () => {
    postgres = await startPostgres()
    const firstDashboard = await startTestDashboard(postgres.url)
    dashboards = [firstDashboard, await startTestDashboard(postgres.url)]
    db = new Client(postgres.url)
    await db.connect()
  })
  afterAll(async () => {
    await db?.end()
    for (const desk of dashboards ?? []) await desk.stop()
    await postgres?.stop()
  })

  let person: Person
  let viewerChangeStream: Awaited<ReturnType<typeof followChanges>>
  beforeEach(async () => {
    person = await signIn(dashboards[1].url, 'viewer')
    viewerChangeStream = await followChanges(person)
  })
  afterEach(() => viewerChangeStream?.stop())

  test('an event received by one instance is sent by the other', async () => {
    const account = randomUUID()
    const id = await deliverPayoutEvent(dashboards[0], account)
    expect(await viewerChangeStream.told(id)).toMatchObject({ resource: 'payments', account })
  })

  test('a connection that the database closes is opened again', async () => {
    await viewerChangeStream.told(await deliverPayoutEvent(dashboards[0], randomUUID()))
    const streamLossCountBefore = viewerChangeStream.losses()
    await db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paydesk-notices' and datname = current_database()",
    )
    await waitUntil(
      'the loss to be told',
      () => viewerChangeStream.losses() > streamLossCountBefore || null,
    )
    await viewerChangeStream.told(await deliverPayoutEvent(dashboards[0], randomUUID()))
  })

  test('a limited person receives only events of their accounts', async () => {
    const [ownAccount, foreignAccount] = [randomUUID(), randomUUID()]
    await db.query(
      `with person as (insert into people (email, name, password_hash, demo)
         select 'limited@paydesk.test', 'Lea Limited', password_hash, true from people where email = 'viewer@paydesk.test' returning id)
       insert into grants (person_id, environment, role, account_id) select id, 'sandbox', 'operator', $1 from person`,
      [ownAccount],
    )
    const limitedPersonStream = await followChanges(
      await signIn(dashboards[1].url, 'limited@paydesk.test'),
    )
    const foreignPayoutIds = [
      await deliverPayoutEvent(dashboards[0], foreignAccount),
      await deliverPayoutEvent(dashboards[1], foreignAccount),
    ]
    for (const id of foreignPayoutIds) await viewerChangeStream.told(id)
    const ownPayoutId = await deliverPayoutEvent(dashboards[0], ownAccount)
    expect(await limitedPersonStream.told(ownPayoutId)).toMatchObject({ account: ownAccount })
    // An event whose `resource` is null names no row. It means that events may be missing, and
    // every person receives it.
    expect(
      limitedPersonStream
        .heard()
        .every(({ resource, account }) => resource === null || account === ownAccount),
    ).toBe(true)
    limitedPersonStream.stop()
  })

  test('the event stream ends with the session', async () => {
    await person.signOut()
    await viewerChangeStream.end()
    expect((await person.send(deskApiPath('sandbox', eventsPath))).status).toBe(401)
  })

  test('the event stream does not extend a session', async () => {
    const newestSessionSql = '(select id_hash from sessions order by created_at desc limit 1)'
    await db.query(
      `update sessions set last_seen_at = now() - interval '16 minutes' where id_hash = ${newestSessionSql}`,
    )
    await viewerChangeStream.end()
  })

  test('a person can open a limited number of event streams', async () => {
    const streamsUpToLimit = await Promise.all(
      Array.from({ length: 9 }, () => followChanges(person)),
    )
    const refusedResponse = await person.send(deskApiPath('sandbox', eventsPath))
    expect([refusedResponse.status, refusedResponse.headers.get('retry-after')]).toEqual([
      429,
      '30',
    ])
    for (const follower of streamsUpToLimit) follower.stop()
  })
})
