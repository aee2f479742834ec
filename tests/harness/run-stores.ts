import { Client } from 'pg'
import { startDashboard } from './dashboard'
import { makeMigratedStore, migrateStore } from './migrated-store'
import { startPostgresServer } from './postgres'

/**
 * Creates two databases that test files copy: `migrated` has the current tables, and on `started` a
 * dashboard ran once.
 */
async function makeDatabaseTemplates(serverUrl: string): Promise<void> {
  const toDatabaseUrl = (name: string) => serverUrl.replace(/postgres$/, name)
  const client = new Client(serverUrl)
  await client.connect()
  await client.query('create database migrated')
  await migrateStore({ DATABASE_URL: toDatabaseUrl('migrated') })
  await client.query('create database started template migrated')
  const serviceOptions = { serviceUrl: 'http://127.0.0.1:9', apiKey: 'key-of-this-test-0123456789' }
  await (await startDashboard({ ...serviceOptions, databaseUrl: toDatabaseUrl('started') })).stop()
  for (const name of ['migrated', 'started'])
    await client.query(`alter database ${name} is_template true allow_connections false`)
  await client.end()
}

/**
 * Creates the stores that test files copy, because a migration for each file would be slow: an
 * embedded store, and a PostgreSQL server with two template databases. Vitest calls this for each
 * project, before the first file. `TEST_POSTGRES` contains the URL of the server.
 */
export async function setup(): Promise<undefined | (() => Promise<void>)> {
  if (process.env.TEST_POSTGRES) return undefined
  await makeMigratedStore()
  const server = await startPostgresServer()
  try {
    await makeDatabaseTemplates(server.url)
  } catch (error) {
    await server.stop()
    throw error
  }
  process.env.TEST_POSTGRES = server.url
  return server.stop
}
