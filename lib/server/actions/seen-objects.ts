import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { log } from '@/lib/server/log'
import { decrypt, encrypt, getCurrentKeyId } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { getDatabase } from '@/lib/server/store/store'

/** The place of the object in the store. Decryption requires the same place (see `encrypt`). */
export const toSeenObjectAad = (id: string): string => `actions/${id}/seen`

const batchSize = 200
const pauseBetweenBatchesMs = 20

/** Null if the target was not compared, was deleted, or cannot be decrypted. */
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
 * Encrypts all objects with the current key: they are stored for years, longer than an old key
 * should be needed.
 */
export async function reencryptSeenObjects(): Promise<void> {
  const db = await getDatabase()
  const keyId = sql`encode(substring(${actions.seen} from 5 for 4), 'hex')`
  let lastId = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const seenObjectRows = await db
      .select({ id: actions.id, seen: actions.seen })
      .from(actions)
      .where(
        and(isNotNull(actions.seen), ne(keyId, getCurrentKeyId()), sql`${actions.id} > ${lastId}`),
      )
      .orderBy(actions.id)
      .limit(batchSize)
    for (const row of seenObjectRows) {
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
    lastId = seenObjectRows.at(-1)?.id ?? ''
    if (lastId === '') return
    await pause(pauseBetweenBatchesMs)
  }
}
