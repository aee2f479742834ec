import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Dashboard } from './harness/dashboard'
import { signInWithRetry, trySignIn } from './harness/sign-in'
import {
  buildForwardedForHeaders,
  createKnownDeviceCookies,
  demoPassword,
  type StrangersDesk,
  startStrangersDesk,
  strangerHeaders,
  victimEmail,
  victimHeaders,
} from './harness/strangers-desk'
import { waitUntil } from './harness/wait-until'

let testStack: StrangersDesk
let dashboard: Dashboard
let db: Client

beforeAll(async () => {
  testStack = await startStrangersDesk()
  ;({ dashboard, db } = testStack)
})
afterAll(() => testStack?.stop())
afterEach(() => testStack.forgetFailures())

const runSql = async (text: string) => (await db.query(text)).rows

/**
 * Sends ten wrong passwords, which lock the email address for unknown devices. If `cookies` contain
 * the cookie of a known device, they lock only this device.
 */
const sendTenGuesses = (headers: Record<string, string>, cookies?: Map<string, string>) =>
  Promise.all(
    Array.from({ length: 10 }, () =>
      trySignIn(dashboard.url, victimEmail, 'guess', headers, cookies && new Map(cookies)),
    ),
  )

describe('a known device', () => {
  test('is not locked by strangers who try its address, and has its own lock', async () => {
    const knownDeviceCookies = await createKnownDeviceCookies(dashboard.url)
    await sendTenGuesses(strangerHeaders)
    expect((await trySignIn(dashboard.url, victimEmail, demoPassword, victimHeaders)).ok).toBe(
      false,
    )
    const successfulSignIn = await trySignIn(
      dashboard.url,
      victimEmail,
      demoPassword,
      victimHeaders,
      new Map(knownDeviceCookies),
    )
    expect(successfulSignIn.ok).toBe(true)
    // The victim’s successful sign-in on a known device does not unlock the email address for the
    // strangers.
    expect((await trySignIn(dashboard.url, victimEmail, demoPassword, strangerHeaders)).ok).toBe(
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
          demoPassword,
          victimHeaders,
          new Map(deviceCookies),
        )
      ).ok,
    ).toBe(false)
  })

  test('is valid for one person only, and only with its signature', async () => {
    const operatorDeviceCookies = await createKnownDeviceCookies(
      dashboard.url,
      'operator@paydesk.test',
    )
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
      const forgedDeviceSignIn = await trySignIn(
        dashboard.url,
        victimEmail,
        demoPassword,
        victimHeaders,
        new Map([['paydesk.device', forgedValue]]),
      )
      expect([forgedValue, forgedDeviceSignIn.ok]).toEqual([forgedValue, false])
    }
    expect(cookieValue).not.toContain('operator')
  })

  test('is stored in a cookie for this host, HttpOnly, which survives a sign-out', async () => {
    const { response, send, jar } = await signInWithRetry(
      dashboard.url,
      victimEmail,
      demoPassword,
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
    const victimDeviceCookies = await createKnownDeviceCookies(dashboard.url)
    await trySignIn(dashboard.url, 'somebody@evil.test', 'guess', strangerHeaders)
    await fillNetworkLimit()
    const refusedSignIn = await trySignIn(
      dashboard.url,
      victimEmail,
      demoPassword,
      buildForwardedForHeaders('203.0.113.200'),
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
          demoPassword,
          buildForwardedForHeaders('203.0.114.200'),
        )
      ).ok,
    ).toBe(true)
    expect(
      (
        await trySignIn(
          dashboard.url,
          victimEmail,
          demoPassword,
          strangerHeaders,
          new Map(victimDeviceCookies),
        )
      ).ok,
    ).toBe(true)
  })

  test('has its failures counted by network, and successes do not count', async () => {
    for (const address of ['2001:db8:1:200::1', '2001:db8:1:2ff::2'])
      await trySignIn(dashboard.url, victimEmail, 'guess', buildForwardedForHeaders(address))
    for (const address of ['2001:db8:1:280::3', '2001:db8:1:300::4']) {
      const headers = buildForwardedForHeaders(address)
      await signInWithRetry(dashboard.url, victimEmail, demoPassword, headers)
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
  const readRemainingHashes = () =>
    runSql(
      'select email_hash as key from sign_in_failures union all select network_hash from sign_in_networks order by 1',
    )
  await waitUntil('the old ones to go', async () =>
    (await readRemainingHashes()).length <= 3 ? true : null,
  )
  expect(await readRemainingHashes()).toEqual([
    { key: 'fresh' },
    { key: 'fresh' },
    { key: 'locked' },
  ])
})
