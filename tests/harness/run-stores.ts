import { Client } from 'pg'
import { startDashboard } from './dashboard'
import { makeMigratedStore, migrate } from './migrated-store'
import { startServer } from './postgres'

/** Creates the databases that test files copy: `migrated`, and `started`, which a dashboard was started on once. */
async function makeTemplates(serverUrl: string): Promise<void> {
  const addressOf = (name: string) => serverUrl.replace(/postgres$/, name)
  const client = new Client(serverUrl)
  await client.connect()
  await client.query('create database migrated')
  await migrate({ DATABASE_URL: addressOf('migrated') })
  await client.query('create database started template migrated')
  const service = { serviceUrl: 'http://127.0.0.1:9', apiKey: 'key-of-this-test-0123456789' }
  await (await startDashboard({ ...service, databaseUrl: addressOf('started') })).stop()
  for (const name of ['migrated', 'started']) await client.query(`alter database ${name} is_template true allow_connections false`)
  await client.end()
}

/**
 * Creates the stores that test files copy instead of migrating their own: the embedded store, and one PostgreSQL server with template
 * databases for the whole run. Vitest calls this for each project before the first file. The server's address is in `TEST_POSTGRES`.
 */
export async function setup(): Promise<undefined | (() => Promise<void>)> {
  if (process.env.TEST_POSTGRES) return undefined
  await makeMigratedStore()
  const server = await startServer()
  try {
    await makeTemplates(server.url)
  } catch (error) {
    await server.stop()
    throw error
  }
  process.env.TEST_POSTGRES = server.url
  return server.stop
}
