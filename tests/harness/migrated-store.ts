import fs from 'node:fs'
import path from 'node:path'
import { readCurrentPagesFolder } from '@/scripts/start/pages.mjs'
import { runCommand } from './command'

export async function migrateStore(env: Record<string, string>): Promise<void> {
  const { code, text } = await runCommand('db-migrate', [], env)
  if (code !== 0) throw new Error(text)
}

const migratedStoreFolder = path.resolve('build/migrated-store')

/**
 * Creates an empty, migrated embedded store in `build/`. Does this only once for each build,
 * because it takes four seconds of processor time.
 */
export async function makeMigratedStore(): Promise<void> {
  // Without a build there is no id to compare, so every run creates a new store.
  const buildId = readCurrentPagesFolder('.') ?? String(Date.now())
  const buildIdFile = path.join(migratedStoreFolder, 'build')
  if (fs.existsSync(buildIdFile) && fs.readFileSync(buildIdFile, 'utf8') === buildId) return
  const tempFolder = `${migratedStoreFolder}.${process.pid}`
  fs.rmSync(tempFolder, { recursive: true, force: true })
  await migrateStore({ DATA_DIR: tempFolder })
  fs.writeFileSync(path.join(tempFolder, 'build'), buildId)
  // Another test run can read the migrated store at the same time. A rename ensures that only a
  // complete store appears under its name.
  fs.rmSync(migratedStoreFolder, { recursive: true, force: true })
  fs.renameSync(tempFolder, migratedStoreFolder)
}

/**
 * Copies the migrated store into a data folder. In a run of only browser tests there is none: the
 * dashboard then creates its own store.
 */
export function copyMigratedStore(dataDir: string): void {
  const storeFolder = path.join(migratedStoreFolder, 'store')
  if (fs.existsSync(storeFolder))
    fs.cpSync(storeFolder, path.join(dataDir, 'store'), { recursive: true })
}
