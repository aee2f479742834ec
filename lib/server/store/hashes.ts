import 'server-only'
import { createHash, createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { env } from '@/lib/server/config/env'
import { log } from '@/lib/server/log'
import { getSharedValue } from '@/lib/server/shared'
import {
  decrypt,
  deriveKey,
  encrypt,
  getCurrentKeyId,
  isLostKeyError,
  readKeyId,
} from './encryption'
import { storedKeys } from './schema/audit'
import type { Db } from './store'

export const sha256 = (value: string | Buffer): string =>
  createHash('sha256').update(value).digest('hex')

const pseudonymKeyName = 'pseudonym'
const keyAad = `kept_keys/${pseudonymKeyName}`

const pseudonymKey = getSharedValue<{ value: Buffer | undefined }>('pseudonym key', () => ({
  value: undefined,
}))

/**
 * Returns the key of the pseudonyms, and re-encrypts it with the current encryption key. Returns
 * null if there is none, or if its encryption key is declared lost.
 */
async function readStoredKey(db: Db): Promise<Buffer | null> {
  const [row] = await db
    .select()
    .from(storedKeys)
    .where(eq(storedKeys.name, pseudonymKeyName))
    .for('update')
  if (!row) return null
  try {
    const key = decrypt(row.value, keyAad)
    if (readKeyId(row.value) !== getCurrentKeyId())
      await db
        .update(storedKeys)
        .set({ value: encrypt(key, keyAad) })
        .where(eq(storedKeys.name, pseudonymKeyName))
    return key
  } catch (error) {
    if (!isLostKeyError(error)) throw error
    log.warn({ event: 'pseudonyms.restarted' })
    await db.delete(storedKeys).where(eq(storedKeys.name, pseudonymKeyName))
    return null
  }
}

/**
 * At the first start, derives the key from the session secret and stores it; later changes of that
 * secret do not change it. The derivation must stay the same, because rows of older versions
 * contain hashes made with the derived key. Throws `UnknownKeyError` if the stored key's encryption
 * key is not configured: all instances on one database must have the same encryption keys.
 */
export async function loadPseudonymKey(db: Db): Promise<void> {
  pseudonymKey.value = await db.transaction(async (tx) => {
    const storedKey = await readStoredKey(tx)
    if (storedKey) return storedKey
    await tx
      .insert(storedKeys)
      .values({
        name: pseudonymKeyName,
        value: encrypt(deriveKey(env().authSecret, 'pseudonym'), keyAad),
      })
      .onConflictDoNothing()
    const key = await readStoredKey(tx)
    if (!key) throw new Error('the key of the pseudonyms was not kept')
    return key
  })
}

/** A keyed hash (hex) for values that are only compared, as in audit rows and sign-in limits. */
export function toPseudonym(value: string): string {
  const key = pseudonymKey.value
  if (!key) throw new Error('the key of the pseudonyms is read at the start')
  return createHmac('sha256', key).update(value).digest('hex')
}
