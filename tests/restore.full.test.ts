import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type CustomerToDelete, createCustomerToDelete, deletionReason } from './harness/deletions'
import { dumpAllRows } from './harness/leaks'
import { readAuditRows } from './harness/objects'
import { signIn } from './harness/person'
import { type PostgresServer, startPostgresServer } from './harness/postgres'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'

const customerName = 'Quillon Fernweather'
let postgres: PostgresServer
let sandbox: Sandbox
let dashboard: Dashboard
let superuserDb: Client

const buildStoreUrl = (databaseName: string) => postgres.url.replace(/postgres$/, databaseName)
const readDeletionsFile = () =>
  fs.readFileSync(path.join(dashboard.dataDir, 'deletions.jsonl'), 'utf8')

async function withStore<T>(databaseName: string, work: (db: Client) => Promise<T>): Promise<T> {
  const db = new Client(buildStoreUrl(databaseName))
  await db.connect()
  return work(db).finally(() => db.end())
}

let customer: CustomerToDelete

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgresServer()])
  superuserDb = new Client(postgres.url)
  await superuserDb.connect()
  await superuserDb.query('create database desk_store')
  const serviceOptions = { serviceUrl: sandbox.url, apiKey: sandbox.keys.full }
  dashboard = await startDashboard({ ...serviceOptions, databaseUrl: buildStoreUrl('desk_store') })
  customer = await createCustomerToDelete(
    sandbox,
    await signIn(dashboard.url, 'operator'),
    customerName,
  )
  // Stops the dashboard and copies its store. The copy is the backup from before the deletion.
  await dashboard.end()
  await superuserDb.query('create database backup template desk_store')
  await dashboard.restart()
  const reviewer = await signIn(dashboard.url, 'reviewer')
  const customerPath = `/customers/${customer.id}?account=${customer.account}`
  expect(
    (await reviewer.write('DELETE', customerPath, {}, { reason: deletionReason })).status,
  ).toBe(200)
  await waitUntil('the certificate', () =>
    withStore(
      'desk_store',
      async (db) => (await readAuditRows(db, 'deletions.certify.applied'))[0] ?? null,
    ),
  )
  await dashboard.end()
})
afterAll(async () => {
  await superuserDb?.end()
  await dashboard?.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

test('a deletion is stored outside the store, with IDs only', async () => {
  expect(await dumpAllRows(buildStoreUrl('desk_store'))).not.toContain(customerName)
  expect(readDeletionsFile()).toContain(customer.id)
  expect(readDeletionsFile()).not.toMatch(/Quillon|Fernweather/)
  expect(fs.statSync(path.join(dashboard.dataDir, 'deletions.jsonl')).mode & 0o077).toBe(0)
})

test('a start on an earlier backup repeats the deletion and reports it once', async () => {
  expect(await dumpAllRows(buildStoreUrl('backup'))).toContain(customerName)
  // Simulates a file that was joined from two instances: appends the same deletions again, and then
  // a line that is incomplete because the disk was full.
  fs.appendFileSync(
    path.join(dashboard.dataDir, 'deletions.jsonl'),
    `${readDeletionsFile()}{"environment":"sandbox","acc`,
  )
  const failedStartMessage = await dashboard
    .restart({ DATABASE_URL: buildStoreUrl('backup') })
    .then(
      () => '',
      (error: Error) => error.message,
    )
  const [, lostLineHash = ''] =
    /deletions\.jsonl: line 3 is not a deletion\..* put ([0-9a-f]{8}) into DELETIONS_LOST/.exec(
      failedStartMessage,
    ) ?? []
  expect(lostLineHash).not.toBe('')
  expect(failedStartMessage).not.toContain('"acc')
  expect(await dumpAllRows(buildStoreUrl('backup'))).toContain(customerName)
  for (let start = 0; start < 2; start += 1) {
    await dashboard.restart({ DATABASE_URL: buildStoreUrl('backup'), DELETIONS_LOST: lostLineHash })
    const isNameAbsent = async () =>
      (await dumpAllRows(buildStoreUrl('backup'))).includes(customerName) ? null : true
    await waitUntil('a store without the name', isNameAbsent)
    const listReappliedDeletions = () =>
      withStore('backup', (db) => readAuditRows(db, 'deletions.apply_again.applied'))
    await waitUntil('its row of the record', async () =>
      (await listReappliedDeletions()).length > 0 ? true : null,
    )
    expect(await listReappliedDeletions()).toMatchObject([
      { target: `customers/${customer.id}`, account: customer.account.replace('acct_', '') },
    ])
    expect(dashboard.log().match(/deletion\.applied_again/g)).toHaveLength(1)
    expect(dashboard.log()).toContain('deletion.line_lost')
    await dashboard.end()
  }
  const deletionStateResult = await withStore('backup', (db) =>
    db.query('select state from deletions where customer_id = $1', [customer.id]),
  )
  expect(deletionStateResult.rows).toEqual([{ state: 'executed' }])
})
