import 'server-only'
import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { getErrorCode } from '@/lib/server/error-code'
import type { Db } from './store'

/** The embedded database grows by files of 16 MiB, so this is room for two. */
const minFreeBytes = 32 * 2 ** 20

/** In bytes, for the disk that contains DATA_DIR. Throws if the folder does not exist. */
export async function readDiskSpace(): Promise<{ size: number; free: number; isFull: boolean }> {
  const { bsize, blocks, bavail } = await statfs(readStoreSettings().dataDir)
  const freeBytes = bavail * bsize
  return { size: blocks * bsize, free: freeBytes, isFull: freeBytes < minFreeBytes }
}

/**
 * A table of 1 MB, dropped at the end of the statement. The statement fails if the disk is full:
 * PostgreSQL reserves disk space for the table, even if its rows stay in memory.
 */
const testTableSql = sql`create temporary table paydesk_room on commit drop as select repeat('x', 1000) as x from generate_series(1, 1000)`

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

const resultCacheMs = 30_000

let lastSpaceCheck: { at: number; hasRoom: boolean } | undefined

/** For the disk of the PostgreSQL server. Throws if the server does not respond. */
export async function hasStoreSpace(db: Db): Promise<boolean> {
  if (!lastSpaceCheck || performance.now() - lastSpaceCheck.at > resultCacheMs)
    lastSpaceCheck = { at: performance.now(), hasRoom: await canWriteTestTable(db) }
  return lastSpaceCheck.hasRoom
}
