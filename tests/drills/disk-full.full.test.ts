import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from '@/tests/harness/dashboard'
import { signIn } from '@/tests/harness/person'
import { type PostgresServer, startPostgresServer } from '@/tests/harness/postgres'
import { type Sandbox, startSandbox } from '@/tests/harness/sandbox'
import { waitUntil } from '@/tests/harness/wait-until'

let sandbox: Sandbox
let postgres: PostgresServer
let dashboard: Dashboard
let db: Client

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgresServer({ diskMib: 160 })])
  dashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: postgres.url,
  })
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

async function readHealth(): Promise<{ status: number; store: string }> {
  const response = await fetch(`${dashboard.url}/api/health/ready`)
  const { checks } = (await response.json()) as { checks: { store: string } }
  return { status: response.status, store: checks.store }
}

/**
 * Fills the disk of the database, until PostgreSQL reports `disk_full` (53100). Inserts a thousand
 * rows at a time, then single rows. Each row takes one page (8 KiB) of the table.
 */
async function fillDisk(): Promise<void> {
  await db.query('create table filler (x text); alter table filler alter x set storage plain')
  for (const rows of [1000, 1]) {
    let isDiskFull = false
    while (!isDiskFull) {
      isDiskFull = await db
        .query(`insert into filler select repeat('x', 7000) from generate_series(1, ${rows})`)
        .then(
          () => false,
          (error: { code?: string }) => error.code === '53100',
        )
    }
  }
}

test('a full database disk makes the process unready and keeps payouts unchanged, and free space makes it ready', async () => {
  const operator = await signIn(dashboard.url)
  expect(await readHealth()).toEqual({ status: 200, store: 'ok' })
  await fillDisk()
  const payout = await sandbox.makePayout()
  const refusedReply = await operator.decide('cancel', payout)
  expect([refusedReply.status, refusedReply.body.error?.code]).toEqual([503, 'unavailable'])
  expect(await sandbox.journal(payout.id)).toEqual([])
  expect(
    await waitUntil('an unready process', async () =>
      (await readHealth()).status === 503 ? readHealth() : null,
    ),
  ).toEqual({
    status: 503,
    store: 'full',
  })
  await db.query('drop table filler')
  await waitUntil('a ready process', async () =>
    (await readHealth()).status === 200 ? true : null,
  )
  expect((await operator.decide('cancel', payout)).status).toBe(200)
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})
