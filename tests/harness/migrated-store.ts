import fs from 'node:fs'
import path from 'node:path'
import { readCurrentPages } from '@/scripts/start/pages.mjs'
import { runCommand } from './command'

export async function migrateStore(env: Record<string, string>): Promise<void> {
  const { code, text } = await runCommand('db-migrate', [], env)
  if (code !== 0) throw new Error(text)
}

const folder = path.resolve('build/migrated-store')

/** Creates an empty, migrated embedded store in build/, once per build, because this takes four seconds of processor time. */
export async function makeMigratedStore(): Promise<void> {
  // Without a build, every run creates a new store.
  const buildId = readCurrentPages('.') ?? String(Date.now())
  const buildFile = path.join(folder, 'build')
  if (fs.existsSync(buildFile) && fs.readFileSync(buildFile, 'utf8') === buildId) return
  const tempFolder = `${folder}.${process.pid}`
  fs.rmSync(tempFolder, { recursive: true, force: true })
  await migrateStore({ DATA_DIR: tempFolder })
  fs.writeFileSync(path.join(tempFolder, 'build'), buildId)
  // Creates the store under another name and then renames it, because several runs may be active.
  fs.rmSync(folder, { recursive: true, force: true })
  fs.renameSync(tempFolder, folder)
}

/** Copies the migrated store into a data folder. If there is none, because only browser tests ran, the dashboard creates its own. */
export function copyStore(dataDir: string): void {
  const store = path.join(folder, 'store')
  if (fs.existsSync(store)) fs.cpSync(store, path.join(dataDir, 'store'), { recursive: true })
}
