import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeStore, getDatabase } from '@/lib/server/store/store'
import { copyMigratedStore } from './migrated-store'
import { startPostgres } from './postgres'
import type { StoreKind } from './store-kinds'

/**
 * Settings that the server code requires. A value that the test has already set takes precedence.
 */
const requiredSettings = {
  SERVICE_SANDBOX_URL: 'http://127.0.0.1:1',
  SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
  APP_ORIGIN: 'http://127.0.0.1:3000',
  AUTH_SECRET: 'a-secret-of-this-test-run-0123456789abcdef',
  ENCRYPTION_KEY: 'another-secret-of-this-test-run-0123456789',
}

/** Opens an empty, migrated store in the test process. Returns the function that closes it. */
export async function openTestStore(kind: StoreKind): Promise<() => Promise<void>> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'paydesk-own-store-'))
  const postgres = kind === 'PostgreSQL' ? await startPostgres() : null
  process.env = { ...requiredSettings, ...process.env, DATA_DIR: dataFolder }
  if (postgres) process.env.DATABASE_URL = postgres.url
  else {
    delete process.env.DATABASE_URL
    copyMigratedStore(dataFolder)
  }
  await getDatabase()
  return async () => {
    await closeStore()
    await postgres?.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}
