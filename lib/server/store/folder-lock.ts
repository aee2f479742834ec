import 'server-only'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { AppError } from '@/lib/errors'

/** What holds a folder: `release` gives it back. */
export type FolderLock = { release: () => void }

/** A taking-over that was cut off is forgotten after this long (milliseconds); it takes a few file operations. */
const takingOver = 10_000

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

const read = (file: string): string | null => {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Creates a file with this text unless it is there; true when it was created. */
function create(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Who holds the lock, if they still live; null when the file was left behind. A lock of another machine cannot be looked into. */
function livingOwner(text: string): string | null {
  const [pid = '', started = '', host = ''] = text.split(' ')
  if (host !== os.hostname()) return `process ${pid} of ${host || 'an unknown machine'} (if that is gone for good, remove the file "lock")`
  return isAlive(Number(pid)) && startedAt(Number(pid)) === started ? `process ${pid}` : null
}

/** Removes a lock that was left behind, unless somebody else took the folder meanwhile: the second file lets one opener do it at a time. */
function removeStale(file: string, stale: string): void {
  const guard = `${file}.taking`
  const age = Date.now() - (fs.statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age > takingOver) fs.rmSync(guard, { force: true })
  if (!create(guard, '')) return
  if (read(file) === stale) fs.rmSync(file, { force: true })
  fs.rmSync(guard, { force: true })
}

/**
 * Takes a folder for this process by an exclusively created file with its pid, start time and machine. A file left by a dead process is taken
 * over. Throws `AppError('unavailable')` that names the living owner. The same process asking twice is refused too: one opener, one database.
 */
export function lockFolder(folder: string): FolderLock {
  const file = path.join(folder, 'lock')
  const mine = `${process.pid} ${startedAt(process.pid)} ${os.hostname()}`
  for (let tries = 0; tries < 3; tries += 1) {
    if (create(file, mine)) return { release: releaser(file, mine) }
    const text = read(file)
    if (text === null) continue
    const owner = livingOwner(text)
    if (owner) throw new AppError('unavailable', `The store is in use by ${owner}: stop that one first, or set DATABASE_URL`)
    removeStale(file, text)
  }
  throw new AppError('unavailable', 'The store is being opened by another process: try again')
}

/** Gives the lock back once, also when the process ends without closing the store; never a lock that somebody else has taken since. */
function releaser(file: string, mine: string): () => void {
  const release = () => {
    process.off('exit', release)
    if (read(file) === mine) fs.rmSync(file, { force: true })
  }
  process.once('exit', release)
  return release
}
