import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, inArray, isNull, sql } from 'drizzle-orm'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { renewNotes } from '@/lib/server/notes/notes'
import { decrypt } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { reencryptAuthorizationDetails } from './authorization-details'
import { deletePayloadBytes } from './payloads'
import { reencryptSeenObjects } from './seen-objects'

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/**
 * Returns the distinct ids in the texts. When a body or a response is erased, only the ids in it
 * are kept.
 */
export const extractIds = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.match(uuidPattern) ?? []).map((id) => id.toLowerCase())),
]

/**
 * Returns the place of an action's body in the store. The place is authenticated with the
 * ciphertext, so the body can be decrypted only with the same place (see `encrypt`).
 */
export const toBodyAad = (id: string): string => `actions/${id}/body`

/**
 * Returns the place of an action's response in the store, with which the response is encrypted (see
 * `toBodyAad`).
 */
export const toAnswerAad = (id: string): string => `actions/${id}/answer`

/** Returns the ids in an encrypted text; none if it is null or cannot be decrypted. */
export function extractIdsFromEncrypted(encrypted: Buffer | null, aad: string): string[] {
  if (!encrypted) return []
  try {
    return extractIds(decrypt(encrypted, aad).toString('utf8'))
  } catch {
    return []
  }
}

/**
 * Rows per batch, and the pause between two batches (milliseconds). Small batches do not block
 * other queries.
 */
const batchSize = 200
const pauseBetweenBatchesMs = 20

/**
 * How long we store the response of an action: as long as the service stores it for replays
 * (interface document, "Idempotency").
 */
const answerRetention = '24 hours'

const deletionIntervalMs = 10 * 60_000

const canSendCondition = sql`${actions.state} in ('awaiting_approval', 'sending', 'unknown')`

/**
 * Migrates a batch of rows that an older version wrote: stores the ids in the body and the
 * response, and erases the body if it is never sent again. Returns the number of rows.
 */
async function migrateOlderRowBatch(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: actions.id, body: actions.body, answer: actions.answer })
      .from(actions)
      .where(isNull(actions.mentions))
      .orderBy(actions.id)
      .limit(batchSize)
      .for('update')
    for (const { id, body, answer } of rows) {
      const mentions = [
        ...new Set([
          ...extractIdsFromEncrypted(body, toBodyAad(id)),
          ...extractIdsFromEncrypted(answer, toAnswerAad(id)),
        ]),
      ]
      const [row] = await tx
        .update(actions)
        .set({ mentions, body: sql`case when ${canSendCondition} then ${actions.body} end` })
        .where(eq(actions.id, id))
        .returning({ state: actions.state, payloadId: actions.payloadId })
      if (row && !['awaiting_approval', 'sending', 'unknown'].includes(row.state))
        await deletePayloadBytes(tx, row.payloadId)
    }
    return rows.length
  })
}

/** Migrates all rows that an older version wrote. After the first run, there are none. */
export async function migrateOlderRows(): Promise<void> {
  const db = await getDatabase()
  while ((await migrateOlderRowBatch(db)) > 0) await pause(pauseBetweenBatchesMs)
}

/**
 * Deletes stored responses of actions that settled over a day ago. By then no repeated request
 * needs them.
 */
async function deleteOldAnswers(): Promise<void> {
  const db = await getDatabase()
  const dueIds = db
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
      .where(inArray(actions.id, dueIds))
      .returning({ id: actions.id })
    if (clearedRows.length === 0) return
    await pause(pauseBetweenBatchesMs)
  }
}

/**
 * Starts to delete old responses every ten minutes, until `stop`. Also migrates the rows of older
 * versions once, and re-encrypts proofs of authorization, objects as requesters saw them, and notes
 * with the current key.
 */
export function startEraser(): { stop: () => void } {
  const logFailure = (error: unknown) =>
    log.error({ event: 'erasing.failed', code: getErrorCode(error) })
  void migrateOlderRows()
    .then(reencryptAuthorizationDetails)
    .then(reencryptSeenObjects)
    .then(renewNotes)
    .catch(logFailure)
  const timer = setInterval(() => void deleteOldAnswers().catch(logFailure), deletionIntervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
