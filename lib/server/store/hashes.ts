import 'server-only'
import { createHash, createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { env } from '@/lib/server/config/env'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { currentKeyId, decrypt, derivedKey, encrypt, isLostKey, keyIdOf } from './encryption'
import { keptKeys } from './schema'
import type { Db } from './store'

/** SHA-256 in hex. */
export const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')

const name = 'pseudonym'
const place = `kept_keys/${name}`

const pseudonymKey = shared<{ value: Buffer | undefined }>('pseudonym key', () => ({ value: undefined }))

/** The kept key, or null where there is none yet, and where the one it is encrypted under is declared lost. */
async function keptKey(db: Db): Promise<Buffer | null> {
  const [row] = await db.select().from(keptKeys).where(eq(keptKeys.name, name)).for('update')
  if (!row) return null
  try {
    const key = decrypt(row.value, place)
    if (keyIdOf(row.value) !== currentKeyId())
      await db
        .update(keptKeys)
        .set({ value: encrypt(key, place) })
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
 * Reads the key of the pseudonyms out of the store, or makes it at the first start: of the session secret, as it was made before it was kept, so
 * that what older rows say still holds. From then on neither secret changes it. Throws `UnknownKey`; all instances on one store prove by this that
 * they share their encryption keys.
 */
export async function loadPseudonymKey(db: Db): Promise<void> {
  pseudonymKey.value = await db.transaction(async (tx) => {
    const known = await keptKey(tx)
    if (known) return known
    await tx
      .insert(keptKeys)
      .values({ name, value: encrypt(derivedKey(env().authSecret, 'pseudonym'), place) })
      .onConflictDoNothing()
    const key = await keptKey(tx)
    if (!key) throw new Error('the key of the pseudonyms was not kept')
    return key
  })
}

/** A keyed hash (hex) that stands for a personal value where only equality matters, as in audit rows and limits. */
export function pseudonym(value: string): string {
  const key = pseudonymKey.value
  if (!key) throw new Error('the key of the pseudonyms is read at the start')
  return createHmac('sha256', key).update(value).digest('hex')
}
