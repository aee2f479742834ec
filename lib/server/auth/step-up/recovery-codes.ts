import 'server-only'
import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { toPseudonym } from '@/lib/server/store/hashes'
import { recoveryCodes } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'

const recoveryCodeCount = 10
/** Five bits per character. Leaves out `i`, `l`, `o` and `1`, which look like others. */
const codeAlphabet = 'abcdefghjkmnpqrstuvwxyz023456789'

/** 80 random bits, in groups of four characters. */
const createRecoveryCode = () =>
  [...randomBytes(16)]
    .map((byte, at) => (at > 0 && at % 4 === 0 ? '-' : '') + (codeAlphabet[byte & 31] ?? ''))
    .join('')

const normalizeRecoveryCode = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '')
const hashRecoveryCode = (personId: string, code: string) =>
  toPseudonym(`recovery code ${personId} ${normalizeRecoveryCode(code)}`)

/** Deletes earlier codes. Only hashes of the returned codes are stored. */
export async function makeRecoveryCodes(tx: Db, personId: string): Promise<string[]> {
  const newRecoveryCodes = Array.from({ length: recoveryCodeCount }, createRecoveryCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId))
  await tx
    .insert(recoveryCodes)
    .values(
      newRecoveryCodes.map((code) => ({ personId, codeHash: hashRecoveryCode(personId, code) })),
    )
  return newRecoveryCodes
}

/** Returns false if the person has no such unused code. */
export async function consumeRecoveryCode(
  tx: Db,
  personId: string,
  code: string,
): Promise<boolean> {
  const usedRows = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.personId, personId),
        eq(recoveryCodes.codeHash, hashRecoveryCode(personId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id })
  return usedRows.length > 0
}
