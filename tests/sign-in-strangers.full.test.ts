import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { loadSignInForm, signInWithRetry, trySignIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { waitUntil } from './harness/wait-until'

const victim = 'viewer@paydesk.test'
const goodPassword = 'paydesk-demo'

let postgres: Postgres
let dashboard: Dashboard
let db: Client

beforeAll(async () => {
  postgres = await startPostgres()
  const service = { serviceUrl: 'http://127.0.0.1:9', apiKey: 'key-of-this-test-0123456789' }
  // TRUSTED_PROXIES is 1, as behind one load balancer. Tests can then send requests from several networks.
  dashboard = await startDashboard({ ...service, databaseUrl: postgres.url, env: { TRUSTED_PROXIES: '1' } })
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

/** Sends ten wrong passwords for the victim's email address, which locks it. */
const sendTenGuesses = (headers: Record<string, string>, cookies?: Map<string, string>) =>
  Promise.all(Array.from({ length: 10 }, () => trySignIn(dashboard.url, victim, 'guess', headers, cookies && new Map(cookies))))

/** Returns the device cookie of a browser in which the victim has signed in before. */
async function createKnownBrowser(email = victim): Promise<Map<string, string>> {
  const { ok, jar } = await signInWithRetry(dashboard.url, email, goodPassword, victimHeaders)
  expect(ok).toBe(true)
  return new Map([...jar].filter(([name]) => name === 'paydesk.device'))
}

/** Maximum number of sign-ins at the same time: two are checked and twenty wait. */
const queueSize = 22

/**
 * Runs `work` while strangers' sign-ins fill the queue, none of which can continue. Sends one sign-in more than the maximum. `refused`
 * contains the refused responses. Returns the statuses of all these sign-ins.
 */
async function withFullQueue(headers: (stranger: number) => Record<string, string>, work: (refused: Response[]) => Promise<void>) {
  const lockHolder = new Client(postgres.url)
  await lockHolder.connect()
  const refused: Response[] = []
  const guesses: Promise<number>[] = []
  try {
    // Each sign-in writes a row before it hashes the password. The lock blocks the first two there, and the others wait for these two.
    await lockHolder.query('begin; lock table sign_in_failures in access exclusive mode')
    const visitors = await Promise.all(
      Array.from({ length: queueSize + 1 }, (_, stranger) => loadSignInForm(dashboard.url, headers(stranger))),
    )
    const guessAs = async (guess: (typeof visitors)[number]) => {
      const { response } = await guess(`${randomUUID()}@evil.test`, 'guess')
      if (response.status === 503) refused.push(response)
      return response.status
    }
    guesses.push(...visitors.map(guessAs))
    await waitUntil('a full queue', () => (refused.length === 1 ? true : null))
    await work(refused)
  } finally {
    await lockHolder.query('rollback')
    await lockHolder.end()
    await Promise.allSettled(guesses)
  }
  return Promise.all(guesses)
}

describe('a full sign-in queue', () => {
  test('does not block another network: a request of the filling network is dropped', async () => {
    const enter = await loadSignInForm(dashboard.url, victimHeaders)
    let signInResult: ReturnType<typeof enter> | undefined
    const statuses = await withFullQueue(
      () => strangerHeaders,
      async (refused) => {
        signInResult = enter(victim, goodPassword)
        await waitUntil('another stranger to be turned away', () => (refused.length === 2 ? true : null))
      },
    )
    expect((await signInResult)?.response.status).toBe(200)
    expect(statuses.sort()).toEqual([...Array(queueSize - 1).fill(401), 503, 503])
  })

  test('of different networks does not block a known device, and drops none of them', async () => {
    const submitSignIn = await loadSignInForm(dashboard.url, strangerHeaders, await createKnownBrowser())
    const submitNext = await loadSignInForm(dashboard.url, buildAddressHeaders('203.0.99.66'))
    let entered: ReturnType<typeof submitSignIn> | undefined
    const statuses = await withFullQueue(
      (stranger) => buildAddressHeaders(`203.0.${stranger}.66`),
      async () => {
        entered = submitSignIn(victim, goodPassword)
        // This sign-in starts later, from an unknown device. It is refused, because the queue is still full.
        expect((await submitNext(victim, goodPassword)).response.status).toBe(503)
      },
    )
    expect((await entered)?.response.status).toBe(200)
    expect(statuses.sort()).toEqual([...Array(queueSize).fill(401), 503])
  })

  test('refuses the next request with a retry time, which does not count as an attempt', async () => {
    const countFailures = () => runSql('select sum(failures)::int as failures, count(*)::int as people from sign_in_failures')
    let refusal: Response | undefined
    await withFullQueue(
      (stranger) => buildAddressHeaders(`203.0.${stranger}.1`),
      async (refused) => {
        refusal = refused[0]
      },
    )
    expect(refusal?.headers.get('retry-after')).toBe('2')
    expect(await refusal?.json()).toMatchObject({ error: { code: 'unavailable', detail: expect.stringContaining('was not checked') } })
    expect(await countFailures()).toEqual([{ failures: queueSize, people: queueSize }])
  })
})

describe('a known device', () => {
  test('is not locked by strangers who try its address, and has its own lock', async () => {
    const device = await createKnownBrowser()
    await sendTenGuesses(strangerHeaders)
    expect((await trySignIn(dashboard.url, victim, goodPassword, victimHeaders)).ok).toBe(false)
    const signedInPerson = await trySignIn(dashboard.url, victim, goodPassword, victimHeaders, new Map(device))
    expect(signedInPerson.ok).toBe(true)
    // A successful sign-in of the victim does not unlock the address for the strangers.
    expect((await trySignIn(dashboard.url, victim, goodPassword, strangerHeaders)).ok).toBe(false)

    const deviceCookies = new Map([...signedInPerson.jar].filter(([name]) => name === 'paydesk.device'))
    expect(deviceCookies.get('paydesk.device')).not.toBe(device.get('paydesk.device'))
    await sendTenGuesses(victimHeaders, deviceCookies)
    expect((await trySignIn(dashboard.url, victim, goodPassword, victimHeaders, new Map(deviceCookies))).ok).toBe(false)
  })

  test('is valid for one person only, and only with its signature', async () => {
    const device = await createKnownBrowser('operator@paydesk.test')
    const value = device.get('paydesk.device') ?? ''
    const [id = '', issued = '', signature = ''] = value.split('.')
    await sendTenGuesses(strangerHeaders)
    for (const forged of [
      value,
      `x${id}.${issued}.${signature}`,
      `${id}.${Number(issued) + 1}.${signature}`,
      `${id}.${issued}.`,
      `..`,
      '',
    ]) {
      const triedSignIn = await trySignIn(dashboard.url, victim, goodPassword, victimHeaders, new Map([['paydesk.device', forged]]))
      expect([forged, triedSignIn.ok]).toEqual([forged, false])
    }
    expect(value).not.toContain('operator')
  })

  test('is stored in a cookie for this host, HttpOnly, which survives a sign-out', async () => {
    const { response, send, jar } = await signInWithRetry(dashboard.url, victim, goodPassword, victimHeaders)
    const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith('paydesk.device=')) ?? ''
    expect(line.split('; ').slice(1)).toEqual(['Path=/', 'Max-Age=15552000', 'HttpOnly', 'SameSite=Strict'])
    const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string }
    const signOutResponse = await send('/api/auth/signout', { method: 'POST', body: new URLSearchParams({ csrfToken, json: 'true' }) })
    expect(signOutResponse.headers.get('clear-site-data')).toBe('"cache", "storage"')
    expect(jar.get('paydesk.device')).toMatch(/^[\w-]{22}\.\d+\.[\w-]{43}$/)
  })

  test('is not created by a refused sign-in', async () => {
    const { response } = await trySignIn(dashboard.url, victim, 'guess', victimHeaders)
    expect(response.headers.getSetCookie().join()).not.toContain('paydesk.device')
  })
})

describe('a network with too many failures', () => {
  const fillNetworkLimit = () => db.query(`update sign_in_networks set whole_at = now() + interval '995 seconds'`)

  test('must wait without a hash or an attempt, and other networks and known devices need not', async () => {
    const device = await createKnownBrowser()
    await trySignIn(dashboard.url, 'somebody@evil.test', 'guess', strangerHeaders)
    await fillNetworkLimit()
    const refusedSignIn = await trySignIn(dashboard.url, victim, goodPassword, buildAddressHeaders('203.0.113.200'))
    expect([refusedSignIn.response.status, refusedSignIn.response.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refusedSignIn.response.json()).toMatchObject({ error: { code: 'too_many' } })
    expect(await runSql('select failures from sign_in_failures')).toEqual([{ failures: 1 }])
    const [told] = await waitUntil('the refusal to be on record', async () => {
      const found = await runSql(`select body::jsonb as body from audit where body::jsonb ->> 'code' = 'session.sign_in.too_many'`)
      return found.length > 0 ? found : null
    })
    expect(told.body).toMatchObject({ actor: null, network: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect((await trySignIn(dashboard.url, victim, goodPassword, buildAddressHeaders('203.0.114.200'))).ok).toBe(true)
    expect((await trySignIn(dashboard.url, victim, goodPassword, strangerHeaders, new Map(device))).ok).toBe(true)
  })

  test('has its failures counted by network, and successes do not count', async () => {
    for (const address of ['2001:db8:1:200::1', '2001:db8:1:2ff::2'])
      await trySignIn(dashboard.url, victim, 'guess', buildAddressHeaders(address))
    await signInWithRetry(dashboard.url, victim, goodPassword, buildAddressHeaders('2001:db8:1:280::3'))
    await signInWithRetry(dashboard.url, victim, goodPassword, buildAddressHeaders('2001:db8:1:300::4'))
    const networkRows = await runSql(
      'select ceil(extract(epoch from whole_at - now()) / 10)::int as failures from sign_in_networks order by 1',
    )
    expect(networkRows).toEqual([{ failures: 0 }, { failures: 2 }])
    expect(await runSql(`select 1 from sign_in_networks where network_hash ~ '2001|db8'`)).toEqual([])
  })
})

test('loses its expired failures', async () => {
  await db.query(`
    insert into sign_in_failures (email_hash, failures, last_at, locked_until) values
      ('old', 3, now() - interval '31 minutes', null), ('old-lock', 10, now() - interval '40 minutes', now() - interval '10 minutes'),
      ('fresh', 3, now() - interval '29 minutes', null), ('locked', 10, now() - interval '31 minutes', now() + interval '1 minute');
    insert into sign_in_networks (network_hash, whole_at) values ('old', now() - interval '1 second'), ('fresh', now() + interval '1 hour')`)
  await dashboard.end()
  await dashboard.restart()
  const readRemainingKeys = () =>
    runSql('select email_hash as key from sign_in_failures union all select network_hash from sign_in_networks order by 1')
  await waitUntil('the old ones to go', async () => ((await readRemainingKeys()).length <= 3 ? true : null))
  expect(await readRemainingKeys()).toEqual([{ key: 'fresh' }, { key: 'fresh' }, { key: 'locked' }])
})
