import 'server-only'
import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { getErrorCode } from '@/lib/server/error-code'
import type { Db } from './store'

/** Free bytes below which the disk of DATA_DIR counts as full. The embedded store grows by files of 16 MiB. */
const minFreeBytes = 32 * 2 ** 20

/** Returns the size and the free space (bytes) of the disk that contains DATA_DIR. Throws if the folder does not exist. */
export async function readDiskSpace(): Promise<{ size: number; free: number; isFull: boolean }> {
  const { bsize, blocks, bavail } = await statfs(readStoreSettings().dataDir)
  const freeBytes = bavail * bsize
  return { size: blocks * bsize, free: freeBytes, isFull: freeBytes < minFreeBytes }
}

/** SQL for a table of 1 MB that is dropped with its statement. PostgreSQL reserves disk space for it, even if it stays in memory. */
const writeTestTable = sql`create temporary table paydesk_room on commit drop as select repeat('x', 1000) as x from generate_series(1, 1000)`

/** PostgreSQL's error codes for a full disk, and for a role that may not create temporary tables. */
const diskFullCode = '53100'
const insufficientPrivilegeCode = '42501'

async function canWriteTestTable(db: Db): Promise<boolean> {
  try {
    await db.execute(writeTestTable)
    return true
  } catch (error) {
    const code = getErrorCode(error)
    if (code === diskFullCode) return false
    if (code === insufficientPrivilegeCode) return true
    throw error
  }
}

/** Milliseconds for which a result is cached. */
const cacheMs = 30_000

let lastResult: { at: number; hasRoom: boolean } | undefined

/** Returns true if a PostgreSQL store has disk space, checked at most every half minute. Throws if the store does not respond. */
export async function hasStoreSpace(db: Db): Promise<boolean> {
  if (!lastResult || performance.now() - lastResult.at > cacheMs)
    lastResult = { at: performance.now(), hasRoom: await canWriteTestTable(db) }
  return lastResult.hasRoom
}
