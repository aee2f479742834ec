import 'server-only'
import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { getErrorCode } from '@/lib/server/error-code'
import type { Db } from './store'

/**
 * Free bytes below which the disk of DATA_DIR counts as full. The embedded database grows by files
 * of 16 MiB, so this is room for two.
 */
const minFreeBytes = 32 * 2 ** 20

/**
 * Returns the size and the free space (bytes) of the disk that contains DATA_DIR. Throws if the
 * folder does not exist.
 */
export async function readDiskSpace(): Promise<{ size: number; free: number; isFull: boolean }> {
  const { bsize, blocks, bavail } = await statfs(readStoreSettings().dataDir)
  const freeBytes = bavail * bsize
  return { size: blocks * bsize, free: freeBytes, isFull: freeBytes < minFreeBytes }
}

/**
 * SQL that creates a table of 1 MB, which PostgreSQL drops at the end of the statement. The
 * statement fails if the disk is full: PostgreSQL reserves disk space for the table, even if its
 * rows stay in memory.
 */
const testTableSql = sql`create temporary table paydesk_room on commit drop as select repeat('x', 1000) as x from generate_series(1, 1000)`

/**
 * PostgreSQL's error codes for a full disk, and for a role that may not create temporary tables.
 */
const diskFullCode = '53100'
const insufficientPrivilegeCode = '42501'

async function canWriteTestTable(db: Db): Promise<boolean> {
  try {
    await db.execute(testTableSql)
    return true
  } catch (error) {
    const code = getErrorCode(error)
    if (code === diskFullCode) return false
    if (code === insufficientPrivilegeCode) return true
    throw error
  }
}

/** Milliseconds for which a result is cached. */
const resultCacheMs = 30_000

let lastSpaceCheck: { at: number; hasRoom: boolean } | undefined

/**
 * Returns true if the disk of the PostgreSQL server has free space. Tests this at most every 30
 * seconds. Throws if the server does not respond.
 */
export async function hasStoreSpace(db: Db): Promise<boolean> {
  if (!lastSpaceCheck || performance.now() - lastSpaceCheck.at > resultCacheMs)
    lastSpaceCheck = { at: performance.now(), hasRoom: await canWriteTestTable(db) }
  return lastSpaceCheck.hasRoom
}
