import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, inArray, isNull, sql } from 'drizzle-orm'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { reencryptNotes } from '@/lib/server/notes/notes'
import { decrypt } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { reencryptAuthorizationDetails } from './authorization-details'
import { deleteExpiredCopies, reencryptPayloadChunks } from './payload-copies'
import { deletePayloadBytes } from './payloads'
import { reencryptSeenObjects } from './seen-objects'

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** When a body or a response is erased, only the ids in it are kept. */
export const extractIds = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.match(uuidPattern) ?? []).map((id) => id.toLowerCase())),
]

/** The place of the body in the store. Decryption requires the same place (see `encrypt`). */
export const toBodyAad = (id: string): string => `actions/${id}/body`

export const toAnswerAad = (id: string): string => `actions/${id}/answer`

/** Returns no ids if the text is null or cannot be decrypted. */
export function extractIdsFromEncrypted(encrypted: Buffer | null, aad: string): string[] {
  if (!encrypted) return []
  try {
    return extractIds(decrypt(encrypted, aad).toString('utf8'))
  } catch {
    return []
  }
}

/** Small batches do not block other queries. */
const batchSize = 200
const pauseBetweenBatchesMs = 20

/**
 * Responses stay as long as the service keeps its own for replays (interface document,
 * "Idempotency").
 */
const answerRetention = '24 hours'

const deletionIntervalMs = 10 * 60_000

const sendableCondition = sql`${actions.state} in ('awaiting_approval', 'sending', 'unknown')`

/**
 * For rows of older versions: stores the ids in body and response, and erases the body if it is
 * never sent again. Returns the number of rows.
 */
async function migrateOlderActionBatch(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const olderActions = await tx
      .select({ id: actions.id, body: actions.body, answer: actions.answer })
      .from(actions)
      .where(isNull(actions.mentions))
      .orderBy(actions.id)
      .limit(batchSize)
      .for('update')
    for (const { id, body, answer } of olderActions) {
      const mentionedIds = [
        ...new Set([
          ...extractIdsFromEncrypted(body, toBodyAad(id)),
          ...extractIdsFromEncrypted(answer, toAnswerAad(id)),
        ]),
      ]
      const [row] = await tx
        .update(actions)
        .set({
          mentions: mentionedIds,
          body: sql`case when ${sendableCondition} then ${actions.body} end`,
        })
        .where(eq(actions.id, id))
        .returning({ state: actions.state, payloadId: actions.payloadId })
      if (row && !['awaiting_approval', 'sending', 'unknown'].includes(row.state))
        await deletePayloadBytes(tx, row.payloadId, 'settled')
    }
    return olderActions.length
  })
}

export async function migrateOlderActions(): Promise<void> {
  const db = await getDatabase()
  while ((await migrateOlderActionBatch(db)) > 0) await pause(pauseBetweenBatchesMs)
}

/** After a day, no repeated request needs the stored response. */
async function deleteOldAnswers(): Promise<void> {
  const db = await getDatabase()
  const dueActionIds = db
    .select({ id: actions.id })
    .from(actions)
    .where(
      sql`${actions.answer} is not null and ${actions.settledAt} < now() - ${answerRetention}::interval and ${actions.mentions} is not null`,
    )
    .limit(batchSize)
  for (;;) {
    const clearedRows = await db
      .update(actions)
      .set({ answer: null })
      .where(inArray(actions.id, dueActionIds))
      .returning({ id: actions.id })
    if (clearedRows.length === 0) return
    await pause(pauseBetweenBatchesMs)
  }
}

/**
 * Deletes old responses, and copies of proofs whose retention has ended, every ten minutes until
 * `stop`. At the start, also migrates the actions of older versions, and re-encrypts proofs of
 * authorization and their copies, the objects that people saw when they decided, and notes with the
 * current key.
 */
export function startAnswerEraser(): { stop: () => void } {
  const logFailure = (error: unknown) =>
    log.error({ event: 'erasing.failed', code: getErrorCode(error) })
  void migrateOlderActions()
    .then(reencryptAuthorizationDetails)
    .then(reencryptSeenObjects)
    .then(reencryptNotes)
    .then(reencryptPayloadChunks)
    .catch(logFailure)
  const deleteDueData = () => deleteOldAnswers().then(deleteExpiredCopies).catch(logFailure)
  void deleteExpiredCopies().catch(logFailure)
  const timer = setInterval(() => void deleteDueData(), deletionIntervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
