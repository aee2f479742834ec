import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { loadSignInForm, signInWithRetry, trySignIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { waitUntil } from './harness/wait-until'

const victimEmail = 'viewer@paydesk.test'
const goodPassword = 'paydesk-demo'

let postgres: Postgres
let dashboard: Dashboard
let db: Client

beforeAll(async () => {
  postgres = await startPostgres()
  const serviceOptions = { serviceUrl: 'http://127.0.0.1:9', apiKey: 'key-of-this-test-0123456789' }
  // With one trusted proxy, the dashboard reads the client’s address from the header
  // X-Forwarded-For. Tests can therefore send requests from several networks.
  dashboard = await startDashboard({
    ...serviceOptions,
    databaseUrl: postgres.url,
    env: { TRUSTED_PROXIES: '1' },
  })
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await postgres?.stop()
})
afterEach(() => db.query('delete from sign_in_failures; delete from sign_in_networks'))

const buildAddressHeaders = (address: string) => ({ 'x-forwarded-for': `192.0.2.1, ${address}` })
const victimHeaders = buildAddressHeaders('198.51.100.7')
const strangerHeaders = buildAddressHeaders('203.0.113.66')
const runSql = async (text: string) => (await db.query(text)).rows

/** Ten failures lock the address, or the known device if `cookies` contain its cookie. */
const sendTenGuesses = (headers: Record<string, string>, cookies?: Map<string, string>) =>
  Promise.all(
    Array.from({ length: 10 }, () =>
      trySignIn(dashboard.url, victimEmail, 'guess', headers, cookies && new Map(cookies)),
    ),
  )

/** Returns the cookie that makes a new browser a known device at the next sign-in. */
async function createKnownDeviceCookies(email = victimEmail): Promise<Map<string, string>> {
  const { ok, jar } = await signInWithRetry(dashboard.url, email, goodPassword, victimHeaders)
  expect(ok).toBe(true)
  return new Map([...jar].filter(([name]) => name === 'paydesk.device'))
}

/**
 * The number of sign-ins from unknown devices that the server accepts at the same time: it checks
 * two, and twenty wait in the queue.
 */
const maxConcurrentSignIns = 22

/**
 * Fills the sign-in queue with sign-ins of strangers that cannot continue, and sends one more,
 * which the server refuses. Then runs `work` with the refused responses (status 503). Returns the
 * statuses of all these sign-ins. The first parameter returns the request headers for the stranger
 * with this number.
 */
async function withFullSignInQueue(
  buildHeaders: (stranger: number) => Record<string, string>,
  work: (refused: Response[]) => Promise<void>,
) {
  const lockHolder = new Client(postgres.url)
  await lockHolder.connect()
  const refusedResponses: Response[] = []
  const statusPromises: Promise<number>[] = []
  try {
    // Each sign-in writes a row to this table before it hashes the password. The table lock stops
    // the first two sign-ins at this write, so the others wait in the queue behind them.
    await lockHolder.query('begin; lock table sign_in_failures in access exclusive mode')
    const submitForms = await Promise.all(
      Array.from({ length: maxConcurrentSignIns + 1 }, (_, stranger) =>
        loadSignInForm(dashboard.url, buildHeaders(stranger)),
      ),
    )
    const submitWrongPassword = async (submitForm: (typeof submitForms)[number]) => {
      const { response } = await submitForm(`${randomUUID()}@evil.test`, 'guess')
      if (response.status === 503) refusedResponses.push(response)
      return response.status
    }
    statusPromises.push(...submitForms.map(submitWrongPassword))
    await waitUntil('a full queue', () => (refusedResponses.length === 1 ? true : null))
    await work(refusedResponses)
  } finally {
    await lockHolder.query('rollback')
    await lockHolder.end()
    await Promise.allSettled(statusPromises)
  }
  return Promise.all(statusPromises)
}

describe('a full sign-in queue', () => {
  test('does not block another network: a request of the filling network is dropped', async () => {
    const submitVictimSignIn = await loadSignInForm(dashboard.url, victimHeaders)
    let signInResult: ReturnType<typeof submitVictimSignIn> | undefined
    const statuses = await withFullSignInQueue(
      () => strangerHeaders,
      async (refused) => {
        signInResult = submitVictimSignIn(victimEmail, goodPassword)
        await waitUntil('another stranger to be turned away', () =>
          refused.length === 2 ? true : null,
        )
      },
    )
    expect((await signInResult)?.response.status).toBe(200)
    expect(statuses.sort()).toEqual([...Array(maxConcurrentSignIns - 1).fill(401), 503, 503])
  })

  test('of different networks does not block a known device, and drops none of them', async () => {
    const submitSignIn = await loadSignInForm(
      dashboard.url,
      strangerHeaders,
      await createKnownDeviceCookies(),
    )
    const submitFromUnknownDevice = await loadSignInForm(
      dashboard.url,
      buildAddressHeaders('203.0.99.66'),
    )
    let knownDeviceSignIn: ReturnType<typeof submitSignIn> | undefined
    const statuses = await withFullSignInQueue(
      (stranger) => buildAddressHeaders(`203.0.${stranger}.66`),
      async () => {
        knownDeviceSignIn = submitSignIn(victimEmail, goodPassword)
        // Known devices have a separate queue. This sign-in comes from an unknown device, and the
        // queue for unknown devices is still full.
        expect((await submitFromUnknownDevice(victimEmail, goodPassword)).response.status).toBe(503)
      },
    )
    expect((await knownDeviceSignIn)?.response.status).toBe(200)
    expect(statuses.sort()).toEqual([...Array(maxConcurrentSignIns).fill(401), 503])
  })

  test('refuses the next request with a retry time, which does not count as an attempt', async () => {
    const countFailures = () =>
      runSql('select sum(failures)::int as failures, count(*)::int as people from sign_in_failures')
    let queueFullResponse: Response | undefined
    await withFullSignInQueue(
      (stranger) => buildAddressHeaders(`203.0.${stranger}.1`),
      async (refused) => {
        queueFullResponse = refused[0]
      },
    )
    expect(queueFullResponse?.headers.get('retry-after')).toBe('2')
    expect(await queueFullResponse?.json()).toMatchObject({
      error: { code: 'unavailable', detail: expect.stringContaining('was not checked') },
    })
    expect(await countFailures()).toEqual([
      { failures: maxConcurrentSignIns, people: maxConcurrentSignIns },
    ])
  })
})

describe('a known device', () => {
  test('is not locked by strangers who try its address, and has its own lock', async () => {
    const knownDeviceCookies = await createKnownDeviceCookies()
    await sendTenGuesses(strangerHeaders)
    expect((await trySignIn(dashboard.url, victimEmail, goodPassword, victimHeaders)).ok).toBe(
      false,
    )
    const successfulSignIn = await trySignIn(
      dashboard.url,
      victimEmail,
      goodPassword,
      victimHeaders,
      new Map(knownDeviceCookies),
    )
    expect(successfulSignIn.ok).toBe(true)
    // The victim’s successful sign-in on a known device does not unlock the address for the
    // strangers.
    expect((await trySignIn(dashboard.url, victimEmail, goodPassword, strangerHeaders)).ok).toBe(
      false,
    )

    const deviceCookies = new Map(
      [...successfulSignIn.jar].filter(([name]) => name === 'paydesk.device'),
    )
    expect(deviceCookies.get('paydesk.device')).not.toBe(knownDeviceCookies.get('paydesk.device'))
    await sendTenGuesses(victimHeaders, deviceCookies)
    expect(
      (
        await trySignIn(
          dashboard.url,
          victimEmail,
          goodPassword,
          victimHeaders,
          new Map(deviceCookies),
        )
      ).ok,
    ).toBe(false)
  })

  test('is valid for one person only, and only with its signature', async () => {
    const operatorDeviceCookies = await createKnownDeviceCookies('operator@paydesk.test')
    const cookieValue = operatorDeviceCookies.get('paydesk.device') ?? ''
    const [id = '', issued = '', signature = ''] = cookieValue.split('.')
    await sendTenGuesses(strangerHeaders)
    for (const forgedValue of [
      cookieValue,
      `x${id}.${issued}.${signature}`,
      `${id}.${Number(issued) + 1}.${signature}`,
      `${id}.${issued}.`,
      `..`,
      '',
    ]) {
      const triedSignIn = await trySignIn(
        dashboard.url,
        victimEmail,
        goodPassword,
        victimHeaders,
        new Map([['paydesk.device', forgedValue]]),
      )
      expect([forgedValue, triedSignIn.ok]).toEqual([forgedValue, false])
    }
    expect(cookieValue).not.toContain('operator')
  })

  test('is stored in a cookie for this host, HttpOnly, which survives a sign-out', async () => {
    const { response, send, jar } = await signInWithRetry(
      dashboard.url,
      victimEmail,
      goodPassword,
      victimHeaders,
    )
    const deviceCookieLine =
      response.headers.getSetCookie().find((cookie) => cookie.startsWith('paydesk.device=')) ?? ''
    expect(deviceCookieLine.split('; ').slice(1)).toEqual([
      'Path=/',
      'Max-Age=15552000',
      'HttpOnly',
      'SameSite=Strict',
    ])
    const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string }
    const signOutResponse = await send('/api/auth/signout', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, json: 'true' }),
    })
    expect(signOutResponse.headers.get('clear-site-data')).toBe('"cache", "storage"')
    expect(jar.get('paydesk.device')).toMatch(/^[\w-]{22}\.\d+\.[\w-]{43}$/)
  })

  test('is not created by a refused sign-in', async () => {
    const { response } = await trySignIn(dashboard.url, victimEmail, 'guess', victimHeaders)
    expect(response.headers.getSetCookie().join()).not.toContain('paydesk.device')
  })
})

describe('a network with too many failures', () => {
  const fillNetworkLimit = () =>
    db.query(`update sign_in_networks set whole_at = now() + interval '995 seconds'`)

  test('must wait without a hash or an attempt, and other networks and known devices need not', async () => {
    const victimDeviceCookies = await createKnownDeviceCookies()
    await trySignIn(dashboard.url, 'somebody@evil.test', 'guess', strangerHeaders)
    await fillNetworkLimit()
    const refusedSignIn = await trySignIn(
      dashboard.url,
      victimEmail,
      goodPassword,
      buildAddressHeaders('203.0.113.200'),
    )
    expect([
      refusedSignIn.response.status,
      refusedSignIn.response.headers.get('retry-after'),
    ]).toEqual([429, '10'])
    expect(await refusedSignIn.response.json()).toMatchObject({ error: { code: 'too_many' } })
    expect(await runSql('select failures from sign_in_failures')).toEqual([{ failures: 1 }])
    const [auditRow] = await waitUntil('the refusal to be on record', async () => {
      const auditRows = await runSql(
        `select body::jsonb as body from audit where body::jsonb ->> 'code' = 'session.sign_in.too_many'`,
      )
      return auditRows.length > 0 ? auditRows : null
    })
    expect(auditRow.body).toMatchObject({
      actor: null,
      network: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(
      (
        await trySignIn(
          dashboard.url,
          victimEmail,
          goodPassword,
          buildAddressHeaders('203.0.114.200'),
        )
      ).ok,
    ).toBe(true)
    expect(
      (
        await trySignIn(
          dashboard.url,
          victimEmail,
          goodPassword,
          strangerHeaders,
          new Map(victimDeviceCookies),
        )
      ).ok,
    ).toBe(true)
  })

  test('has its failures counted by network, and successes do not count', async () => {
    for (const address of ['2001:db8:1:200::1', '2001:db8:1:2ff::2'])
      await trySignIn(dashboard.url, victimEmail, 'guess', buildAddressHeaders(address))
    for (const address of ['2001:db8:1:280::3', '2001:db8:1:300::4']) {
      const headers = buildAddressHeaders(address)
      await signInWithRetry(dashboard.url, victimEmail, goodPassword, headers)
    }
    const networkRows = await runSql(
      'select ceil(extract(epoch from whole_at - now()) / 10)::int as failures from sign_in_networks order by 1',
    )
    expect(networkRows).toEqual([{ failures: 0 }, { failures: 2 }])
    expect(await runSql(`select 1 from sign_in_networks where network_hash ~ '2001|db8'`)).toEqual(
      [],
    )
  })
})

test('a network loses its expired failures', async () => {
  await db.query(`
    insert into sign_in_failures (email_hash, failures, last_at, locked_until) values
      ('old', 3, now() - interval '31 minutes', null), ('old-lock', 10, now() - interval '40 minutes', now() - interval '10 minutes'),
      ('fresh', 3, now() - interval '29 minutes', null), ('locked', 10, now() - interval '31 minutes', now() + interval '1 minute');
    insert into sign_in_networks (network_hash, whole_at) values ('old', now() - interval '1 second'), ('fresh', now() + interval '1 hour')`)
  await dashboard.end()
  await dashboard.restart()
  const readRemainingKeys = () =>
    runSql(
      'select email_hash as key from sign_in_failures union all select network_hash from sign_in_networks order by 1',
    )
  await waitUntil('the old ones to go', async () =>
    (await readRemainingKeys()).length <= 3 ? true : null,
  )
  expect(await readRemainingKeys()).toEqual([{ key: 'fresh' }, { key: 'fresh' }, { key: 'locked' }])
})
