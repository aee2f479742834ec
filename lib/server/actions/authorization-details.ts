import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { AuthorizationDetails } from '@/lib/operations/payment-input.schema'
import { log } from '@/lib/server/log'
import { decrypt, encrypt, getCurrentKeyId, isKnownKey, isLostKey, readKeyId, UnknownKeyError } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { type Db, database } from '@/lib/server/store/store'

/** Rows per batch, and the pause between batches (milliseconds), so that a large store is not blocked. */
const batchSize = 200
const pauseMs = 20

const toDetailsAad = (actionId: string): string => `actions/${actionId}/proof`

export const encryptAuthorizationDetails = (actionId: string, proof: AuthorizationDetails): Buffer =>
  encrypt(Buffer.from(JSON.stringify(proof)), toDetailsAad(actionId))

type ProofRow = { id: string; proof: Buffer | null }

/** Returns the decrypted proof of authorization; null if there was none or a deletion removed it; `unreadable` if decryption fails. */
export function decryptAuthorizationDetails({ id, proof }: ProofRow): AuthorizationDetails | 'unreadable' | null {
  if (!proof) return null
  try {
    return JSON.parse(decrypt(proof, toDetailsAad(id)).toString('utf8')) as AuthorizationDetails
  } catch {
    log.warn({ event: 'action.proof_unreadable', action_id: id })
    return 'unreadable'
  }
}

async function* readProofBatches(db: Db, environment?: Environment): AsyncGenerator<ProofRow[]> {
  let lastId: string | undefined
  for (;;) {
    const rows = await db
      .select({ id: actions.id, proof: actions.proof })
      .from(actions)
      .where(
        and(
          isNotNull(actions.proof),
          environment ? eq(actions.environment, environment) : undefined,
          lastId ? gt(actions.id, lastId) : undefined,
        ),
      )
      .orderBy(actions.id)
      .limit(batchSize)
    if (rows.length === 0) return
    yield rows
    lastId = rows.at(-1)?.id
  }
}

/**
 * Re-encrypts proofs of authorization with the current key, in batches. They are stored for years, and a rotated key must no longer be
 * needed. Skips a row that changes at the same time.
 */
export async function renewAuthorizationDetails(): Promise<void> {
  const db = await database()
  for await (const rows of readProofBatches(db)) {
    for (const row of rows) {
      const storedProof = row.proof && readKeyId(row.proof) !== getCurrentKeyId() && decryptAuthorizationDetails(row)
      if (!storedProof || storedProof === 'unreadable') continue
      await db
        .update(actions)
        .set({ proof: encryptAuthorizationDetails(row.id, storedProof) })
        .where(and(eq(actions.id, row.id), eq(actions.proof, row.proof as Buffer)))
    }
    await pause(pauseMs)
  }
}

/** Returns the ids of encryption keys that proofs need but that are neither configured nor declared lost, with row counts. */
export async function countMissingProofKeys(db: Db): Promise<Map<string, number>> {
  const keyId = sql<string>`encode(substring(${actions.proof} from 5 for 4), 'hex')`
  const rows = await db.select({ keyId, count: sql<number>`count(*)::int` }).from(actions).where(isNotNull(actions.proof)).groupBy(keyId)
  return new Map(
    rows.filter(({ keyId: id }) => !isKnownKey(id) && !isLostKey(new UnknownKeyError(id))).map((row) => [row.keyId, row.count]),
  )
}

/** Returns the proof with `removed` in place of each text that contains one of the words; null if no text does. */
function redactWords(proof: AuthorizationDetails, words: readonly string[], removed: string): AuthorizationDetails | null {
  const hasWord = (text = '') => words.some((word) => text.toLowerCase().includes(word.toLowerCase()))
  const { authorized_by, note } = proof
  if (!hasWord(authorized_by) && !hasWord(note)) return null
  return { ...proof, authorized_by: hasWord(authorized_by) ? removed : authorized_by, ...(hasWord(note) ? { note: removed } : {}) }
}

/**
 * Redacts proofs of authorization: each text that contains one of the words becomes `removed`. Decrypts every proof, because encrypted text
 * cannot be searched. Returns the number of changed proofs.
 */
export async function redactAuthorizationDetails(
  tx: Db,
  environment: Environment,
  words: readonly string[],
  removed: string,
): Promise<number> {
  let changedCount = 0
  for await (const rows of readProofBatches(tx, environment)) {
    for (const row of rows) {
      const storedProof = decryptAuthorizationDetails(row)
      const redactedProof = storedProof && storedProof !== 'unreadable' ? redactWords(storedProof, words, removed) : null
      if (!redactedProof) continue
      const proof = encryptAuthorizationDetails(row.id, redactedProof)
      await tx.update(actions).set({ proof }).where(eq(actions.id, row.id))
      changedCount += 1
    }
  }
  return changedCount
}
