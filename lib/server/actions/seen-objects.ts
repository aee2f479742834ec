import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { log } from '@/lib/server/log'
import { decrypt, encrypt, getCurrentKeyId } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { getDatabase } from '@/lib/server/store/store'

/**
 * Returns the place, in the store, of the object as the requester saw it. The place is
 * authenticated with the ciphertext, so the object can be decrypted only with the same place (see
 * `encrypt`).
 */
export const toSeenObjectAad = (id: string): string => `actions/${id}/seen`

/** Rows per batch, and the pause between two batches (milliseconds). */
const batchSize = 200
const pauseBetweenBatchesMs = 20

/**
 * Returns the target object as the requester saw it; null if it was not compared, was deleted, or
 * cannot be decrypted.
 */
export function decryptSeenObject({ id, seen }: { id: string; seen: Buffer | null }): unknown {
  if (!seen) return null
  try {
    return JSON.parse(decrypt(seen, toSeenObjectAad(id)).toString('utf8'))
  } catch {
    log.warn({ event: 'action.seen_unreadable', action_id: id })
    return null
  }
}

/**
 * Re-encrypts all stored target objects with the current key. They are stored for years, longer
 * than an old key should be needed.
 */
export async function reencryptSeenObjects(): Promise<void> {
  const db = await getDatabase()
  const keyId = sql`encode(substring(${actions.seen} from 5 for 4), 'hex')`
  let lastId = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db
      .select({ id: actions.id, seen: actions.seen })
      .from(actions)
      .where(
        and(isNotNull(actions.seen), ne(keyId, getCurrentKeyId()), sql`${actions.id} > ${lastId}`),
      )
      .orderBy(actions.id)
      .limit(batchSize)
    for (const row of rows) {
      const seenObject = decryptSeenObject(row)
      if (seenObject === null) continue
      const encryptedObject = encrypt(
        Buffer.from(JSON.stringify(seenObject)),
        toSeenObjectAad(row.id),
      )
      await db
        .update(actions)
        .set({ seen: encryptedObject })
        .where(and(eq(actions.id, row.id), eq(actions.seen, row.seen as Buffer)))
    }
    lastId = rows.at(-1)?.id ?? ''
    if (lastId === '') return
    await pause(pauseBetweenBatchesMs)
  }
}
