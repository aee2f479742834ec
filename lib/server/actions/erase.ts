import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, inArray, isNull, sql } from 'drizzle-orm'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { renewNotes } from '@/lib/server/notes/notes'
import { decrypt } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { type Db, database } from '@/lib/server/store/store'
import { renewAuthorizationDetails } from './authorization-details'
import { deletePayloadBytes } from './payloads'
import { renewSeenObjects } from './seen-objects'

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Returns the distinct ids in the texts. Of an erased body or response, only these ids are kept. */
export const extractIds = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.match(uuidPattern) ?? []).map((id) => id.toLowerCase())),
]

/** Place of an action's body in the store; its ciphertext can be decrypted only with this place (see `encrypt`). */
export const toBodyAad = (id: string): string => `actions/${id}/body`

/** Place of an action's response in the store (see `toBodyAad`). */
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

/** Rows per batch, and the pause between batches (milliseconds), so that a large store is not blocked. */
const batchSize = 200
const pauseMs = 20

/** The service also stores its responses for replays for this time (interface document, "Idempotency"). */
const answerRetention = '24 hours'

const intervalMs = 10 * 60_000

const canSendCondition = sql`${actions.state} in ('awaiting_approval', 'sending', 'unknown')`

/** Migrates a batch of older rows: stores the ids that they mention, erases bodies never sent again. Returns the number of rows. */
async function migrateBatch(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: actions.id, body: actions.body, answer: actions.answer })
      .from(actions)
      .where(isNull(actions.mentions))
      .orderBy(actions.id)
      .limit(batchSize)
      .for('update')
    for (const { id, body, answer } of rows) {
      const mentions = [...new Set([...extractIdsFromEncrypted(body, toBodyAad(id)), ...extractIdsFromEncrypted(answer, toAnswerAad(id))])]
      const [row] = await tx
        .update(actions)
        .set({ mentions, body: sql`case when ${canSendCondition} then ${actions.body} end` })
        .where(eq(actions.id, id))
        .returning({ state: actions.state, payloadId: actions.payloadId })
      if (row && !['awaiting_approval', 'sending', 'unknown'].includes(row.state)) await deletePayloadBytes(tx, row.payloadId)
    }
    return rows.length
  })
}

/** Migrates all rows that an older version wrote. After the first run, there are none. */
export async function migrateOlderRows(): Promise<void> {
  const db = await database()
  while ((await migrateBatch(db)) > 0) await pause(pauseMs)
}

/** Deletes responses of actions that settled a day ago. No repeated request needs them, and the object shows its current state. */
async function deleteOldAnswers(): Promise<void> {
  const db = await database()
  const dueIds = db
    .select({ id: actions.id })
    .from(actions)
    .where(
      sql`${actions.answer} is not null and ${actions.settledAt} < now() - ${answerRetention}::interval and ${actions.mentions} is not null`,
    )
    .limit(batchSize)
  for (;;) {
    const clearedRows = await db.update(actions).set({ answer: null }).where(inArray(actions.id, dueIds)).returning({ id: actions.id })
    if (clearedRows.length === 0) return
    await pause(pauseMs)
  }
}

/**
 * Migrates data of older versions, and re-encrypts proofs, seen objects and notes with the current key. Deletes responses older than a day
 * every ten minutes, until `stop`.
 */
export function startEraser(): { stop: () => void } {
  const logFailure = (error: unknown) => log.error({ event: 'erasing.failed', code: getErrorCode(error) })
  void migrateOlderRows().then(renewAuthorizationDetails).then(renewSeenObjects).then(renewNotes).catch(logFailure)
  const timer = setInterval(() => void deleteOldAnswers().catch(logFailure), intervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
