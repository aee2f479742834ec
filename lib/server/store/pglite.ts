import 'server-only'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { AppError } from '@/lib/errors'

type FolderLock = { release: () => void }

/**
 * A takeover file that is older than this is from an interrupted takeover, because replacing a
 * stale lock takes only a few file operations.
 */
const takeoverTimeoutMs = 10_000

/**
 * Returns the start time of a process in clock ticks, or '' if unknown. It distinguishes the owner
 * of a lock from a later process with the same pid.
 */
function readStartTime(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const readFileOrNull = (file: string): string | null => {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Returns false if the file exists. */
function createFileIfAbsent(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Describes the process that holds the lock; null if the lock is stale. An owner on another machine
 * counts as alive, because its process cannot be checked from here.
 */
function findLiveLockHolder(text: string): string | null {
  const [pid = '', startTime = '', hostName = ''] = text.split(' ')
  if (hostName !== os.hostname())
    return `process ${pid} of ${hostName || 'an unknown machine'} (if that machine is permanently gone, remove the file "lock")`
  return isProcessAlive(Number(pid)) && readStartTime(Number(pid)) === startTime
    ? `process ${pid}`
    : null
}

/**
 * Removes the lock of a dead process. A second file lets one process at a time do this, and a lock
 * that another process has replaced since is kept.
 */
function removeStaleLock(file: string, staleLockText: string): void {
  const takeoverFile = `${file}.taking`
  const takeoverAge =
    Date.now() - (fs.statSync(takeoverFile, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (takeoverAge > takeoverTimeoutMs) fs.rmSync(takeoverFile, { force: true })
  if (!createFileIfAbsent(takeoverFile, '')) return
  if (readFileOrNull(file) === staleLockText) fs.rmSync(file, { force: true })
  fs.rmSync(takeoverFile, { force: true })
}

/**
 * Only one process can create the file. Replaces the file of a dead process. Throws
 * `AppError('unavailable')` if the owner is alive, even if it is this process, because a database
 * may be opened only once.
 */
export function lockFolder(folder: string): FolderLock {
  const file = path.join(folder, 'lock')
  const lockText = `${process.pid} ${readStartTime(process.pid)} ${os.hostname()}`
  for (let tries = 0; tries < 3; tries += 1) {
    if (createFileIfAbsent(file, lockText)) return { release: createLockRelease(file, lockText) }
    const currentLockText = readFileOrNull(file)
    if (currentLockText === null) continue
    const lockHolder = findLiveLockHolder(currentLockText)
    if (lockHolder)
      throw new AppError(
        'unavailable',
        `The store is in use by ${lockHolder}: stop that one first, or set DATABASE_URL`,
      )
    removeStaleLock(file, currentLockText)
  }
  throw new AppError('unavailable', 'The store is being opened by another process: try again')
}

/** Also runs when the process ends. Never removes a lock that another process created since. */
function createLockRelease(file: string, ownLockText: string): () => void {
  const release = () => {
    process.off('exit', release)
    if (readFileOrNull(file) === ownLockText) fs.rmSync(file, { force: true })
  }
  process.once('exit', release)
  return release
}

type NodeStream = { nfd?: number; node: { mode: number }; path: string }
type NodeStreamOps = { fsync?: (stream: NodeStream) => number }
type PreRun = (module: { NODEFS: { stream_ops: NodeStreamOps } }) => void

/**
 * Adds fsync, which PGlite's own file system lacks, so that a committed transaction is on the disk.
 */
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

/**
 * Flushes the files of a new database to the disk, because `initdb`, which creates them, does not.
 */
function flushFolderToDisk(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const fullPath = path.join(folder, entry.name)
    if (entry.isDirectory()) flushFolderToDisk(fullPath)
    else if (entry.isFile()) flushEntryToDisk(fullPath)
  }
  flushEntryToDisk(folder)
}

function flushEntryToDisk(file: string): void {
  const fileDescriptor = fs.openSync(file, 'r')
  fs.fsyncSync(fileDescriptor)
  fs.closeSync(fileDescriptor)
}

/**
 * `-F` would disable fsync. fdatasync does nothing in this build, so the write-ahead log uses
 * fsync. Small buffers halve the memory. ANALYZE reads 3,000 rows of a table instead of 30,000,
 * because every request waits during an ANALYZE.
 */
const pgliteStartParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=16MB',
  '-c',
  'default_statistics_target=10',
]

/** PGlite's own conversion works digit by digit, which takes seconds for ten megabytes. */
const byteaCodec = {
  serializers: {
    [types.BYTEA]: (value: Uint8Array) =>
      `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`,
  },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex') },
}

/** `close` also releases the folder's lock. */
export type OpenedPglite = { db: PGlite; close: () => Promise<void> }

/**
 * If the folder has no file `complete`, creating the database was interrupted, so it is created
 * again. Throws `AppError('unavailable')` if another process uses the folder: two writers would
 * lose rows without an error.
 */
export async function openPglite(folder: string): Promise<OpenedPglite> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  try {
    const completionMarkerFile = path.join(folder, 'complete')
    const dataFolder = path.join(folder, 'pg')
    if (!fs.existsSync(completionMarkerFile))
      fs.rmSync(dataFolder, { recursive: true, force: true })
    const db = await PGlite.create({
      fs: new DurableFs(dataFolder),
      startParams: pgliteStartParams,
      ...byteaCodec,
    })
    if (!fs.existsSync(completionMarkerFile)) {
      await db.exec('CHECKPOINT')
      flushFolderToDisk(dataFolder)
      fs.writeFileSync(completionMarkerFile, '')
      flushFolderToDisk(folder)
    }
    return { db, close: () => db.close().finally(() => lock.release()) }
  } catch (error) {
    lock.release()
    throw error
  }
}
