import fs from 'node:fs'
import path from 'node:path'
import { runCommand } from './command'

const folder = path.resolve('build/migrated-store')

/** What the build was made of; without that every run makes a store of its own. */
function thisBuild(): string {
  try {
    return fs.readFileSync('.next/.ensure-build', 'utf8')
  } catch {
    return String(Date.now())
  }
}

/**
 * Makes an embedded store that is empty and up to date, once for each build: to initialize and migrate one takes four seconds of a processor, and
 * most dashboards of the tests need no more than to find it done. Vitest runs it before the first file.
 */
export async function setup(): Promise<void> {
  const build = thisBuild()
  const note = path.join(folder, 'build')
  if (fs.existsSync(note) && fs.readFileSync(note, 'utf8') === build) return
  const own = `${folder}.${process.pid}`
  fs.rmSync(own, { recursive: true, force: true })
  const { code, text } = await runCommand('db-migrate', [], { DATA_DIR: own })
  if (code !== 0) throw new Error(text)
  fs.writeFileSync(path.join(own, 'build'), build)
  // Runs beside each other make the same, and nobody sees half of one.
  fs.rmSync(folder, { recursive: true, force: true })
  fs.renameSync(own, folder)
}

/** Gives a data folder a store that was migrated already. Where only browser tests ran there is none, and the dashboard makes its own. */
export function copyStore(dataDir: string): void {
  const store = path.join(folder, 'store')
  if (fs.existsSync(store)) fs.cpSync(store, path.join(dataDir, 'store'), { recursive: true })
}
