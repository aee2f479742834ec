import 'server-only'
import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { storeSettings } from '@/lib/server/config/store-settings'
import { errorCode } from '@/lib/server/error-code'
import type { Db } from './store'

/** The room below which DATA_DIR counts as full (bytes): the embedded store grows by files of 16 MiB. */
const leastFree = 32 * 2 ** 20

/** Returns the size and the free room of the disk that DATA_DIR is on (bytes). Throws if there is no such folder. */
export async function diskRoom(): Promise<{ size: number; free: number; isFull: boolean }> {
  const { bsize, blocks, bavail } = await statfs(storeSettings().dataDir)
  const free = bavail * bsize
  return { size: blocks * bsize, free, isFull: free < leastFree }
}

/** A table of 1 MB that ends with its statement. PostgreSQL takes room of the disk for it, even if its rows stay in memory. */
const writeTable = sql`create temporary table paydesk_room on commit drop as select repeat('x', 1000) as x from generate_series(1, 1000)`

/** PostgreSQL's codes for a disk without room, and for a role that may not make temporary tables. */
const noRoom = '53100'
const forbidden = '42501'

async function tryToWrite(db: Db): Promise<boolean> {
  try {
    await db.execute(writeTable)
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === noRoom) return false
    if (code === forbidden) return true
    throw error
  }
}

/** The time for which an answer counts (milliseconds). */
const countsFor = 30_000

let last: { at: number; hasRoom: boolean } | undefined

/** Tries every half minute whether a PostgreSQL store has room for more. Throws if the store does not answer. */
export async function storeHasRoom(db: Db): Promise<boolean> {
  if (!last || performance.now() - last.at > countsFor) last = { at: performance.now(), hasRoom: await tryToWrite(db) }
  return last.hasRoom
}
