import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { DocumentCopy } from '@/lib/operations/documents'
import { env } from '@/lib/server/config/env'
import {
  decrypt,
  encrypt,
  getCurrentKeyId,
  isKnownKey,
  isLostKeyError,
  readKeyId,
  UnknownKeyError,
} from '@/lib/server/store/encryption'
import { actions, filePayloadChunks, filePayloads } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { deletePayloadBytes, toChunkAad } from './payloads'

/** A short pause after each file or chunk lets other queries run. */
const pauseMs = 20

/** States in which a file is never sent again, and its bytes may be kept. */
const statesWithCopies = ['applied', 'needs_human'] as const

export function toDocumentCopy({
  releasedAt,
  releaseReason,
}: Pick<typeof filePayloads.$inferSelect, 'releasedAt' | 'releaseReason'>): DocumentCopy {
  if (releasedAt === null) return 'kept'
  return releaseReason === null || releaseReason === 'settled' ? 'not_kept' : releaseReason
}

/**
 * Deletes the oldest copy whose retention has ended. Returns false if there is none. A copy whose
 * action can still be sent is skipped.
 */
async function deleteExpiredCopy(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [expiredCopy] = await tx
      .select({ id: filePayloads.id })
      .from(filePayloads)
      .innerJoin(actions, eq(actions.payloadId, filePayloads.id))
      .where(
        and(
          isNull(filePayloads.releasedAt),
          sql`${filePayloads.createdAt} < now() - make_interval(days => ${env().proofRetentionDays})`,
          inArray(actions.state, [...statesWithCopies]),
        ),
      )
      .orderBy(filePayloads.createdAt)
      .limit(1)
      .for('update', { of: filePayloads, skipLocked: true })
    if (expiredCopy) await deletePayloadBytes(tx, expiredCopy.id, 'expired')
    return expiredCopy !== undefined
  })
}

/** Deletes one copy at a time, because each can have 10 MiB. */
export async function deleteExpiredCopies(): Promise<void> {
  const db = await getDatabase()
  while (await deleteExpiredCopy(db)) await pause(pauseMs)
}

const chunkKeyId = sql<string>`encode(substring(${filePayloadChunks.bytes} from 5 for 4), 'hex')`

type ChunkPosition = Pick<typeof filePayloadChunks.$inferSelect, 'payloadId' | 'number'>

const toChunkCondition = ({ payloadId, number }: ChunkPosition) =>
  and(eq(filePayloadChunks.payloadId, payloadId), eq(filePayloadChunks.number, number))

/** Returns the first chunk after `last` that another key encrypted. */
async function findOutdatedChunk(db: Db, last: ChunkPosition | undefined) {
  const laterCondition =
    last &&
    or(
      gt(filePayloadChunks.payloadId, last.payloadId),
      and(
        eq(filePayloadChunks.payloadId, last.payloadId),
        gt(filePayloadChunks.number, last.number),
      ),
    )
  const [row] = await db
    .select()
    .from(filePayloadChunks)
    .where(and(sql`${chunkKeyId} <> ${getCurrentKeyId()}`, laterCondition))
    .orderBy(filePayloadChunks.payloadId, filePayloadChunks.number)
    .limit(1)
  return row
}

/**
 * Encrypts all stored files with the current key: copies are kept for years, and an old key must
 * not be needed that long. One chunk is in memory at a time. Skips chunks under a lost key.
 */
export async function reencryptPayloadChunks(): Promise<void> {
  const db = await getDatabase()
  let chunk = await findOutdatedChunk(db, undefined)
  while (chunk) {
    const { payloadId, number, bytes } = chunk
    if (isKnownKey(readKeyId(bytes))) {
      const aad = toChunkAad(payloadId, number)
      await db
        .update(filePayloadChunks)
        .set({ bytes: encrypt(decrypt(bytes, aad), aad) })
        .where(toChunkCondition(chunk))
    }
    await pause(pauseMs)
    chunk = await findOutdatedChunk(db, chunk)
  }
}

/** Counts the copies of each encryption key that is neither configured nor declared lost. */
export async function countMissingPayloadKeys(db: Db): Promise<Map<string, number>> {
  const keyCountRows = await db
    .select({
      keyId: chunkKeyId,
      count: sql<number>`count(distinct ${filePayloadChunks.payloadId})::int`,
    })
    .from(filePayloadChunks)
    .innerJoin(actions, eq(actions.payloadId, filePayloadChunks.payloadId))
    .where(inArray(actions.state, [...statesWithCopies]))
    .groupBy(chunkKeyId)
  return new Map(
    keyCountRows
      .filter(({ keyId }) => !isKnownKey(keyId) && !isLostKeyError(new UnknownKeyError(keyId)))
      .map(({ keyId, count }) => [keyId, count]),
  )
}
