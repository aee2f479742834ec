import 'server-only'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { AppError } from '@/lib/errors'

type FolderLock = { release: () => void }

/** Replacing a stale lock takes only a few file operations; an older attempt was interrupted. */
const takeoverTimeoutMs = 10_000

/**
 * In clock ticks, or '' if unknown. Distinguishes the owner of a lock from a later process with the
 * same pid.
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
function createFile(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Null for a stale lock. An owner on another machine counts as alive, because its process cannot be
 * checked from here.
 */
function findLiveLockHolder(text: string): string | null {
  const [pid = '', startTime = '', hostName = ''] = text.split(' ')
  if (hostName !== os.hostname())
    return `process ${pid} of ${hostName || 'an unknown machine'} (if that machine is permanently gone, remove the file "lock")`
  return isProcessAlive(Number(pid)) && readStartTime(Number(pid)) === startTime
    ? `process ${pid}`
    : null
}

/** Keeps a lock that another process replaced. A second file admits one process at a time. */
function removeStaleLock(file: string, staleLockText: string): void {
  const takeoverFile = `${file}.taking`
  const takeoverAge =
    Date.now() - (fs.statSync(takeoverFile, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (takeoverAge > takeoverTimeoutMs) fs.rmSync(takeoverFile, { force: true })
  if (!createFile(takeoverFile, '')) return
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
    if (createFile(file, lockText)) return { release: createReleaseFunction(file, lockText) }
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
function createReleaseFunction(file: string, ownLockText: string): () => void {
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

/** PGlite's own file system has no fsync: a committed transaction must be on the disk. */
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

/** `initdb`, which creates these files, does not flush them to the disk. */
function flushFolderToDisk(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const fullPath = path.join(folder, entry.name)
    if (entry.isDirectory()) flushFolderToDisk(fullPath)
    else if (entry.isFile()) flushEntryToDisk(fullPath)
  }
  flushEntryToDisk(folder)
}

function flushEntryToDisk(file: string): void {
  const handle = fs.openSync(file, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

/**
 * `-F` would disable fsync. fdatasync does nothing in this build, so the write-ahead log uses
 * fsync. Small buffers halve the memory. ANALYZE reads 3,000 rows of a table instead of 30,000,
 * because every request waits during an ANALYZE.
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
    const db = await PGlite.create({ fs: new DurableFs(dataFolder), startParams, ...byteaCodec })
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
