import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from './harness/command'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { signIn } from './harness/person'
import { type PostgresServer, startPostgresServer } from './harness/postgres'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { makeDatabaseRoles } from './harness/two-roles'
import { waitUntil } from './harness/wait-until'

let postgres: PostgresServer
let sandbox: Sandbox
let dashboard: Dashboard
let dashboardDb: Client

const toRoleUrl = (role: string) =>
  postgres.url.replace('paydesk@', `${role}@`).replace(/postgres$/, 'desk_store')
const runMigrate = (env: Record<string, string>) => runCommand('db-migrate', [], env)
const readRoleSettings = () => ({
  DATABASE_URL: toRoleUrl('desk'),
  DATABASE_MIGRATION_URL: toRoleUrl('keeper'),
})
const startTestDashboard = () =>
  startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: toRoleUrl('desk'),
    mirror: true,
  })

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgresServer()])
  await makeDatabaseRoles(postgres, { limited: false })
})
afterAll(async () => {
  await dashboardDb?.end()
  await dashboard?.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

test('a role without ownership cannot create the store, and the start names the command', async () => {
  await expect(startTestDashboard()).rejects.toThrow(
    'Paydesk cannot start: DATABASE_URL: its role may not bring the store up to date: run npm run db:migrate with DATABASE_MIGRATION_URL of the role that owns it',
  )
})

test.each([
  [
    'DATABASE_MIGRATION_URL: must name another role than DATABASE_URL',
    () => ({ ...readRoleSettings(), DATABASE_MIGRATION_URL: toRoleUrl('desk') }),
  ],
  [
    'DATABASE_URL: must be set beside DATABASE_MIGRATION_URL',
    () => ({ DATABASE_MIGRATION_URL: toRoleUrl('keeper') }),
  ],
  [
    'DATABASE_URL: the database knows no such role: create it first',
    () => ({ ...readRoleSettings(), DATABASE_URL: toRoleUrl('stranger') }),
  ],
])('the migration is refused: %s', async (line, env) => {
  const { code, text } = await runMigrate(env())
  expect([code, text]).toEqual([1, expect.stringContaining(line)])
})

test('the owner creates the store repeatedly, and the dashboard works with it', async () => {
  const expectedOutput = expect.stringMatching(
    /^the store is up to date: the database \w+ at 127\.0\.0\.1:\d+\n$/,
  )
  for (let times = 0; times < 2; times += 1)
    expect(await runMigrate(readRoleSettings())).toEqual({ code: 0, text: expectedOutput })
  dashboard = await startTestDashboard()
  dashboardDb = new Client(toRoleUrl('desk'))
  await dashboardDb.connect()
  const operator = await signIn(dashboard.url, 'operator')
  const payout = await sandbox.makePayout({ status: 'created' })
  const { status, body } = await operator.decide('cancel', payout)
  expect([status, body.action?.state]).toEqual([200, 'applied'])
  // The dashboard’s database role may not create tables. It must still be able to run jobs, whose
  // tables belong to the owner.
  const listFinishedJobs = () =>
    dashboardDb.query(
      "select 1 from pgboss.job where state = 'completed' union all select 1 from pgboss.archive",
    )
  await waitUntil('a job that is done', async () =>
    (await listFinishedJobs()).rowCount ? true : null,
  )
  expect(dashboard.log()).not.toMatch(/jobs\.(?:role_may_not|not_started|failed)/)
  const { code, text } = await runCommand('audit-verify', [], {
    DATABASE_URL: toRoleUrl('desk'),
    DATA_DIR: `${dashboard.dataDir}/none-yet`,
  })
  expect([code, text]).toEqual([0, expect.stringContaining('audit chain holds')])
})

test.each([
  'update audit set body = body',
  'delete from audit',
  'truncate audit',
  'alter table audit disable trigger all',
  'drop trigger audit_no_change on audit',
  'alter table audit owner to desk',
  'create trigger mine before insert on audit for each row execute function audit_is_insert_only()',
  'create or replace function audit_is_insert_only() returns trigger language plpgsql as $$ begin return null; end $$',
  'delete from audit_head',
  'insert into audit_head (id, seq, hash) values (2, 0, null)',
  'update drizzle.__drizzle_migrations set hash = hash',
  'create table mine (id int)',
  'create table pgboss.mine (id int)',
  'set role keeper',
  "set session_replication_role = 'replica'",
])('the dashboard’s role may not: %s', async (line) => {
  await expect(dashboardDb.query(line)).rejects.toMatchObject({ code: '42501' })
})

test('the dashboard’s role owns nothing', async () => {
  const { rows } = await dashboardDb.query(
    "select relname from pg_class where relowner = 'desk'::regrole union all select proname from pg_proc where proowner = 'desk'::regrole",
  )
  expect(rows).toEqual([])
})
