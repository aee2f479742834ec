import 'server-only'
import fs from 'node:fs'
import path from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { lockFolder } from './folder-lock'

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

/** `-F` switches fsync off; fdatasync is a stub in this build, so the log is written with fsync; small buffers halve the memory. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=16MB',
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
 * Opens the embedded PostgreSQL in a folder, durably and alone. A folder without its marker is a creation that was cut off and is made anew.
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
