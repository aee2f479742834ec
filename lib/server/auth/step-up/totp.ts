import 'server-only'
import { and, eq, lt, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import {
  decrypt,
  encrypt,
  getCurrentKeyId,
  isKnownKey,
  isLostKeyError,
  readKeyId,
  UnknownKeyError,
} from '@/lib/server/store/encryption'
import { totpSecrets } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

/**
 * Each code belongs to a period of 30 seconds. The codes of the previous and the next period are
 * accepted too, because clocks differ.
 */
const periodSeconds = 30

const toSecretAad = (personId: string) => `totp_secrets/${personId}`

export const encryptSecret = (personId: string, secret: Buffer): Buffer =>
  encrypt(secret, toSecretAad(personId))

const createTotp = (secret: Buffer, label = '') =>
  new TOTP({
    issuer: 'Paydesk',
    label,
    secret: Secret.fromHex(secret.toString('hex')),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  })

/** `secret` is text to type, `uri` is for a QR code. The app shows `label` as the person's name. */
export const toTotpSetupData = (secret: Buffer, label: string) => {
  const totp = createTotp(secret, label)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Returns the periods since 1970 by the database clock; null if the code is not valid now. */
export async function findTimeStep(db: Db, secret: Buffer, code: string): Promise<number | null> {
  const { rows } = (await db.execute(sql`select extract(epoch from now())::float8 as seconds`)) as {
    rows: { seconds: number }[]
  }
  const storeTimeSeconds = Number(rows[0]?.seconds)
  const compactCode = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(compactCode)) return null
  const stepDelta = createTotp(secret).validate({
    token: compactCode,
    timestamp: storeTimeSeconds * 1000,
    window: 1,
  })
  return stepDelta === null ? null : Math.floor(storeTimeSeconds / periodSeconds) + stepDelta
}

/** Returns false for a wrong code, and if this or a later code was used on any instance. */
export async function consumeTotpCode(tx: Db, personId: string, code: string): Promise<boolean> {
  const [row] = await tx.select().from(totpSecrets).where(eq(totpSecrets.personId, personId))
  if (!row) return false
  // If the encryption key of the secret is declared lost, no code can be checked, so every code is
  // refused. An admin can remove the factor.
  const secret =
    isLostKeyError(new UnknownKeyError(readKeyId(row.secret))) && !isKnownKey(readKeyId(row.secret))
      ? null
      : decrypt(row.secret, toSecretAad(personId))
  const timeStep = secret && (await findTimeStep(tx, secret, code))
  if (timeStep === null) return false
  const updatedRows = await tx
    .update(totpSecrets)
    .set({ lastStep: timeStep, lastUsedAt: sql`now()` })
    .where(
      and(
        eq(totpSecrets.personId, personId),
        eq(totpSecrets.secret, row.secret),
        lt(totpSecrets.lastStep, timeStep),
      ),
    )
    .returning({ personId: totpSecrets.personId })
  return updatedRows.length > 0
}

/**
 * Encrypts the secrets of earlier keys with the current key. Skips a row that another process
 * changes at the same time.
 */
export async function reencryptTotpSecrets(): Promise<void> {
  const db = await getDatabase()
  for (const row of await db.select().from(totpSecrets)) {
    if (readKeyId(row.secret) === getCurrentKeyId() || !isKnownKey(readKeyId(row.secret))) continue
    const secret = encryptSecret(row.personId, decrypt(row.secret, toSecretAad(row.personId)))
    await db
      .update(totpSecrets)
      .set({ secret })
      .where(and(eq(totpSecrets.personId, row.personId), eq(totpSecrets.secret, row.secret)))
  }
}

/**
 * Counts the secrets per encryption key that is neither configured nor declared lost. The map's
 * keys are key ids.
 */
export async function countUndecryptableSecrets(db: Db): Promise<Map<string, number>> {
  const secretCountByKey = new Map<string, number>()
  for (const { secret } of await db.select({ secret: totpSecrets.secret }).from(totpSecrets)) {
    const keyId = readKeyId(secret)
    if (!isKnownKey(keyId) && !isLostKeyError(new UnknownKeyError(keyId)))
      secretCountByKey.set(keyId, (secretCountByKey.get(keyId) ?? 0) + 1)
  }
  return secretCountByKey
}
