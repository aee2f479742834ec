import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { runCommand } from './command'
import { startServer } from './postgres'

async function migrate(env: Record<string, string>): Promise<void> {
  const { code, text } = await runCommand('db-migrate', [], env)
  if (code !== 0) throw new Error(text)
}

const folder = path.resolve('build/migrated-store')

/** What the build was made of; without that every run makes a store of its own. */
function thisBuild(): string {
  try {
    return fs.readFileSync('.next/.ensure-build', 'utf8')
  } catch {
    return String(Date.now())
  }
}

/** Makes an embedded store that is empty and migrated, once for each build: that takes four seconds of a processor. */
async function makeFolder(): Promise<void> {
  const build = thisBuild()
  const note = path.join(folder, 'build')
  if (fs.existsSync(note) && fs.readFileSync(note, 'utf8') === build) return
  const own = `${folder}.${process.pid}`
  fs.rmSync(own, { recursive: true, force: true })
  await migrate({ DATA_DIR: own })
  fs.writeFileSync(path.join(own, 'build'), build)
  // Put in place by a rename, because runs may be beside each other.
  fs.rmSync(folder, { recursive: true, force: true })
  fs.renameSync(own, folder)
}

/**
 * Makes what each test file copies instead of migrating a store itself: the embedded store, and a PostgreSQL server for the whole run with the database
 * `migrated`. Vitest runs it for each project before the first file; the server's address is in `TEST_POSTGRES`.
 */
export async function setup(): Promise<undefined | (() => Promise<void>)> {
  if (process.env.TEST_POSTGRES) return undefined
  await makeFolder()
  const server = await startServer()
  const client = new Client(server.url)
  await client.connect()
  await client.query('create database migrated')
  await migrate({ DATABASE_URL: server.url.replace(/postgres$/, 'migrated') })
  await client.query('alter database migrated is_template true allow_connections false')
  await client.end()
  process.env.TEST_POSTGRES = server.url
  return server.stop
}

/** Gives a data folder a store that was migrated already. Where only browser tests ran there is none, and the dashboard makes its own. */
export function copyStore(dataDir: string): void {
  const store = path.join(folder, 'store')
  if (fs.existsSync(store)) fs.cpSync(store, path.join(dataDir, 'store'), { recursive: true })
}
