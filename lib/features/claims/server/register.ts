import 'server-only'
import { inArray, lte, sql } from 'drizzle-orm'
import { registerJob } from '@/lib/server/http/registration'
import { claims } from '@/lib/server/store/schema/desk'
import { getDatabase } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'

/**
 * Deletes a batch of ended claims and returns their number. Skips rows that another transaction has
 * locked.
 */
async function pruneEndedClaims(): Promise<number> {
  const db = await getDatabase()
  const claimKey = sql`(${claims.environment}, ${claims.target})`
  const endedClaims = db
    .select({ environment: claims.environment, target: claims.target })
    .from(claims)
    .where(lte(claims.endsAt, sql`now()`))
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  return (
    await db
      .delete(claims)
      .where(inArray(claimKey, endedClaims))
      .returning({ target: claims.target })
  ).length
}

registerJob(() => startPruning('claims', [pruneEndedClaims]))
