import 'server-only'
import { createHash, createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { env } from '@/lib/server/config/env'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { decrypt, deriveKey, encrypt, getCurrentKeyId, isLostKey, readKeyId } from './encryption'
import { keptKeys } from './schema/audit'
import type { Db } from './store'

export const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')

const name = 'pseudonym'
const keyAad = `kept_keys/${name}`

const pseudonymKey = shared<{ value: Buffer | undefined }>('pseudonym key', () => ({ value: undefined }))

/** Returns the stored key, re-encrypted with the current encryption key; null if there is none, or its encryption key is declared lost. */
async function readStoredKey(db: Db): Promise<Buffer | null> {
  const [row] = await db.select().from(keptKeys).where(eq(keptKeys.name, name)).for('update')
  if (!row) return null
  try {
    const key = decrypt(row.value, keyAad)
    if (readKeyId(row.value) !== getCurrentKeyId())
      await db
        .update(keptKeys)
        .set({ value: encrypt(key, keyAad) })
        .where(eq(keptKeys.name, name))
    return key
  } catch (error) {
    if (!isLostKey(error)) throw error
    log.warn({ event: 'pseudonyms.restarted' })
    await db.delete(keptKeys).where(eq(keptKeys.name, name))
    return null
  }
}

/**
 * Loads the key of the pseudonyms from the store, or creates it at the first start. Older versions derived the key from the session secret.
 * A new key is derived in the same way, so that hashes in older rows stay valid. Later changes of a secret do not change the stored key.
 * Throws `UnknownKey` if its encryption key is not configured: all instances on one store must share their encryption keys.
 */
export async function loadPseudonymKey(db: Db): Promise<void> {
  pseudonymKey.value = await db.transaction(async (tx) => {
    const storedKey = await readStoredKey(tx)
    if (storedKey) return storedKey
    await tx
      .insert(keptKeys)
      .values({ name, value: encrypt(deriveKey(env().authSecret, 'pseudonym'), keyAad) })
      .onConflictDoNothing()
    const key = await readStoredKey(tx)
    if (!key) throw new Error('the key of the pseudonyms was not kept')
    return key
  })
}

/** Returns a keyed hash (hex) of a personal value that is only compared, as in audit rows and limits. */
export function toPseudonym(value: string): string {
  const key = pseudonymKey.value
  if (!key) throw new Error('the key of the pseudonyms is read at the start')
  return createHmac('sha256', key).update(value).digest('hex')
}
