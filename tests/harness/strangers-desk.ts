import { Client } from 'pg'
import { expect } from 'vitest'
import { startDashboard } from './dashboard'
import { startPostgres } from './postgres'
import { signInWithRetry } from './sign-in'

export const victimEmail = 'viewer@paydesk.test'
export const demoPassword = 'paydesk-demo'

export const buildForwardedForHeaders = (address: string) => ({
  'x-forwarded-for': `192.0.2.1, ${address}`,
})
export const victimHeaders = buildForwardedForHeaders('198.51.100.7')
export const strangerHeaders = buildForwardedForHeaders('203.0.113.66')

export type StrangersDesk = Awaited<ReturnType<typeof startStrangersDesk>>

/**
 * Starts a dashboard behind one trusted proxy: it reads the client’s address from the header
 * X-Forwarded-For. Tests can therefore send requests from several networks.
 */
export async function startStrangersDesk() {
  const postgres = await startPostgres()
  const dashboard = await startDashboard({
    serviceUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-this-test-0123456789',
    databaseUrl: postgres.url,
    env: { TRUSTED_PROXIES: '1' },
  })
  const db = new Client(postgres.url)
  await db.connect()
  return {
    postgres,
    dashboard,
    db,
    forgetFailures: () => db.query('delete from sign_in_failures; delete from sign_in_networks'),
    stop: async () => {
      await db.end()
      await dashboard.stop()
      await postgres.stop()
    },
  }
}

/** Returns the cookie that makes a new browser a known device at the next sign-in. */
export async function createKnownDeviceCookies(
  dashboardUrl: string,
  email = victimEmail,
): Promise<Map<string, string>> {
  const { ok, jar } = await signInWithRetry(dashboardUrl, email, demoPassword, victimHeaders)
  expect(ok).toBe(true)
  return new Map([...jar].filter(([name]) => name === 'paydesk.device'))
}
