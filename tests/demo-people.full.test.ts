import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDashboard } from './harness/dashboard'
import { signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { startStubService } from './harness/service'
import { storeKinds } from './harness/store-kinds'

let testFolder: string
let postgres: Postgres

beforeAll(async () => {
  testFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-demo-'))
  postgres = await startPostgres('template0')
})
afterAll(async () => {
  fs.rmSync(testFolder, { recursive: true, force: true })
  await postgres?.stop()
})

/**
 * Copies the migrations before the one that limits demo people to the sandbox. Returns the folder
 * of the copies.
 */
function copyEarlierMigrations(): string {
  const earlierMigrationsFolder = path.join(testFolder, 'drizzle')
  fs.cpSync('drizzle', earlierMigrationsFolder, { recursive: true })
  const journalPath = path.join(earlierMigrationsFolder, 'meta/_journal.json')
  const journal = JSON.parse(fs.readFileSync(journalPath, 'utf8')) as { entries: { tag: string }[] }
  const endIndex = journal.entries.findIndex((entry) =>
    entry.tag.endsWith('demo-people-sandbox-only'),
  )
  fs.writeFileSync(
    journalPath,
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, endIndex) }),
  )
  return earlierMigrationsFolder
}

async function openPgliteStore() {
  const { openPglite } = await import('@/lib/server/store/pglite')
  const { db: engine, close } = await openPglite(path.join(testFolder, 'store'))
  const db = drizzlePglite({ client: engine })
  return {
    db,
    migrate: (migrationsFolder: string) => migratePglite(db, { migrationsFolder }),
    run: (sql: string) => engine.query(sql),
    close,
  }
}

async function openPostgresStore() {
  const client = new Client(postgres.url)
  await client.connect()
  const db = drizzlePg({ client })
  return {
    db,
    migrate: (migrationsFolder: string) => migratePg(db, { migrationsFolder }),
    run: (sql: string) => client.query(sql),
    close: () => client.end(),
  }
}

const buildGrantSql = (email: string, demo: boolean, environment: string) => `
  with person as (
    insert into people (email, name, password_hash, demo) values ('${email}', 'N', 'none', ${demo})
    on conflict (lower(email)) do update set name = 'N' returning id)
  insert into grants (person_id, role, environment) select id, 'operator', '${environment}' from person`

describe.each(storeKinds)('a store on %s with production grants of demo people', (kind) => {
  test('loses those grants only, and later ones have no effect', async () => {
    const { db, migrate, run, close } = await (kind === 'PGlite'
      ? openPgliteStore()
      : openPostgresStore())
    await migrate(copyEarlierMigrations())
    for (const environment of ['sandbox', 'production']) {
      await run(buildGrantSql('operator@paydesk.test', true, environment))
      await run(buildGrantSql('dana@company.test', false, environment))
    }
    await migrate('drizzle')
    const remainingGrants = await run(
      `select email, environment from grants join people on people.id = person_id order by 1, 2`,
    )
    expect(remainingGrants.rows).toEqual([
      { email: 'dana@company.test', environment: 'production' },
      { email: 'dana@company.test', environment: 'sandbox' },
      { email: 'operator@paydesk.test', environment: 'sandbox' },
    ])
    await run(buildGrantSql('operator@paydesk.test', true, 'production'))
    const { listGrants: grantsOf } = await import('@/lib/server/auth/people')
    const listGrantEnvironments = async (email: string) => {
      const { rows } = await run(`select id from people where email = '${email}'`)
      const grants = await grantsOf(db as never, (rows[0] as { id: string }).id)
      return grants.map((grant) => grant.environment).sort()
    }
    expect(await listGrantEnvironments('operator@paydesk.test')).toEqual(['sandbox'])
    expect(await listGrantEnvironments('dana@company.test')).toEqual(['production', 'sandbox'])
    await close()
  })
})

test('demo people created by a start have grants in the sandbox only', async () => {
  const [ownPostgres, service] = [await startPostgres(), await startStubService()]
  const dashboard = await startDashboard({
    serviceUrl: service.url,
    apiKey: 'key-of-this-test-0123456789',
    databaseUrl: ownPostgres.url,
  })
  const client = new Client(ownPostgres.url)
  await client.connect()
  await signIn(dashboard.url, 'operator')
  const { rows } = await client.query(
    `select environment, count(*)::int as people from grants group by 1`,
  )
  expect(rows).toEqual([{ environment: 'sandbox', people: 5 }])
  await client.end()
  await dashboard.stop()
  await service.stop()
  await ownPostgres.stop()
})
