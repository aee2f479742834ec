import { join } from 'node:path'
import { readMigrationSettings, readStoreSettings } from '@/lib/server/config/store-settings'
import { migrateAsOwner } from '@/lib/server/store/owner'
import { closeStore, getStore } from '@/lib/server/store/store'
import { runCli } from './run-cli'

/** Omits the user and the password of the database. */
function describeStore(): string {
  const { databaseUrl, dataDir } = readStoreSettings()
  if (!databaseUrl)
    return `the embedded store in ${join(dataDir, 'store')}, because DATABASE_URL is not set`
  const { host, pathname } = new URL(databaseUrl)
  return `the database ${decodeURIComponent(pathname.slice(1))} at ${host}`
}

runCli(async () => {
  const migrationSettings = readMigrationSettings()
  if (migrationSettings) await migrateAsOwner(migrationSettings)
  await getStore()
  await closeStore()
  process.stdout.write(`the store is up to date: ${describeStore()}\n`)
  return 0
})
