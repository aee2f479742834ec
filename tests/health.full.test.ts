import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'

const metricsToken = 'a-token-for-metrics-of-this-test-0123456789'

let postgres: Postgres
let dashboard: Dashboard
let db: Client

beforeAll(async () => {
  postgres = await startPostgres()
  dashboard = await startDashboard({
    serviceUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-this-test-0123456789',
    databaseUrl: postgres.url,
    env: { METRICS_TOKEN: metricsToken, MIRROR_SYNC: 'on', SERVICE_SANDBOX_RATE_LIMIT: '50' },
  })
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await postgres?.stop()
})

type HealthReport = { status: string; checks: Record<string, unknown> }

async function fetchReadiness() {
  const response = await fetch(`${dashboard.url}/api/health/ready`)
  return { status: response.status, report: (await response.json()) as HealthReport }
}

/**
 * Polls until the health report matches. The server caches the report for a second, so the first
 * one may be old.
 */
const waitForHealthReport = (what: string, isExpected: (report: HealthReport) => boolean) =>
  waitUntil(what, async () => {
    const currentReadiness = await fetchReadiness()
    return isExpected(currentReadiness.report) ? currentReadiness : null
  })

describe('the readiness check', () => {
  test('returns 200 and “degraded” if the service is down', async () => {
    const degradedReport = await waitForHealthReport(
      'the paused sync',
      ({ status }) => status === 'degraded',
    )
    const expectedChecks = {
      process: 'ok',
      data_dir: 'ok',
      store: 'ok',
      migrations: 'ok',
      sync: { sandbox: 'paused' },
    }
    expect(degradedReport).toEqual({
      status: 200,
      report: { status: 'degraded', checks: expectedChecks },
    })
  })

  test('reports a hanging store within two seconds, and the process continues', async () => {
    await db.query('begin')
    await db.query('lock table drizzle.__drizzle_migrations in access exclusive mode')
    const unreachableStoreReport = await waitForHealthReport(
      'the store that hangs',
      ({ checks }) => checks.store === 'unreachable',
    )
    expect(unreachableStoreReport.status).toBe(503)
    expect(unreachableStoreReport.report.checks).toMatchObject({
      store: 'unreachable',
      migrations: 'unknown',
      sync: { sandbox: 'unknown' },
    })
    expect(await (await fetch(`${dashboard.url}/api/health/live`)).json()).toEqual({ status: 'ok' })
    await db.query('rollback')
    expect(
      (await waitForHealthReport('the store', ({ checks }) => checks.store === 'ok')).status,
    ).toBe(200)
  })

  test('fails if the store lacks a migration, and succeeds if it has a later one', async () => {
    const { rows } = await db.query(
      'select max(created_at) as newest from drizzle.__drizzle_migrations',
    )
    const shiftMigrationTimes = (offsetMs: number) =>
      db.query('update drizzle.__drizzle_migrations set created_at = created_at + $1', [offsetMs])
    await shiftMigrationTimes(-1)
    expect(
      (await waitForHealthReport('the older store', ({ checks }) => checks.migrations === 'behind'))
        .status,
    ).toBe(503)
    await shiftMigrationTimes(2)
    expect(
      (await waitForHealthReport('the newer store', ({ checks }) => checks.migrations === 'ahead'))
        .status,
    ).toBe(200)
    await shiftMigrationTimes(-1)
    expect(
      (await db.query('select max(created_at) as newest from drizzle.__drizzle_migrations')).rows,
    ).toEqual(rows)
  })
})

const fetchMetrics = (authorization?: string) =>
  fetch(`${dashboard.url}/api/metrics`, { headers: authorization ? { authorization } : {} })

describe('metrics', () => {
  test.each([
    undefined,
    metricsToken,
    'Bearer ',
    `Bearer ${metricsToken}x`,
    `bearer ${metricsToken}`,
  ])('%s is refused', async (given) => {
    const response = await fetchMetrics(given)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await response.text()).not.toContain('paydesk_')
  })

  test('count requests under the names of the contract', async () => {
    const person = await signIn(dashboard.url)
    await trySignIn(dashboard.url, 'canary@paydesk.test', 'canary-password')
    await person.get('/api/sandbox/v1/payouts/018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f')
    await person.get('/api/sandbox/v1/canary')
    await db.query(`insert into webhook_events (environment, id, event_id, event_type, signed, state, next_try_at, received_at)
      values ('sandbox', 'held', 'held', 'held', 'verified', 'received', now() + interval '1 day', now() - interval '1 hour')`)
    await db.query(`insert into deletions (id, environment, account_id, customer_id, ground, identity_check, requested_by, created_at)
      select gen_random_uuid(), 'sandbox', gen_random_uuid(), gen_random_uuid(), 'X', 'X', id, now() - interval '1 day' from people limit 1`)
    const response = await fetchMetrics(`Bearer ${metricsToken}`)
    const metricsText = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ])
    const readMetric = (series: string) =>
      Number(
        metricsText
          .split('\n')
          .find((each) => each.startsWith(`${series} `))
          ?.slice(series.length + 1),
      )
    expect(readMetric('paydesk_store_up')).toBe(1)
    expect(
      readMetric('paydesk_requests_total{operation="payouts.get",outcome="service_failed"}'),
    ).toBe(1)
    expect(readMetric('paydesk_requests_total{operation="none",outcome="not_found"}')).toBe(1)
    expect(
      readMetric(
        'paydesk_service_seconds_count{environment="sandbox",operation="payouts.get",outcome="fault"}',
      ),
    ).toBe(1)
    expect(readMetric('paydesk_sign_ins_total{outcome="opened"}')).toBe(1)
    expect(readMetric('paydesk_sign_ins_total{outcome="refused"}')).toBe(1)
    expect(readMetric('paydesk_webhooks_waiting{environment="sandbox"}')).toBe(1)
    expect(readMetric('paydesk_webhooks_oldest_seconds{environment="sandbox"}')).toBeGreaterThan(
      3599,
    )
    expect(readMetric('paydesk_sync_paused{environment="sandbox"}')).toBe(1)
    expect(readMetric('paydesk_limiter_allowed{environment="sandbox"}')).toBe(50)
    expect(readMetric('paydesk_request_seconds_count{operation="payouts.get"}')).toBe(1)
    expect(readMetric('paydesk_deletions_waiting{environment="sandbox"}')).toBe(1)
    expect(readMetric('paydesk_deletions_oldest_seconds{environment="sandbox"}')).toBeGreaterThan(
      86_399,
    )
    expect(readMetric('paydesk_store_connections_used')).toBeLessThanOrEqual(10)
    expect(readMetric('paydesk_store_connections_waiting')).toBe(0)
    expect(readMetric('paydesk_audit_unsigned_seconds')).toBeGreaterThan(0)
    expect(readMetric('paydesk_data_dir_free_bytes')).toBeGreaterThan(0)
    expect(readMetric('paydesk_data_dir_size_bytes')).toBeGreaterThan(
      readMetric('paydesk_data_dir_free_bytes'),
    )
    expect(readMetric('process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(metricsText).not.toMatch(/canary|018f4c1e|@|127\.0\.0\.1/)
  })

  test('omit the store’s values while it hangs', async () => {
    await db.query('begin')
    await db.query('lock table actions in access exclusive mode')
    const lockedStoreMetrics = await (await fetchMetrics(`Bearer ${metricsToken}`)).text()
    await db.query('rollback')
    const metricNames = Array.from(
      lockedStoreMetrics.matchAll(/^(paydesk_(?:store|audit|data_dir)\w+(?<!_total)) /gm),
      ([, name]) => name,
    )
    expect(metricNames.toSorted()).toEqual([
      'paydesk_data_dir_free_bytes',
      'paydesk_data_dir_size_bytes',
      'paydesk_store_up',
    ])
    expect(lockedStoreMetrics).toMatch(/^paydesk_store_up 0$/m)
  })

  test('do not exist without the setting', async () => {
    const otherDashboard = await startDashboard({
      serviceUrl: 'http://127.0.0.1:9',
      apiKey: 'key-of-this-test-0123456789',
    })
    const response = await fetch(`${otherDashboard.url}/api/metrics`, {
      headers: { authorization: 'Bearer ' },
    })
    expect(response.status).toBe(404)
    await otherDashboard.stop()
  })
})

test('a malformed notice on the shared channel is logged, and the process continues', async () => {
  await waitUntil('the listening', async () => {
    await db.query("select pg_notify('paydesk', 'no notice')")
    return dashboard.log().includes('"event":"store.notice_malformed"') ? true : null
  })
  for (const payload of [
    '{',
    '[]',
    '{"about":"rows"}',
    '{"about":"rows","environment":"moon"}',
    'null',
  ]) {
    await db.query("select pg_notify('paydesk', $1)", [payload])
  }
  expect((await fetch(`${dashboard.url}/api/health`)).status).toBe(200)
  expect(dashboard.log()).not.toMatch(/uncaughtException|unhandledRejection|SyntaxError/)
})
