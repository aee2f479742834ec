import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { AuthorizationDetails } from '@/lib/operations/payment-input.schema'
import { log } from '@/lib/server/log'
import {
  decrypt,
  encrypt,
  getCurrentKeyId,
  isKnownKey,
  isLostKeyError,
  readKeyId,
  UnknownKeyError,
} from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'

/** Small batches do not block other queries. */
const batchSize = 200
const pauseBetweenBatchesMs = 20

const toAuthorizationDetailsAad = (actionId: string): string => `actions/${actionId}/proof`

export const encryptAuthorizationDetails = (
  actionId: string,
  proof: AuthorizationDetails,
): Buffer => encrypt(Buffer.from(JSON.stringify(proof)), toAuthorizationDetailsAad(actionId))

type ProofRow = { id: string; proof: Buffer | null }

export function decryptAuthorizationDetails({
  id,
  proof,
}: ProofRow): AuthorizationDetails | 'unreadable' | null {
  if (!proof) return null
  try {
    return JSON.parse(
      decrypt(proof, toAuthorizationDetailsAad(id)).toString('utf8'),
    ) as AuthorizationDetails
  } catch {
    log.warn({ event: 'action.proof_unreadable', action_id: id })
    return 'unreadable'
  }
}

async function* readProofBatches(db: Db, environment?: Environment): AsyncGenerator<ProofRow[]> {
  let lastId: string | undefined
  for (;;) {
    const proofRows = await db
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
    if (proofRows.length === 0) return
    yield proofRows
    lastId = proofRows.at(-1)?.id
  }
}

/**
 * Encrypts all proofs with the current key: they are stored for years, and an old key must not be
 * needed that long. Skips a row that changes at the same time.
 */
export async function reencryptAuthorizationDetails(): Promise<void> {
  const db = await getDatabase()
  for await (const rows of readProofBatches(db)) {
    for (const row of rows) {
      const storedProof =
        row.proof && readKeyId(row.proof) !== getCurrentKeyId() && decryptAuthorizationDetails(row)
      if (!storedProof || storedProof === 'unreadable') continue
      await db
        .update(actions)
        .set({ proof: encryptAuthorizationDetails(row.id, storedProof) })
        .where(and(eq(actions.id, row.id), eq(actions.proof, row.proof as Buffer)))
    }
    await pause(pauseBetweenBatchesMs)
  }
}

/** Counts the proofs of each encryption key that is neither configured nor declared lost. */
export async function countMissingProofKeys(db: Db): Promise<Map<string, number>> {
  const keyId = sql<string>`encode(substring(${actions.proof} from 5 for 4), 'hex')`
  const keyCountRows = await db
    .select({ keyId, count: sql<number>`count(*)::int` })
    .from(actions)
    .where(isNotNull(actions.proof))
    .groupBy(keyId)
  return new Map(
    keyCountRows
      .filter(({ keyId: id }) => !isKnownKey(id) && !isLostKeyError(new UnknownKeyError(id)))
      .map((row) => [row.keyId, row.count]),
  )
}

/** Null if no text contains one of the words. */
function redactWords(
  proof: AuthorizationDetails,
  words: readonly string[],
  replacementText: string,
): AuthorizationDetails | null {
  const hasWord = (text = '') =>
    words.some((word) => text.toLowerCase().includes(word.toLowerCase()))
  const { authorized_by, note } = proof
  if (!hasWord(authorized_by) && !hasWord(note)) return null
  return {
    ...proof,
    authorized_by: hasWord(authorized_by) ? replacementText : authorized_by,
    ...(hasWord(note) ? { note: replacementText } : {}),
  }
}

/** Decrypts every proof: encrypted text cannot be searched. Returns the number of changes. */
export async function redactAuthorizationDetails(
  tx: Db,
  environment: Environment,
  words: readonly string[],
  replacementText: string,
): Promise<number> {
  let changedCount = 0
  for await (const rows of readProofBatches(tx, environment)) {
    for (const row of rows) {
      const storedProof = decryptAuthorizationDetails(row)
      const redactedProof =
        storedProof && storedProof !== 'unreadable'
          ? redactWords(storedProof, words, replacementText)
          : null
      if (!redactedProof) continue
      const encryptedProof = encryptAuthorizationDetails(row.id, redactedProof)
      await tx.update(actions).set({ proof: encryptedProof }).where(eq(actions.id, row.id))
      changedCount += 1
    }
  }
  return changedCount
}
