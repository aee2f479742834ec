import 'server-only'
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { env } from '@/lib/server/env'
import { uploads } from '@/lib/server/store/desk-schema'
import { people } from '@/lib/server/store/schema'
import { database } from '@/lib/server/store/store'

/**
 * Counts one more file of a person; their row is locked, so that two at once cannot both be the last. The store's clock counts. Throws
 * `too_many` with the seconds until the next may come.
 */
export async function countUpload(actorId: string, id: string): Promise<void> {
  const most = env().quotas.uploadsPerHour
  const db = await database()
  await db.transaction(async (tx) => {
    await tx.select({ id: people.id }).from(people).where(eq(people.id, actorId)).for('update')
    const recent = await tx
      .select({ left: sql<number>`ceil(extract(epoch from ${uploads.at} + interval '1 hour' - now()))::int` })
      .from(uploads)
      .where(and(eq(uploads.actorId, actorId), gt(uploads.at, sql`now() - interval '1 hour'`)))
      .orderBy(asc(uploads.at))
    const first = recent.at(-most)
    if (first) throw tooMany(most, Math.max(first.left, 1))
    await tx.insert(uploads).values({ id, actorId })
  })
}

function tooMany(most: number, seconds: number): AppError {
  const detail = `not taken: you sent ${most} files within the last hour, which is the limit. Send it again in ${Math.ceil(seconds / 60)} minutes`
  return new AppError('too_many', `File: ${detail}`, { items: [{ reference: 'File', detail }], retryAfter: seconds })
}

/** Takes a file off the count that did not arrive. */
export async function uncountUpload(id: string): Promise<void> {
  const db = await database()
  await db.delete(uploads).where(eq(uploads.id, id))
}

/** Forgets what no longer counts. */
export async function sweepUploads(): Promise<void> {
  const db = await database()
  await db.delete(uploads).where(lt(uploads.at, sql`now() - interval '1 hour'`))
}
