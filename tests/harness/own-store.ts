import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeStore, database } from '@/lib/server/store/store'
import { copyStore } from './migrated-store'
import { startPostgres } from './postgres'

export const storeKinds = ['PGlite', 'PostgreSQL'] as const
export type StoreKind = (typeof storeKinds)[number]

/** A store of either kind for the process of the test itself, empty and up to date; gives what ends it. */
export async function openOwnStore(kind: StoreKind): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-own-store-'))
  const postgres = kind === 'PostgreSQL' ? await startPostgres() : null
  process.env.DATA_DIR = folder
  if (postgres) process.env.DATABASE_URL = postgres.url
  else {
    delete process.env.DATABASE_URL
    copyStore(folder)
  }
  await database()
  return async () => {
    await closeStore()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
