import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeStore, getDatabase } from '@/lib/server/store/store'
import { runSyncPass } from '@/lib/server/sync/pass'
import { readSyncState } from '@/lib/server/sync/state'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { configureEnvForSandbox, expectMirrorMatches, fetchServiceRows } from './harness/mirror'
import { type Postgres, startPostgres } from './harness/postgres'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'

let sandbox: Sandbox
let postgres: Postgres
let dashboard: Dashboard

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgres()])
  configureEnvForSandbox(sandbox)
  process.env.DATABASE_URL = postgres.url
})
afterAll(async () => {
  await closeStore()
  await dashboard?.stop()
  await Promise.all([sandbox?.stop(), postgres?.stop()])
})

/**
 * Marks the sync jobs of the killed instance as failed, so that the restarted instance need not
 * wait until they time out.
 */
const failActiveJobs = async () => {
  await (await getDatabase()).execute(
    sql`update pgboss.job set state = 'failed' where state = 'active'`,
  )
}

test('the server imports automatically, and continues after it was killed during the import', async () => {
  const accountId =
    (await fetchServiceRows(sandbox, 'accounts')).map(({ id }) => id).sort()[8] ?? ''
  await sandbox.fault({
    operation: 'account_settings.get',
    match: accountId,
    kind: 'delay',
    ms: 600_000,
    count: 1,
  })
  dashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: postgres.url,
    env: { MIRROR_SYNC: 'on' },
  })
  const readSettingsSyncState = async () =>
    (await readSyncState('sandbox')).resources.find(
      ({ resource }) => resource === 'account_settings',
    )
  await waitUntil('half of the settings', async () =>
    (await readSettingsSyncState())?.done === 8 ? true : null,
  )
  await dashboard.kill9()
  await sandbox.clearFaults()
  await failActiveJobs()
  const seqBefore = await sandbox.lastSeq()
  await dashboard.restart()
  await waitUntil('the import', async () =>
    (await readSyncState('sandbox')).importedAt ? true : null,
  )
  expect(await readSettingsSyncState()).toMatchObject({ done: 16, total: 16, imported: true })
  const requestedPaths = (await sandbox.requests(seqBefore))
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/v1/account_settings/'))
  expect(requestedPaths).toHaveLength(8)
  // The test process itself runs this sync, as a second instance on the same database.
  const { signal } = new AbortController()
  await expectMirrorMatches(sandbox, () =>
    runSyncPass({ environment: 'sandbox', until: Date.now() + 60_000, signal }),
  )
})
