import fs from 'node:fs'
import path from 'node:path'
import { currentPages } from '@/scripts/pages-folder.mjs'
import { runCommand } from './command'

export async function migrate(env: Record<string, string>): Promise<void> {
  const { code, text } = await runCommand('db-migrate', [], env)
  if (code !== 0) throw new Error(text)
}

const folder = path.resolve('build/migrated-store')

/** Makes an embedded store that is empty and migrated, once for each build: that takes four seconds of a processor. */
export async function makeMigratedStore(): Promise<void> {
  // Without a build every run makes a store of its own.
  const build = currentPages('.') ?? String(Date.now())
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

/** Gives a data folder a store that was migrated already. Where only browser tests ran there is none, and the dashboard makes its own. */
export function copyStore(dataDir: string): void {
  const store = path.join(folder, 'store')
  if (fs.existsSync(store)) fs.cpSync(store, path.join(dataDir, 'store'), { recursive: true })
}
