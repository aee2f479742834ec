import 'server-only'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '@/lib/errors'

/** What holds a folder: `release` gives it back. */
export type FolderLock = { release: () => void }

/** The start time of a process in clock ticks, where the system tells: it tells a living owner from a recycled number. */
function startedAt(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function ownerOf(file: string): { pid: number; started: string } | null {
  try {
    const [pid = '', started = ''] = fs.readFileSync(file, 'utf8').split(' ')
    return Number(pid) > 0 ? { pid: Number(pid), started } : null
  } catch {
    return null
  }
}

/**
 * Takes a folder for this process by an exclusively created file with its pid. A file left by a dead process is taken over. Throws
 * `AppError('unavailable')` that names the living owner's pid. The same process asking twice is refused too: one opener, one database.
 */
export function lockFolder(folder: string): FolderLock {
  const file = path.join(folder, 'lock')
  const mine = `${process.pid} ${startedAt(process.pid)}`
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      fs.writeFileSync(file, mine, { flag: 'wx', mode: 0o600 })
      const release = () => fs.rmSync(file, { force: true })
      // The process may be ended before the store is closed; the database is safe then, and the lock should not look taken.
      process.once('exit', release)
      return { release }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = ownerOf(file)
    if (owner && isAlive(owner.pid) && startedAt(owner.pid) === owner.started) {
      throw new AppError('unavailable', `The store is in use by process ${owner.pid}: stop that one first, or set DATABASE_URL`)
    }
    fs.rmSync(file, { force: true })
  }
  throw new AppError('unavailable', 'The store is being opened by another process: try again')
}
