import 'server-only'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { env } from '@/lib/server/env'
import { inWords } from '@/lib/server/service/retry-after'
import { actions } from '@/lib/server/store/schema'
import type { Db } from '@/lib/server/store/store'

/**
 * Refuses a person who has written all that one person may write in an hour. `booked` of them may be there: none before a write, its own row where
 * it was just inserted. Throws `too_many` with the seconds until the next one.
 */
export async function refuseOverQuota(db: Db, person: string, booked: 0 | 1 = 0): Promise<void> {
  const { writesPerHour } = env().quotas
  const [inTheWay] = await db
    .select({ seconds: sql<number>`ceil(extract(epoch from ${actions.createdAt} + interval '1 hour' - clock_timestamp()))::int` })
    .from(actions)
    .where(and(eq(actions.actorId, person), gt(actions.createdAt, sql`clock_timestamp() - interval '1 hour'`)))
    .orderBy(desc(actions.createdAt))
    .offset(writesPerHour - 1 + booked)
    .limit(1)
  if (!inTheWay) return
  const seconds = Math.max(inTheWay.seconds, 1)
  const detail = `You have made ${writesPerHour} writes within an hour, the most one person may. Nothing was sent. Try again in ${inWords(seconds)}`
  throw new AppError('too_many', detail, { retryAfter: seconds })
}
