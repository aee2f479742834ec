import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { Proof } from '@/lib/operations/payment-input.schema'
import { log } from '@/lib/server/log'
import { currentKeyId, decrypt, encrypt, isKnownKey, isLostKey, keyIdOf, UnknownKey } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { type Db, database } from '@/lib/server/store/store'

/** Rows per batch, and the pause between batches (milliseconds), so that a large store is not blocked. */
const batch = 200
const pauseMs = 20

const proofAad = (actionId: string): string => `actions/${actionId}/proof`

export const encryptProof = (actionId: string, proof: Proof): Buffer => encrypt(Buffer.from(JSON.stringify(proof)), proofAad(actionId))

type Row = { id: string; proof: Buffer | null }

/** Returns the decrypted proof of authorization; null if there was none or a deletion removed it; `unreadable` if decryption fails. */
export function proofIn({ id, proof }: Row): Proof | 'unreadable' | null {
  if (!proof) return null
  try {
    return JSON.parse(decrypt(proof, proofAad(id)).toString('utf8')) as Proof
  } catch {
    log.warn({ event: 'action.proof_unreadable', action_id: id })
    return 'unreadable'
  }
}

async function* proofs(db: Db, environment?: Environment): AsyncGenerator<Row[]> {
  let after: string | undefined
  for (;;) {
    const rows = await db
      .select({ id: actions.id, proof: actions.proof })
      .from(actions)
      .where(
        and(
          isNotNull(actions.proof),
          environment ? eq(actions.environment, environment) : undefined,
          after ? gt(actions.id, after) : undefined,
        ),
      )
      .orderBy(actions.id)
      .limit(batch)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.id
  }
}

/**
 * Re-encrypts proofs of authorization with the current key, in batches. They are stored for years, and a rotated key must no longer be
 * needed. Skips a row that changes at the same time.
 */
export async function renewProofs(): Promise<void> {
  const db = await database()
  for await (const rows of proofs(db)) {
    for (const row of rows) {
      const storedProof = row.proof && keyIdOf(row.proof) !== currentKeyId() && proofIn(row)
      if (!storedProof || storedProof === 'unreadable') continue
      await db
        .update(actions)
        .set({ proof: encryptProof(row.id, storedProof) })
        .where(and(eq(actions.id, row.id), eq(actions.proof, row.proof as Buffer)))
    }
    await pause(pauseMs)
  }
}

/** Returns the ids of encryption keys that proofs need but that are neither configured nor declared lost, with row counts. */
export async function proofKeysMissing(db: Db): Promise<Map<string, number>> {
  const keyId = sql<string>`encode(substring(${actions.proof} from 5 for 4), 'hex')`
  const rows = await db.select({ keyId, count: sql<number>`count(*)::int` }).from(actions).where(isNotNull(actions.proof)).groupBy(keyId)
  return new Map(rows.filter(({ keyId: id }) => !isKnownKey(id) && !isLostKey(new UnknownKey(id))).map((row) => [row.keyId, row.count]))
}

/** Returns the proof with `removed` in place of each text that contains one of the words; null if no text does. */
function without(proof: Proof, words: readonly string[], removed: string): Proof | null {
  const holds = (text = '') => words.some((word) => text.toLowerCase().includes(word.toLowerCase()))
  const { authorized_by, note } = proof
  if (!holds(authorized_by) && !holds(note)) return null
  return { ...proof, authorized_by: holds(authorized_by) ? removed : authorized_by, ...(holds(note) ? { note: removed } : {}) }
}

/**
 * Redacts proofs of authorization: each text that contains one of the words becomes `removed`. Decrypts every proof, because encrypted text
 * cannot be searched. Returns the number of changed proofs.
 */
export async function purgeProofs(tx: Db, environment: Environment, words: readonly string[], removed: string): Promise<number> {
  let changed = 0
  for await (const rows of proofs(tx, environment)) {
    for (const row of rows) {
      const storedProof = proofIn(row)
      const redactedProof = storedProof && storedProof !== 'unreadable' ? without(storedProof, words, removed) : null
      if (!redactedProof) continue
      const proof = encryptProof(row.id, redactedProof)
      await tx.update(actions).set({ proof }).where(eq(actions.id, row.id))
      changed += 1
    }
  }
  return changed
}
