import 'server-only'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { AppError } from '@/lib/errors'

/** What holds a folder: `release` gives it back. */
type FolderLock = { release: () => void }

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
  if (host !== os.hostname())
    return `process ${pid} of ${host || 'an unknown machine'} (if that machine is permanently gone, remove the file "lock")`
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

type NodeStream = { nfd?: number; node: { mode: number }; path: string }
type NodeStreamOps = { fsync?: (stream: NodeStream) => number }
type PreRun = (module: { NODEFS: { stream_ops: NodeStreamOps } }) => void

/** PGlite's node file system has no fsync at all; this one calls the real thing, so that a commit is on the disk when it is acknowledged. */
class DurableFs extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const { emscriptenOpts } = await super.init(pg, options)
    const addFsync: PreRun = (module) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fs.fsyncSync(stream.nfd)
        return 0
      }
    }
    const preRun = [...((emscriptenOpts.preRun ?? []) as PreRun[]), addFsync]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } as typeof emscriptenOpts }
  }
}

/** Flushes every file and folder below `folder`: after initdb nothing of it has reached the disk yet. */
function syncTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) syncTree(full)
    else if (entry.isFile()) syncOne(full)
  }
  syncOne(folder)
}

function syncOne(file: string): void {
  const handle = fs.openSync(file, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

/**
 * `-F` switches fsync off; fdatasync is a stub in this build, so the log is written with fsync; small buffers halve the memory. Statistics are taken
 * from 3,000 rows of a table and not from 30,000: every request waits while they are.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=16MB',
  '-c',
  'default_statistics_target=10',
]

/** Bytes travel as hexadecimal text, which PGlite writes and reads digit by digit: a file of ten megabytes would take seconds. */
const bytesAtOnce = {
  serializers: {
    [types.BYTEA]: (value: Uint8Array) => `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`,
  },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex') },
}

/** An open store in a folder: the database, and `close` that lets the folder's lock go as well. */
export type OpenFolder = { db: PGlite; close: () => Promise<void> }

/**
 * Opens the embedded PostgreSQL in a folder, durably and alone. A folder without its marker is a creation that was cut off and is started over.
 * Throws `AppError('unavailable')` naming the owner when another process has the folder: two writers would lose rows without an error.
 */
export async function openPglite(folder: string): Promise<OpenFolder> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  try {
    const marker = path.join(folder, 'complete')
    const tree = path.join(folder, 'pg')
    if (!fs.existsSync(marker)) fs.rmSync(tree, { recursive: true, force: true })
    const db = await PGlite.create({ fs: new DurableFs(tree), startParams, ...bytesAtOnce })
    if (!fs.existsSync(marker)) {
      await db.exec('CHECKPOINT')
      syncTree(tree)
      fs.writeFileSync(marker, '')
      syncTree(folder)
    }
    return { db, close: () => db.close().finally(() => lock.release()) }
  } catch (error) {
    lock.release()
    throw error
  }
}
