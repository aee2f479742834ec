import 'server-only'
import { inArray, lte, sql } from 'drizzle-orm'
import { registerJob } from '@/lib/server/http/registration'
import { targetClaims } from '@/lib/server/store/schema/desk'
import { getDatabase } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'

/** Deletes ended claims. Skips rows that another transaction has locked. */
async function pruneEndedClaims(): Promise<number> {
  const db = await getDatabase()
  const claimKey = sql`(${targetClaims.environment}, ${targetClaims.target})`
  const endedClaims = db
    .select({ environment: targetClaims.environment, target: targetClaims.target })
    .from(targetClaims)
    .where(lte(targetClaims.endsAt, sql`now()`))
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  return (
    await db
      .delete(targetClaims)
      .where(inArray(claimKey, endedClaims))
      .returning({ target: targetClaims.target })
  ).length
}

registerJob(() => startPruning('claims', [pruneEndedClaims]))
