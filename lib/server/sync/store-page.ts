import 'server-only'
import { setImmediate as breathe } from 'node:timers/promises'
import { mirrorBatchSize } from '@/lib/server/mirror/store-answer'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { waitForRecentWrites } from '@/lib/server/service/rate-limit'
import { type Db, getDatabase } from '@/lib/server/store/store'
import type { SyncPage, SyncPass } from './call'
import type { SyncPlan } from './plans'

/**
 * The last batch and `commit`, which advances the cursor, run in one transaction. If the process
 * stops before that, the cursor still points to this page, so the page is read again.
 */
export async function storePage<T>(
  { environment }: SyncPass,
  { resource }: SyncPlan,
  account: string | null,
  { objects, askedAt }: SyncPage,
  commit: (db: Db) => Promise<T>,
): Promise<T> {
  await waitForRecentWrites()
  const storeBatch = async (from: number, transaction: Db) => {
    const batch = objects.slice(from, from + mirrorBatchSize) as never[]
    await upsertObjects(
      { environment, resource, account, objects: batch, seenBy: 'sync', seenAt: askedAt },
      transaction,
    )
  }
  const db = await getDatabase()
  const lastBatchStart =
    Math.max(0, Math.ceil(objects.length / mirrorBatchSize) - 1) * mirrorBatchSize
  for (let from = 0; from < lastBatchStart; from += mirrorBatchSize) {
    await storeBatch(from, db)
    await breathe()
    await waitForRecentWrites()
  }
  return db.transaction(async (tx) => {
    await storeBatch(lastBatchStart, tx)
    return commit(tx)
  })
}
