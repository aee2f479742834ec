import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '@/tests/harness/command'
import { type Dashboard, startDashboard } from '@/tests/harness/dashboard'
import { type CustomerToDelete, deletionReason, requestDeletion } from '@/tests/harness/deletions'
import { findProgram } from '@/tests/harness/find-program'
import { dumpAllRows } from '@/tests/harness/leaks'
import { readAuditRows } from '@/tests/harness/objects'
import { signIn } from '@/tests/harness/person'
import { type Server, startServer } from '@/tests/harness/postgres'
import { type Sandbox, startSandbox } from '@/tests/harness/sandbox'
import { makeRoles, migrateAsOwner, type RoleUrls } from '@/tests/harness/two-roles'
import { waitUntil } from '@/tests/harness/wait-until'

const names = ['Quillon Fernweather', 'Odalys Brackenridge']
const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')

let sandbox: Sandbox
let postgres: Server
let roles: RoleUrls
let instances: Dashboard[]
let customers: CustomerToDelete[]

const getInstance = (at: number): Dashboard => instances[at] as Dashboard
const toDeletionsFile = ({ dataDir }: Dashboard): string => join(dataDir, 'deletions.jsonl')

/** Returns the URL of the restored database, with the role in `url`. */
const toRestoredUrl = (url: string): string => url.replace(/desk_store$/, 'restored')

function runProgram(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(findProgram(program), args, { encoding: 'utf8' })
  expect([program, status, stderr]).toEqual([program, 0, ''])
}

async function withStore<T>(url: string, work: (db: Client) => Promise<T>): Promise<T> {
  const db = new Client(url)
  await db.connect()
  return work(db).finally(() => db.end())
}

const listCertificates = (url: string) => withStore(url, (db) => readAuditRows(db, 'deletions.certify.applied'))

/** Deletes a customer on an instance, which records the deletion in its own file. */
async function deleteCustomerOn({ url }: Dashboard, { id, account }: CustomerToDelete): Promise<void> {
  const reviewer = await signIn(url, 'reviewer')
  const certificateCountBefore = (await listCertificates(roles.above)).length
  expect((await reviewer.write('DELETE', `/customers/${id}?account=${account}`, {}, { reason: deletionReason })).status).toBe(200)
  await waitUntil('the certificate', async () => ((await listCertificates(roles.above)).length > certificateCountBefore ? true : null))
}

/** Runs `npm run audit:verify` with a database and the data folder of an instance. */
const runAuditVerify = ({ dataDir }: Dashboard, url: string, ...flags: string[]) =>
  runCommand('audit-verify', flags, { DATABASE_URL: url, DATA_DIR: dataDir, AUDIT_SIGNING_KEY: key })

beforeAll(async () => {
  // The dump and restore programs must have the same version as the server.
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startServer({ bin: dirname(findProgram('initdb')) })])
  roles = await makeRoles(postgres)
  expect(await migrateAsOwner(roles)).toMatchObject({ code: 0 })
  const sharedOptions = { serviceUrl: sandbox.url, apiKey: sandbox.keys.full, databaseUrl: roles.serving, env: { AUDIT_SIGNING_KEY: key } }
  instances = [await startDashboard(sharedOptions), await startDashboard(sharedOptions)]
  const operator = await signIn(getInstance(0).url, 'operator')
  customers = []
  for (const name of names) customers.push(await requestDeletion(sandbox, operator, name))
})
afterAll(async () => {
  for (const desk of instances ?? []) await desk.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

test('a store restored by the runbook repeats later deletions of each instance, and its audit log is valid on both', async () => {
  const backupFile = join(getInstance(0).dataDir, 'paydesk.dump')
  runProgram('pg_dump', '-Fc', '-f', backupFile, roles.owner)
  for (const [at, customer] of customers.entries()) await deleteCustomerOn(getInstance(at), customer)
  for (const desk of instances) {
    expect(await runAuditVerify(desk, roles.serving)).toMatchObject({ code: 0 })
    await desk.end()
  }
  expect(await dumpAllRows(roles.above)).not.toMatch(new RegExp(names.join('|')))

  await withStore(postgres.url, (db) => db.query('create database restored owner keeper'))
  runProgram('pg_restore', '--exit-on-error', '-d', toRestoredUrl(roles.owner), backupFile)
  for (const name of names) expect(await dumpAllRows(toRestoredUrl(roles.above))).toContain(name)
  const servingUrl = toRestoredUrl(roles.serving)
  const verifyResultBefore = await runAuditVerify(getInstance(0), servingUrl)
  expect(verifyResultBefore).toMatchObject({ code: 1, text: expect.stringContaining('audit chain BROKEN') })
  expect(await runAuditVerify(getInstance(0), servingUrl, '--accept-restore')).toMatchObject({
    code: 0,
    text: expect.stringContaining('audit chain holds'),
  })
  const deletionsText = instances.map((desk) => readFileSync(toDeletionsFile(desk), 'utf8')).join('')
  for (const desk of instances) writeFileSync(toDeletionsFile(desk), deletionsText)

  for (const desk of instances) await desk.restart({ DATABASE_URL: servingUrl })
  const isForgotten = async () => (new RegExp(names.join('|')).test(await dumpAllRows(toRestoredUrl(roles.above))) ? null : true)
  await waitUntil('a store without the names', isForgotten)
  const listAppliedRows = () => withStore(toRestoredUrl(roles.above), (db) => readAuditRows(db, 'deletions.apply_again.applied'))
  const rows = await waitUntil('the rows of the record', async () =>
    (await listAppliedRows()).length >= customers.length ? listAppliedRows() : null,
  )
  expect(rows.map(({ target }) => target).sort()).toEqual(customers.map(({ id }) => `customers/${id}`).sort())
  const states = await withStore(toRestoredUrl(roles.above), (db) => db.query('select state from deletions'))
  expect(states.rows).toEqual(customers.map(() => ({ state: 'executed' })))
  for (const desk of instances) {
    expect((await fetch(`${desk.url}/api/health/ready`)).status).toBe(200)
    expect(await runAuditVerify(desk, servingUrl)).toMatchObject({ code: 0, text: expect.stringContaining('audit chain holds') })
  }
  console.info(`after the restore: ${verifyResultBefore.text.trim()}\napplied again: ${rows.map(({ target }) => target).join(', ')}`)
})
