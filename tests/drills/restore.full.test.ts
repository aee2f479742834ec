import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '@/tests/harness/command'
import { type Dashboard, startDashboard } from '@/tests/harness/dashboard'
import {
  type CustomerToDelete,
  createCustomerToDelete,
  deletionReason,
} from '@/tests/harness/deletions'
import { findProgram } from '@/tests/harness/find-program'
import { dumpAllRows } from '@/tests/harness/leaks'
import { readAuditRows } from '@/tests/harness/objects'
import { signIn } from '@/tests/harness/person'
import { type PostgresServer, startPostgresServer } from '@/tests/harness/postgres'
import { type Sandbox, startSandbox } from '@/tests/harness/sandbox'
import { makeDatabaseRoles, migrateAsOwner, type RoleDatabaseUrls } from '@/tests/harness/two-roles'
import { waitUntil } from '@/tests/harness/wait-until'

const customerNames = ['Quillon Fernweather', 'Odalys Brackenridge']
const auditSigningKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64')

let sandbox: Sandbox
let postgres: PostgresServer
let roleUrls: RoleDatabaseUrls
let instances: Dashboard[]
let customers: CustomerToDelete[]

const getInstance = (instanceIndex: number): Dashboard => instances[instanceIndex] as Dashboard
const getDeletionsFilePath = ({ dataDir }: Dashboard): string => join(dataDir, 'deletions.jsonl')

/**
 * Returns the URL of the restored database. `url` is the URL of the original database, for the same
 * database role.
 */
const toRestoredDatabaseUrl = (url: string): string => url.replace(/desk_store$/, 'restored')

function runProgram(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(findProgram(program), args, { encoding: 'utf8' })
  expect([program, status, stderr]).toEqual([program, 0, ''])
}

async function withStore<T>(url: string, work: (db: Client) => Promise<T>): Promise<T> {
  const db = new Client(url)
  await db.connect()
  return work(db).finally(() => db.end())
}

const listDeletionCertificates = (url: string) =>
  withStore(url, (db) => readAuditRows(db, 'deletions.certify.applied'))

/**
 * Deletes a customer through an instance, and waits for the deletion certificate. Each instance
 * also records its deletions in a file of its own.
 */
async function deleteCustomerOn(
  { url }: Dashboard,
  { id, account }: CustomerToDelete,
): Promise<void> {
  const reviewer = await signIn(url, 'reviewer')
  const certificateCountBefore = (await listDeletionCertificates(roleUrls.above)).length
  expect(
    (
      await reviewer.write(
        'DELETE',
        `/customers/${id}?account=${account}`,
        {},
        { reason: deletionReason },
      )
    ).status,
  ).toBe(200)
  await waitUntil('the certificate', async () =>
    (await listDeletionCertificates(roleUrls.above)).length > certificateCountBefore ? true : null,
  )
}

/** Runs `npm run audit:verify` on the database at `url`, with the data folder of an instance. */
const runAuditVerify = ({ dataDir }: Dashboard, url: string, ...flags: string[]) =>
  runCommand('audit-verify', flags, {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    AUDIT_SIGNING_KEY: auditSigningKey,
  })

beforeAll(async () => {
  // Starts the server from the folder with `pg_dump` and `pg_restore`, because all three must have
  // the same version.
  ;[sandbox, postgres] = await Promise.all([
    startSandbox(),
    startPostgresServer({ bin: dirname(findProgram('initdb')) }),
  ])
  roleUrls = await makeDatabaseRoles(postgres)
  expect(await migrateAsOwner(roleUrls)).toMatchObject({ code: 0 })
  const instanceOptions = {
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: roleUrls.serving,
    env: { AUDIT_SIGNING_KEY: auditSigningKey },
  }
  instances = [await startDashboard(instanceOptions), await startDashboard(instanceOptions)]
  const operator = await signIn(getInstance(0).url, 'operator')
  customers = []
  for (const name of customerNames)
    customers.push(await createCustomerToDelete(sandbox, operator, name))
})
afterAll(async () => {
  for (const desk of instances ?? []) await desk.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

test('a store restored by the runbook repeats later deletions of each instance, and its audit log is valid on both', async () => {
  const backupFile = join(getInstance(0).dataDir, 'paydesk.dump')
  runProgram('pg_dump', '-Fc', '-f', backupFile, roleUrls.owner)
  for (const [at, customer] of customers.entries())
    await deleteCustomerOn(getInstance(at), customer)
  for (const desk of instances) {
    expect(await runAuditVerify(desk, roleUrls.serving)).toMatchObject({ code: 0 })
    await desk.end()
  }
  expect(await dumpAllRows(roleUrls.above)).not.toMatch(new RegExp(customerNames.join('|')))

  await withStore(postgres.url, (db) => db.query('create database restored owner keeper'))
  runProgram(
    'pg_restore',
    '--exit-on-error',
    '-d',
    toRestoredDatabaseUrl(roleUrls.owner),
    backupFile,
  )
  for (const name of customerNames)
    expect(await dumpAllRows(toRestoredDatabaseUrl(roleUrls.above))).toContain(name)
  const servingUrl = toRestoredDatabaseUrl(roleUrls.serving)
  const verifyResultBefore = await runAuditVerify(getInstance(0), servingUrl)
  expect(verifyResultBefore).toMatchObject({
    code: 1,
    text: expect.stringContaining('audit chain BROKEN'),
  })
  expect(await runAuditVerify(getInstance(0), servingUrl, '--accept-restore')).toMatchObject({
    code: 0,
    text: expect.stringContaining('audit chain holds'),
  })
  const deletionsText = instances
    .map((desk) => readFileSync(getDeletionsFilePath(desk), 'utf8'))
    .join('')
  for (const desk of instances) writeFileSync(getDeletionsFilePath(desk), deletionsText)

  for (const desk of instances) await desk.restart({ DATABASE_URL: servingUrl })
  const areNamesErased = async () =>
    new RegExp(customerNames.join('|')).test(
      await dumpAllRows(toRestoredDatabaseUrl(roleUrls.above)),
    )
      ? null
      : true
  await waitUntil('a store without the names', areNamesErased)
  const listReappliedDeletionRows = () =>
    withStore(toRestoredDatabaseUrl(roleUrls.above), (db) =>
      readAuditRows(db, 'deletions.apply_again.applied'),
    )
  const reappliedRows = await waitUntil('the rows of the record', async () =>
    (await listReappliedDeletionRows()).length >= customers.length
      ? listReappliedDeletionRows()
      : null,
  )
  expect(reappliedRows.map(({ target }) => target).sort()).toEqual(
    customers.map(({ id }) => `customers/${id}`).sort(),
  )
  const deletionStateResult = await withStore(toRestoredDatabaseUrl(roleUrls.above), (db) =>
    db.query('select state from deletions'),
  )
  expect(deletionStateResult.rows).toEqual(customers.map(() => ({ state: 'executed' })))
  for (const desk of instances) {
    expect((await fetch(`${desk.url}/api/health/ready`)).status).toBe(200)
    expect(await runAuditVerify(desk, servingUrl)).toMatchObject({
      code: 0,
      text: expect.stringContaining('audit chain holds'),
    })
  }
  console.info(
    `after the restore: ${verifyResultBefore.text.trim()}\napplied again: ${reappliedRows.map(({ target }) => target).join(', ')}`,
  )
})
