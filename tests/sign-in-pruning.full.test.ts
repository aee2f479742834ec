import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Postgres, startPostgres } from './harness/postgres'
import { waitUntil } from './harness/wait-until'

const serviceOptions = { serviceUrl: 'http://127.0.0.1:9', apiKey: 'key-of-this-test-0123456789' }

let postgres: Postgres
let dashboard: Dashboard | undefined
let db: Client

beforeAll(async () => {
  postgres = await startPostgres()
  dashboard = await startDashboard({ ...serviceOptions, databaseUrl: postgres.url })
  await dashboard.stop()
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await dashboard?.stop()
  await db?.end()
  await postgres?.stop()
})

const countSignInRows = async () => {
  const { rows } = await db.query(
    `select (select count(*) from sign_in_failures)::int as failures, (select count(*) from sign_in_networks)::int as networks`,
  )
  return rows[0] as { failures: number; networks: number }
}

test('expired sign-in failures are deleted in small batches, and valid ones stay', async () => {
  await db.query(`
    create table gone (n int);
    create function note_gone() returns trigger language plpgsql as
      $$ begin insert into gone select count(*) from old_rows; return null; end $$;
    create trigger gone_failures after delete on sign_in_failures
      referencing old table as old_rows for each statement execute function note_gone();
    create trigger gone_networks after delete on sign_in_networks
      referencing old table as old_rows for each statement execute function note_gone();
    insert into sign_in_failures (email_hash, failures, last_at) select 'past ' || n, 3, now() - interval '1 day' from generate_series(1, 1100) n;
    insert into sign_in_failures (email_hash, failures, last_at, locked_until) values
      ('lately', 3, now(), null), ('locked', 10, now() - interval '1 day', now() + interval '1 hour');
    insert into sign_in_networks select 'past ' || n, now() - interval '1 hour' from generate_series(1, 900) n;
    insert into sign_in_networks values ('tired', now() + interval '1 hour');`)
  dashboard = await startDashboard({ ...serviceOptions, databaseUrl: postgres.url })
  await waitUntil('the past to be gone', async () => {
    const { failures, networks } = await countSignInRows()
    return failures + networks === 3 ? true : null
  })
  const { rows } = await db.query('select max(n) as most, sum(n)::int as all from gone')
  expect(rows).toEqual([{ most: 200, all: 2000 }])
  const { rows: remainingRows } = await db.query(
    'select email_hash as key from sign_in_failures union select network_hash from sign_in_networks order by 1',
  )
  expect(remainingRows.map(({ key }) => key)).toEqual(['lately', 'locked', 'tired'])
})
