import 'server-only'
import { setImmediate as breathe } from 'node:timers/promises'
import { keepObjects } from '@/lib/server/mirror/keep'
import { keptAtOnce } from '@/lib/server/mirror/keep-answer'
import { behindWrites } from '@/lib/server/service/rate-limit'
import { type Db, database } from '@/lib/server/store/store'
import type { Page, Pass } from './call'
import type { Plan } from './plans'

/**
 * Stores the objects of a page in batches. The last batch and `commit`, which advances the cursor, are one transaction, so an interrupted
 * page is read again. Returns the result of `commit`.
 */
export async function keepPage<T>(
  { environment }: Pass,
  { resource }: Plan,
  account: string | null,
  { objects, askedAt }: Page,
  commit: (db: Db) => Promise<T>,
): Promise<T> {
  await behindWrites()
  const keep = async (from: number, within: Db) => {
    const batch = objects.slice(from, from + keptAtOnce) as never[]
    await keepObjects({ environment, resource, account, objects: batch, seenBy: 'sync', seenAt: askedAt }, within)
  }
  const db = await database()
  const last = Math.max(0, Math.ceil(objects.length / keptAtOnce) - 1) * keptAtOnce
  for (let from = 0; from < last; from += keptAtOnce) {
    await keep(from, db)
    await breathe()
    await behindWrites()
  }
  return db.transaction(async (tx) => {
    await keep(last, tx)
    return commit(tx)
  })
}
