import 'server-only'
import {
  type AuthenticationResponseJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { AppError, type StepUpMethod } from '@/lib/errors'
import type { OperationId } from '@/lib/operations/operations'
import { maxStepUpTries, type stepUpSchemas } from '@/lib/operations/step-up'
import { type AuditEntry, appendAudit, recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { passkeys, stepUps } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { type Challenge, toWebauthnChallenge } from './challenges'
import { getPasskeyHost, hasFactor, readFactorCounts } from './factors'
import { consumeRecoveryCode } from './recovery-codes'
import { consumeTotpCode } from './totp'
import { countStepUpTry, forgetStepUpTries, isOwnPassword } from './tries'

export type ProveInput = z.output<(typeof stepUpSchemas)['step_ups.prove']['input']>

const createChallengeEndedError = () =>
  new AppError('changed', 'This confirmation has expired. Nothing was sent: confirm once more')

const buildOpenChallengeCondition = (actor: Actor, id: string) =>
  and(
    eq(stepUps.id, id),
    eq(stepUps.personId, actor.id),
    eq(stepUps.sessionHash, actor.sessionHash),
    isNull(stepUps.provenAt),
    isNull(stepUps.usedAt),
    gt(stepUps.expiresAt, sql`now()`),
    lt(stepUps.tries, maxStepUpTries),
  )

/**
 * Counts before any check, so that parallel guesses count like sequential ones. Throws `changed` if
 * the challenge ended.
 */
async function recordChallengeTry(db: Db, actor: Actor, id: string): Promise<Challenge> {
  const [row] = await db
    .update(stepUps)
    .set({ tries: sql`${stepUps.tries} + 1` })
    .where(buildOpenChallengeCondition(actor, id))
    .returning()
  if (!row) throw createChallengeEndedError()
  return row
}

/** The signature must come from our own pages, with user verification and an increased counter. */
async function isSignedByPasskey(
  tx: Db,
  actor: Actor,
  row: Challenge,
  passkeyResponse: ProveInput['passkey'],
): Promise<boolean> {
  const rpId = getPasskeyHost()
  if (!passkeyResponse || rpId === null) return false
  const [key] = await tx
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.credentialId, passkeyResponse.id), eq(passkeys.personId, actor.id)))
  if (!key) return false
  const verification = await verifyAuthenticationResponse({
    response: passkeyResponse as unknown as AuthenticationResponseJSON,
    expectedChallenge: toWebauthnChallenge(row),
    expectedOrigin: env().appOrigin,
    expectedRPID: rpId,
    credential: {
      id: key.credentialId,
      publicKey: new Uint8Array(key.publicKey),
      counter: key.counter,
    },
    requireUserVerification: true,
  }).catch(() => null)
  if (!verification?.verified) return false
  const signatureCounter = verification.authenticationInfo.newCounter
  const updatedKeys = await tx
    .update(passkeys)
    .set({ counter: signatureCounter, lastUsedAt: sql`now()` })
    // A lower counter can come from a copied authenticator. An authenticator without a counter
    // always sends 0.
    .where(
      and(
        eq(passkeys.id, key.id),
        or(
          lt(passkeys.counter, signatureCounter),
          sql`${passkeys.counter} = 0 and ${signatureCounter}::bigint = 0`,
        ),
      ),
    )
    .returning({ id: passkeys.id })
  return updatedKeys.length > 0
}

/**
 * The checks that run inside the transaction. A password is checked before it, because that check
 * is slow on purpose.
 */
type ProofChecks = Readonly<Record<Exclude<StepUpMethod, 'password'>, (tx: Db) => Promise<boolean>>>

const toProofAuditEntry = (
  actor: Actor,
  row: Challenge,
  outcome: 'applied' | 'refused',
  method: StepUpMethod,
): AuditEntry => ({
  code: `step_ups.prove.${outcome}`,
  ...toActorFields(actor),
  environment: row.environment,
  purpose: row.operation as OperationId,
  step_up: method,
})

const fieldByMethod: Readonly<Record<StepUpMethod, string>> = {
  passkey: 'passkey',
  totp: 'code',
  recovery: 'code',
  password: 'password',
}
const wrongProofTexts: Readonly<Record<StepUpMethod, string>> = {
  passkey: 'The passkey did not confirm this request',
  totp: 'The code is wrong or was used already',
  recovery: 'The recovery code is wrong or was used already',
  password: 'The password is wrong',
}

async function refuseProof(
  actor: Actor,
  challenge: Challenge,
  method: StepUpMethod,
): Promise<never> {
  await recordAudit(toProofAuditEntry(actor, challenge, 'refused', method))
  const triesLeft = maxStepUpTries - challenge.tries
  const triesText =
    triesLeft === 0
      ? 'No tries left: start again.'
      : `${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`
  const refusedProofText = `${wrongProofTexts[method]}. ${triesText}`
  throw new AppError('invalid_input', refusedProofText, {
    items: [{ reference: fieldByMethod[method], detail: refusedProofText }],
  })
}

/**
 * Returns false if the proof is wrong. Throws `changed` if the challenge expired or was already
 * proven; then everything that `check` wrote is rolled back.
 */
async function settleChallenge(
  actor: Actor,
  row: Challenge,
  method: StepUpMethod,
  check: (tx: Db) => Promise<boolean>,
): Promise<boolean> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    if (!(await check(tx))) return false
    const provenRows = await tx
      .update(stepUps)
      .set({ provenAt: sql`now()`, method })
      .where(
        and(eq(stepUps.id, row.id), isNull(stepUps.provenAt), gt(stepUps.expiresAt, sql`now()`)),
      )
      .returning({ id: stepUps.id })
    if (provenRows.length === 0) throw createChallengeEndedError()
    await appendAudit(tx, toProofAuditEntry(actor, row, 'applied', method))
    return true
  })
}

/**
 * Every try gets an audit row. Throws `invalid_input` with the field for a wrong proof, and
 * `forbidden` for a password of a person with a second factor. Throws `changed` if the challenge
 * ended, belongs to another person or session, or had five tries, and `too_many` if the person
 * tried too often with any challenge.
 */
export async function proveStepUp(
  actor: Actor,
  { id, method, code = '', password = '', passkey }: ProveInput,
): Promise<{ id: string; method: StepUpMethod }> {
  const db = await getDatabase()
  await countStepUpTry(actor)
  const challenge = await recordChallengeTry(db, actor, id)
  const factorCounts = await readFactorCounts(db, actor.id)
  if (method === 'password' && hasFactor(factorCounts))
    throw new AppError('forbidden', 'You have a second factor: confirm with that')
  const isPasswordRight = method === 'password' && (await isOwnPassword(actor, password))
  const proofCheckByMethod: ProofChecks = {
    passkey: (tx) => isSignedByPasskey(tx, actor, challenge, passkey),
    totp: (tx) => consumeTotpCode(tx, actor.id, code),
    recovery: (tx) => consumeRecoveryCode(tx, actor.id, code),
  }
  const checkProof =
    method === 'password' ? async () => isPasswordRight : proofCheckByMethod[method]
  if (!(await settleChallenge(actor, challenge, method, checkProof)))
    return refuseProof(actor, challenge, method)
  await forgetStepUpTries(actor)
  return { id, method }
}
