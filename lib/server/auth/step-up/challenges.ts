import 'server-only'
import { createHash, randomBytes } from 'node:crypto'
import { and, count, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { AppError, type StepUpChallenge, type StepUpMethod, type StepUpSubject } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { getOperation, type OperationId } from '@/lib/operations/operations'
import { recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { factorEnrollments, stepUps } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'
import { createWebauthnOptions, type FactorCounts, getPasskeyHost, hasFactor } from './factors'

export type Challenge = typeof stepUps.$inferSelect

/**
 * A request that needs a step-up proof (a second factor's confirmation). `payloadHash` covers all
 * that the request would do.
 */
export type BoundRequest = {
  actor: Actor
  environment: Environment
  operation: OperationId
  payloadHash: string
}

export const toWebauthnChallenge = ({
  operation: purpose,
  id,
  payloadHash,
  nonce,
}: Challenge): string =>
  createHash('sha256').update([purpose, id, payloadHash, nonce].join('\n')).digest('base64url')

/** Maximum challenges of a person within two minutes, used or not. */
const maxOpenChallenges = 300

const noFactorText =
  'In production this needs a second factor, and you have none. Add a passkey or an authenticator app on Your profile, then try again'
const signInAgainText =
  'This needs a second factor, and you have none. Sign in again on Your profile, then add a passkey or an authenticator app there within ten minutes'
const noPasskeyHostText =
  'Your passkeys are bound to the host name of Paydesk, which is opened by a number now. Ask an admin to remove them'

/**
 * True for a person without a second factor in the sandbox, or when adding the first factor. Then a
 * password or a recent sign-in suffices.
 */
export const canProveWithoutFactor = (
  kinds: FactorCounts,
  { environment, operation: id }: BoundRequest,
): boolean =>
  !hasFactor(kinds) && (environment === 'sandbox' || getOperation(id).stepUp === 'enrollment')

export function listProofMethods(
  kinds: FactorCounts,
  boundRequest: BoundRequest,
  hasPassword: boolean,
): StepUpMethod[] {
  const proofMethods: StepUpMethod[] = []
  if (kinds.passkeys > 0 && getPasskeyHost() !== null) proofMethods.push('passkey')
  if (kinds.totp) proofMethods.push('totp')
  if (kinds.codes > 0) proofMethods.push('recovery')
  if (proofMethods.length > 0) return proofMethods
  return hasPassword && canProveWithoutFactor(kinds, boundRequest) ? ['password'] : []
}

export const auditRefusedStepUp = (
  { actor, environment, operation: purpose }: BoundRequest,
  fault: string,
) =>
  recordAudit({
    code: 'step_ups.use.refused',
    ...toActorFields(actor),
    environment,
    purpose,
    fault,
  })

async function refuseStepUp(
  boundRequest: BoundRequest,
  fault: string,
  detail: string,
): Promise<never> {
  await auditRefusedStepUp(boundRequest, fault)
  throw new AppError('step_up_needed', detail)
}

type ChallengeInput = { kinds: FactorCounts; methods: StepUpMethod[]; subject: StepUpSubject }

/**
 * Throws `step_up_needed`, without a challenge if the person has no method for a proof. Throws
 * `too_many` if the person requested too many challenges.
 */
export async function throwChallenge(
  db: Db,
  boundRequest: BoundRequest,
  { kinds, methods, subject }: ChallengeInput,
  detail: string,
): Promise<never> {
  const { actor } = boundRequest
  if (methods.length === 0) {
    const missingFactorText = canProveWithoutFactor(kinds, boundRequest)
      ? signInAgainText
      : noFactorText
    return refuseStepUp(
      boundRequest,
      'no_factor',
      hasFactor(kinds) ? noPasskeyHostText : missingFactorText,
    )
  }
  const [openRow] = await db
    .select({ count: count() })
    .from(stepUps)
    .where(
      and(eq(stepUps.personId, actor.id), gt(stepUps.createdAt, sql`now() - interval '2 minutes'`)),
    )
  if ((openRow?.count ?? 0) >= maxOpenChallenges) {
    throw new AppError(
      'too_many',
      'Too many confirmations were asked for at once. Nothing was sent: try again in a minute',
      {
        retryAfter: 60,
      },
    )
  }
  const [row] = await db
    .insert(stepUps)
    .values({
      personId: actor.id,
      sessionHash: actor.sessionHash,
      environment: boundRequest.environment,
      operation: boundRequest.operation,
      payloadHash: boundRequest.payloadHash,
      nonce: randomBytes(32).toString('base64url'),
      expiresAt: sql`now() + interval '2 minutes'`,
    })
    .returning()
  if (!row) throw new Error('the challenge was not kept')
  const webauthnOptions = methods.includes('passkey')
    ? await createWebauthnOptions(db, actor.id, toWebauthnChallenge(row))
    : null
  const stepUp: StepUpChallenge = {
    challenge: row.id,
    methods,
    webauthn: webauthnOptions,
    expires_at: row.expiresAt.toISOString(),
    subject,
  }
  throw new AppError('step_up_needed', detail, { stepUp })
}

/**
 * Called when the person's factors change, because open challenges and enrollments belong to the
 * earlier factors.
 */
export async function deleteStepUps(tx: Db, personId: string): Promise<void> {
  await tx.delete(stepUps).where(eq(stepUps.personId, personId))
  await tx.delete(factorEnrollments).where(eq(factorEnrollments.personId, personId))
}

const retentionStart = sql`now() - interval '1 hour'`

async function pruneChallenges(): Promise<number> {
  const db = await getDatabase()
  const expiredIds = db
    .select({ id: stepUps.id })
    .from(stepUps)
    .where(lt(stepUps.expiresAt, retentionStart))
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  return (
    await db.delete(stepUps).where(inArray(stepUps.id, expiredIds)).returning({ id: stepUps.id })
  ).length
}

async function pruneEnrollments(): Promise<number> {
  const db = await getDatabase()
  const expiredEnrollmentIds = db
    .select({ id: factorEnrollments.id })
    .from(factorEnrollments)
    .where(lt(factorEnrollments.expiresAt, retentionStart))
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  return (
    await db
      .delete(factorEnrollments)
      .where(inArray(factorEnrollments.id, expiredEnrollmentIds))
      .returning({ id: factorEnrollments.id })
  ).length
}

export const startStepUpPruning = () =>
  startPruning('step_ups', [pruneChallenges, pruneEnrollments])
