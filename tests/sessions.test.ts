import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testInFullRun } from '@/tests/sandbox/sample'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { respondWith, type StubService, startStubService, wrapInEnvelope } from './harness/service'
import { trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'

let stubService: StubService
let postgres: Postgres
let dashboard: Dashboard
let db: Client

const apiKey = 'key-of-this-test-0123456789'

beforeAll(async () => {
  ;[stubService, postgres] = await Promise.all([startStubService(), startPostgres()])
  stubService.lists(respondWith(200, wrapInEnvelope([], { total_items: 0 })))
  dashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey,
    databaseUrl: postgres.url,
  })
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await postgres?.stop()
  await stubService?.stop()
})

const paymentsPath = '/api/sandbox/v1/payments'
const checkSessionEnded = async (person: Person) =>
  (await person.get(paymentsPath)).status === 401 ? true : null
const waitUntilSessionEnded = (person: Person) =>
  waitUntil('the session to end', () => checkSessionEnded(person), 3)
const newestSessionSql = '(select id_hash from sessions order by created_at desc limit 1)'

test('the cookie contains only a session ID, for this host and HttpOnly', async () => {
  const { response, jar } = await trySignIn(dashboard.url, 'viewer@paydesk.test', 'paydesk-demo')
  const sessionCookieLine =
    response.headers.getSetCookie().find((cookie) => cookie.startsWith('paydesk.session=')) ?? ''
  const cookieAttributes = sessionCookieLine.split('; ').slice(1)
  expect(cookieAttributes).toEqual(
    expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Strict']),
  )
  expect(sessionCookieLine).not.toMatch(/domain=/i)
  expect(sessionCookieLine.length).toBeLessThan(4096)
  const [, body = ''] = (jar.get('paydesk.session') ?? '')
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString())
  expect(body).not.toContain('paydesk.test')
  const sessionResponse = await fetch(`${dashboard.url}/api/auth/session`, {
    headers: { cookie: `paydesk.session=${jar.get('paydesk.session')}` },
  })
  expect(Object.keys((await sessionResponse.json()) as object)).toEqual(['expires'])
})

testInFullRun('behind HTTPS the cookie is bound to the host and to HTTPS', async () => {
  const origin = 'https://desk.example.test'
  const env = { APP_ORIGIN: origin, TEST_TIMES: '' }
  const secureDashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey,
    databaseUrl: postgres.url,
    env,
  })
  const { response } = await trySignIn(secureDashboard.url, 'viewer@paydesk.test', 'paydesk-demo')
  const secureCookieLine =
    response.headers.getSetCookie().find((cookie) => cookie.includes('paydesk.session=')) ?? ''
  await secureDashboard.stop()
  expect(secureCookieLine).toMatch(/^__Host-paydesk\.session=/)
  expect(secureCookieLine.split('; ')).toEqual(
    expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']),
  )
  expect(secureCookieLine).not.toMatch(/domain=/i)
})

test('sign-out ends the session at once, also for a copy of the cookie', async () => {
  const person = await signIn(dashboard.url, 'viewer')
  const copiedCookie = `paydesk.session=${person.jar.get('paydesk.session')}`
  expect((await person.get(paymentsPath)).status).toBe(200)
  await person.signOut()
  const requestCountBefore = stubService.seen.length
  for (const path of [
    paymentsPath,
    '/api/sandbox/desk/actions?target=payouts/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  ]) {
    const response = await fetch(dashboard.url + path, { headers: { cookie: copiedCookie } })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'unauthenticated' } })
  }
  const pageResponse = await fetch(`${dashboard.url}/sandbox/payouts`, {
    headers: { cookie: copiedCookie },
    redirect: 'manual',
  })
  expect(await pageResponse.text()).not.toContain('Vic Viewer')
  expect(stubService.seen.length).toBe(requestCountBefore)
})

test('sign-out on one instance takes effect on another', async () => {
  const secondDashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey,
    databaseUrl: postgres.url,
  })
  const person = await signIn(dashboard.url, 'viewer')
  const cookie = `paydesk.session=${person.jar.get('paydesk.session')}`
  const readStatusAtSecondDashboard = async () =>
    (await fetch(secondDashboard.url + paymentsPath, { headers: { cookie } })).status
  expect(await readStatusAtSecondDashboard()).toBe(200)
  await person.signOut()
  await waitUntil(
    'the other instance to notice',
    async () => ((await readStatusAtSecondDashboard()) === 401 ? true : null),
    3,
  )
  await secondDashboard.stop()
})

test('a session ends after fifteen idle minutes, and continues after fourteen', async () => {
  const person = await signIn(dashboard.url, 'viewer')
  await person.get(paymentsPath)
  await db.query(
    `update sessions set last_seen_at = now() - interval '14 minutes' where id_hash = ${newestSessionSql}`,
  )
  const { rows } = await db.query(
    `select id_hash from sessions where id_hash = ${newestSessionSql}`,
  )
  expect(rows).toHaveLength(1)
  expect((await person.get(paymentsPath)).status).toBe(200)
  await db.query(
    `update sessions set last_seen_at = now() - interval '16 minutes' where id_hash = ${newestSessionSql}`,
  )
  await waitUntilSessionEnded(person)
})

test('polling does not extend a session, and an action does', async () => {
  const person = await signIn(dashboard.url, 'viewer')
  const readSessionIdleSeconds = async () =>
    Number(
      (
        await db.query(
          `select extract(epoch from now() - last_seen_at) as age from sessions where id_hash = ${newestSessionSql}`,
        )
      ).rows[0].age,
    )
  await db.query(
    `update sessions set last_seen_at = now() - interval '10 minutes' where id_hash = ${newestSessionSql}`,
  )
  const pollPath = '/api/sandbox/desk/actions?target=payouts/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
  expect((await person.get(pollPath)).status).toBe(200)
  expect((await person.send('/api/auth/session')).status).toBe(200)
  // Pages send the header `unattended` with requests that they make without a user action. Such
  // requests must not extend the session.
  for (const path of [paymentsPath, '/sandbox/home'])
    expect((await person.send(path, { headers: { unattended: '1' } })).status).toBe(200)
  expect(await readSessionIdleSeconds()).toBeGreaterThan(590)
  await person.get(paymentsPath)
  expect(await readSessionIdleSeconds()).toBeLessThan(590)
})

test('a session expires eight hours after its start', async () => {
  const person = await signIn(dashboard.url, 'viewer')
  const lifetimeResult = await db.query(
    `select extract(epoch from expires_at - created_at) as left from sessions where id_hash = ${newestSessionSql}`,
  )
  expect(Number(lifetimeResult.rows[0].left)).toBe(8 * 60 * 60)
  await db.query(`update sessions set expires_at = now() where id_hash = ${newestSessionSql}`)
  await waitUntilSessionEnded(person)
})

test('a disabled person is signed out within seconds and cannot sign in', async () => {
  const person = await signIn(dashboard.url, 'reviewer')
  expect((await person.get(paymentsPath)).status).toBe(200)
  await db.query(`update people set disabled_at = now() where email = 'reviewer@paydesk.test'`)
  await waitUntilSessionEnded(person)
  expect((await trySignIn(dashboard.url, 'reviewer@paydesk.test', 'paydesk-demo')).ok).toBe(false)
})

test('a removed role loses its effect within seconds', async () => {
  const person = await signIn(dashboard.url, 'operator')
  expect((await person.get(paymentsPath)).status).toBe(200)
  await db.query(
    `delete from grants where person_id = (select id from people where email = 'operator@paydesk.test')`,
  )
  await waitUntil(
    'the refusal',
    async () => ((await person.get(paymentsPath)).status === 403 ? true : null),
    3,
  )
})

test.each([
  '',
  'x',
  'a.b.c.d.e',
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA',
  '%00',
  'null',
])('the cookie %j is rejected', async (value) => {
  const serviceRequestCountBefore = stubService.seen.length
  const response = await fetch(dashboard.url + paymentsPath, {
    headers: { cookie: `paydesk.session=${value}` },
  })
  expect(response.status).toBe(401)
  expect(stubService.seen.length).toBe(serviceRequestCountBefore)
})
