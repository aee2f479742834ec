import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deskApiPath, eventsPath } from '@/lib/routes'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { followChanges } from './harness/follow-changes'
import { type Person, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { type Service, startService } from './harness/service'
import { waitUntil } from './harness/wait-until'
import { buildWebhookEvent, buildWebhookPayout, deliverWebhook, newWebhookSecret } from './harness/webhook'

const secret = newWebhookSecret()
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const startDesk = (databaseUrl?: string) =>
  startDashboard({
    serviceUrl: service.url,
    apiKey: 'key-of-this-test-0123456789',
    databaseUrl,
    env: { EMBEDDED_SANDBOX_WEBHOOK_SECRET: secret },
  })

/** Sends a webhook event about a payout of an account to a desk. Returns the payout's id. */
async function deliverPayoutEvent(desk: Dashboard, account: string): Promise<string> {
  const payout = buildWebhookPayout()
  expect((await deliverWebhook({ desk: desk.url, secret, body: buildWebhookEvent('payout.event.v1', payout, account) })).status).toBe(204)
  return payout.id
}

test('a new event stream starts with recent events', async () => {
  const desk = await startDesk()
  const person = await signIn(desk.url)
  const firstStream = await followChanges(person)
  const id = await deliverPayoutEvent(desk, randomUUID())
  await firstStream.told(id)
  const secondStream = await followChanges(person)
  await secondStream.told(id)
  firstStream.stop()
  secondStream.stop()
  await desk.stop()
})

test('on the embedded store, a webhook sends an event to open pages', async () => {
  const desk = await startDesk()
  const changes = await followChanges(await signIn(desk.url))
  expect(changes.response.headers.get('content-type')).toBe('text/event-stream')
  const account = randomUUID()
  const id = await deliverPayoutEvent(desk, account)
  expect(await changes.told(id)).toEqual({ resource: 'payments', account, ids: [id], shown_by: null, ago: expect.any(Number) })
  // An open event stream does not prevent the stop.
  expect(await desk.end()).toBe(0)
  await changes.end()
  await desk.stop()
})

describe('on PostgreSQL', () => {
  let postgres: Postgres
  let db: Client
  let desks: [Dashboard, Dashboard]
  beforeAll(async () => {
    postgres = await startPostgres()
    const firstDesk = await startDesk(postgres.url)
    desks = [firstDesk, await startDesk(postgres.url)]
    db = new Client(postgres.url)
    await db.connect()
  })
  afterAll(async () => {
    await db?.end()
    for (const desk of desks ?? []) await desk.stop()
    await postgres?.stop()
  })

  let person: Person
  let changes: Awaited<ReturnType<typeof followChanges>>
  beforeEach(async () => {
    person = await signIn(desks[1].url, 'viewer')
    changes = await followChanges(person)
  })
  afterEach(() => changes?.stop())

  test('an event received by one instance is sent by the other', async () => {
    const account = randomUUID()
    const id = await deliverPayoutEvent(desks[0], account)
    expect(await changes.told(id)).toMatchObject({ resource: 'payments', account })
  })

  test('a connection that the database closes is opened again', async () => {
    await changes.told(await deliverPayoutEvent(desks[0], randomUUID()))
    const lossesBefore = changes.losses()
    await db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paydesk-notices' and datname = current_database()",
    )
    await waitUntil('the loss to be told', () => changes.losses() > lossesBefore || null)
    await changes.told(await deliverPayoutEvent(desks[0], randomUUID()))
  })

  test('a limited person receives only events of their accounts', async () => {
    const [own, foreign] = [randomUUID(), randomUUID()]
    await db.query(
      `with person as (insert into people (email, name, password_hash, demo)
         select 'limited@paydesk.test', 'Lea Limited', password_hash, true from people where email = 'viewer@paydesk.test' returning id)
       insert into grants (person_id, environment, role, account_id) select id, 'sandbox', 'operator', $1 from person`,
      [own],
    )
    const limitedChanges = await followChanges(await signIn(desks[1].url, 'limited@paydesk.test'))
    const foreignIds = [await deliverPayoutEvent(desks[0], foreign), await deliverPayoutEvent(desks[1], foreign)]
    for (const id of foreignIds) await changes.told(id)
    const id = await deliverPayoutEvent(desks[0], own)
    expect(await limitedChanges.told(id)).toMatchObject({ account: own })
    // An event with `resource` null only means that events may be missing. It contains no row.
    expect(limitedChanges.heard().every(({ resource, account }) => resource === null || account === own)).toBe(true)
    limitedChanges.stop()
  })

  test('the event stream ends with the session', async () => {
    await person.signOut()
    await changes.end()
    expect((await person.send(deskApiPath('sandbox', eventsPath))).status).toBe(401)
  })

  test('the event stream does not extend a session', async () => {
    const newestSessionSql = '(select id_hash from sessions order by created_at desc limit 1)'
    await db.query(`update sessions set last_seen_at = now() - interval '16 minutes' where id_hash = ${newestSessionSql}`)
    await changes.end()
  })

  test('a person can open a limited number of event streams', async () => {
    const manyStreams = await Promise.all(Array.from({ length: 9 }, () => followChanges(person)))
    const refusedResponse = await person.send(deskApiPath('sandbox', eventsPath))
    expect([refusedResponse.status, refusedResponse.headers.get('retry-after')]).toEqual([429, '30'])
    for (const follower of manyStreams) follower.stop()
  })
})
