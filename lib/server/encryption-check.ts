import 'server-only'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { decrypt, isLostKey, UnknownKey } from './encryption'
import { loadPseudonymKey } from './pseudonym'
import { actions, payloadChunks } from './store/schema'
import type { Db } from './store/store'

/** As many open actions are opened to see whether they open; more than that were never open at once. */
const most = 1000

const nameOf = (keyId: string) => (keyId === 'auth-secret' ? 'the AUTH_SECRET from before it was changed' : `the key ${keyId}`)

const missing = (keyId: string, what: string) =>
  `ENCRYPTION_KEY_PREVIOUS: must hold ${nameOf(keyId)}, ${what}. If it is permanently lost, put ${keyId} into ENCRYPTION_KEY_LOST`

/** The ids of keys that rows of the store need and nobody configured, with how many rows need each. */
async function missingKeys(db: Db): Promise<Map<string, number>> {
  const open = inArray(actions.state, ['sending', 'unknown'])
  const bodies = await db
    .select({ id: actions.id, body: actions.body })
    .from(actions)
    .where(and(open, isNotNull(actions.body)))
    .limit(most)
  const files = await db
    .select({ id: payloadChunks.payloadId, body: payloadChunks.bytes })
    .from(payloadChunks)
    .innerJoin(actions, eq(actions.payloadId, payloadChunks.payloadId))
    .where(and(open, eq(payloadChunks.number, 0)))
    .limit(most)
  const found = new Map<string, number>()
  const look = (encrypted: Buffer, place: string) => {
    try {
      decrypt(encrypted, place)
    } catch (error) {
      if (error instanceof UnknownKey && !isLostKey(error)) found.set(error.keyId, (found.get(error.keyId) ?? 0) + 1)
    }
  }
  for (const { id, body } of bodies) if (body) look(body, `actions/${id}/body`)
  for (const { id, body } of files) look(body, `payload_chunks/${id}/0`)
  return found
}

/**
 * Refuses a start with keys that cannot open what the store needs: bytes that may have to be sent again, and its own keys. Throws one Error whose
 * lines each name the setting and the key. Loads the key of the pseudonyms on the way.
 */
export async function requireStoreKeys(db: Db): Promise<void> {
  await loadPseudonymKey(db).catch((error: unknown) => {
    throw error instanceof UnknownKey ? new Error(missing(error.keyId, 'which this store was last used with')) : error
  })
  const found = await missingKeys(db)
  if (found.size === 0) return
  throw new Error([...found].map(([keyId, count]) => missing(keyId, `under which ${count} open actions are encrypted`)).join('\n'))
}
