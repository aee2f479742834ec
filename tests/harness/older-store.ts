import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { Client } from 'pg'
import { openPglite } from '@/lib/server/store/pglite'
import { startPostgres } from './postgres'
import type { StoreKind } from './store-kinds'

type Rows = Record<string, unknown>[]

export type OlderStore = {
  /** The location of the store: a PostgreSQL URL, or the data folder. */
  where: string
  run: (statement: string, values?: unknown[]) => Promise<Rows>
  /** Name and value of the environment variable with which a server uses this store. */
  setting: [name: string, value: string]
  /**
   * Closes the store, so that another process can open it: a data folder can be open in only one
   * process. `takeBack` opens it again.
   */
  letGo: () => Promise<void>
  takeBack: () => Promise<void>
  /** Migrates the store to the current version. */
  migrate: () => Promise<void>
  close: () => Promise<void>
}

type MigrationJournal = { entries: { tag: string }[] }

/**
 * Returns a temporary folder with the migrations of an older version: those up to and including the
 * given one.
 */
function copyMigrationsUntil(lastMigration: string): string {
  const olderMigrationsFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-migrations-'))
  fs.cpSync('drizzle', olderMigrationsFolder, { recursive: true })
  const journalPath = path.join(olderMigrationsFolder, 'meta', '_journal.json')
  const journal = JSON.parse(fs.readFileSync(journalPath, 'utf8')) as MigrationJournal
  const endIndex = journal.entries.findIndex((entry) => entry.tag === lastMigration)
  if (endIndex < 0) throw new Error(`there is no migration ${lastMigration}`)
  fs.writeFileSync(
    journalPath,
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, endIndex + 1) }),
  )
  return olderMigrationsFolder
}

async function openStoreInDataFolder() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-older-'))
  let openedStore = await openPglite(path.join(dataDir, 'store'))
  return {
    where: dataDir,
    setting: ['DATA_DIR', dataDir] as [string, string],
    migrate: (migrationsFolder: string) =>
      migratePglite(drizzlePglite({ client: openedStore.db }), { migrationsFolder }),
    run: async (statement: string, values: unknown[] = []) =>
      (await openedStore.db.query(statement, values)).rows as Rows,
    letGo: () => openedStore.close(),
    takeBack: async () => {
      openedStore = await openPglite(path.join(dataDir, 'store'))
    },
    close: async () => {
      await openedStore.close()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function openStoreInDatabase() {
  const postgres = await startPostgres('template0')
  const client = new Client(postgres.url)
  await client.connect()
  return {
    where: postgres.url,
    setting: ['DATABASE_URL', postgres.url] as [string, string],
    letGo: async () => undefined,
    takeBack: async () => undefined,
    migrate: (migrationsFolder: string) => migratePg(drizzlePg({ client }), { migrationsFolder }),
    run: async (statement: string, values: unknown[] = []) =>
      (await client.query(statement, values)).rows as Rows,
    close: async () => {
      await client.end()
      await postgres.stop()
    },
  }
}

/**
 * Creates an empty store of an older version. It has the migrations up to and including the given
 * one.
 */
export async function openOlderStore(kind: StoreKind, lastMigration: string): Promise<OlderStore> {
  const olderStore = kind === 'PGlite' ? await openStoreInDataFolder() : await openStoreInDatabase()
  const copiedMigrationsFolder = copyMigrationsUntil(lastMigration)
  await olderStore.migrate(copiedMigrationsFolder)
  fs.rmSync(copiedMigrationsFolder, { recursive: true })
  return { ...olderStore, migrate: () => olderStore.migrate('drizzle') }
}
