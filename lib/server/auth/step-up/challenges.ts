import 'server-only'
import { createHash, randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'
import { and, count, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import {
  AppError,
  type StepUpChallenge,
  type StepUpMethod,
  type StepUpProofMethod,
  type StepUpSubject,
} from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { getOperation, type OperationId } from '@/lib/operations/operations'
import { recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { sha256 } from '@/lib/server/store/hashes'
import { factorEnrollments, stepUps } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'
import { findFactorSubstitutes } from './factor-substitutes'
import {
  createWebauthnOptions,
  type FactorKinds,
  getPasskeyHost,
  hasFactor,
  readFactorKinds,
} from './factors'

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

/** `id` is null if an earlier proof or a sign-in at the identity provider was recent enough. */
export type StepUpProof = { id: string | null; method: StepUpProofMethod; bound: BoundRequest }

/** Contains the id of the proof when the browser repeats a request after the proof. */
const proofHeader = 'step-up'

/** Headers that, with the input, define what a request does. A proof covers their values too. */
const boundHeaders = [
  'idempotency-key',
  'action-reason',
  'action-warnings',
  'action-proof',
  'snapshot-hash',
]

/** This hash binds a proof to its request. */
export function hashPayload(request: Request, input: Record<string, unknown>): string {
  const { pathname, search } = new URL(request.url)
  const boundHeaderValues = boundHeaders.map((name) => request.headers.get(name))
  return sha256(
    `paydesk-step-up-1\n${canonicalize([request.method, pathname, search, JSON.parse(JSON.stringify(input)), boundHeaderValues])}`,
  )
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

const isOwnChallenge = ({ id, sessionHash }: Pick<Actor, 'id' | 'sessionHash'>) =>
  and(eq(stepUps.personId, id), eq(stepUps.sessionHash, sessionHash))

/** The proof was given in this session and environment within `minutes`. */
async function findRecentProof(
  db: Db,
  { actor, environment }: BoundRequest,
  methods: readonly StepUpMethod[],
  minutes: number,
) {
  if (minutes === 0 || methods.length === 0) return null
  const [row] = await db
    .select({ method: stepUps.method })
    .from(stepUps)
    .where(
      and(
        isOwnChallenge(actor),
        eq(stepUps.environment, environment),
        inArray(stepUps.method, [...methods]),
        gt(stepUps.provenAt, sql`now() - make_interval(mins => ${minutes})`),
      ),
    )
    .limit(1)
  return row?.method ?? null
}

const noFactorText =
  'In production this needs a second factor, and you have none. Add a passkey or an authenticator app on Your profile, then try again'
const signInAgainText =
  'This needs a second factor, and you have none. Sign in again on Your profile, then add a passkey or an authenticator app there within ten minutes'
const noPasskeyHostText =
  'Your passkeys are bound to the host name of Paydesk, which is opened by a number now. Ask an admin to remove them'

/** True if a password or a recent sign-in suffices: in the sandbox, or to add the first factor. */
const canProveWithoutFactor = (kinds: FactorKinds, { environment, operation: id }: BoundRequest) =>
  !hasFactor(kinds) && (environment === 'sandbox' || getOperation(id).stepUp === 'enrollment')

function listProofMethods(
  kinds: FactorKinds,
  boundRequest: BoundRequest,
  hasPassword: boolean,
): StepUpMethod[] {
  const methods: StepUpMethod[] = []
  if (kinds.passkeys > 0 && getPasskeyHost() !== null) methods.push('passkey')
  if (kinds.totp) methods.push('totp')
  if (kinds.codes > 0) methods.push('recovery')
  if (methods.length > 0) return methods
  return hasPassword && canProveWithoutFactor(kinds, boundRequest) ? ['password'] : []
}

const recordProofFault = (
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
  await recordProofFault(boundRequest, fault)
  throw new AppError('step_up_needed', detail)
}

type ChallengeInput = { kinds: FactorKinds; methods: StepUpMethod[]; subject: StepUpSubject }

/**
 * Throws `step_up_needed`, without a challenge if the person has no method for a proof. Throws
 * `too_many` if the person requested too many challenges.
 */
async function throwChallenge(
  db: Db,
  boundRequest: BoundRequest,
  { kinds, methods, subject }: ChallengeInput,
  detail: string,
): Promise<never> {
  const { actor } = boundRequest
  if (methods.length === 0) {
    const whyText = canProveWithoutFactor(kinds, boundRequest) ? signInAgainText : noFactorText
    return refuseStepUp(boundRequest, 'no_factor', hasFactor(kinds) ? noPasskeyHostText : whyText)
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

/** Returns the fault as the audit row names it; null if the proof is valid for the request. */
function findProofFault(
  row: Challenge | undefined,
  { actor, environment, operation: id, payloadHash }: BoundRequest,
  isOld: boolean,
): string | null {
  if (!row || row.personId !== actor.id) return 'unknown'
  if (row.sessionHash !== actor.sessionHash) return 'other_session'
  if (row.environment !== environment || row.operation !== id || row.payloadHash !== payloadHash)
    return 'other_request'
  if (row.usedAt) return 'used'
  if (!row.provenAt || !row.method) return 'not_proven'
  return isOld ? 'expired' : null
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function checkStepUp(
  db: Db,
  id: string,
  boundRequest: BoundRequest,
): Promise<{ stepUp: StepUpProof } | { fault: string }> {
  const [foundRow] = uuidPattern.test(id)
    ? await db
        .select({ row: stepUps, isOld: sql<boolean>`${stepUps.expiresAt} <= now()` })
        .from(stepUps)
        .where(eq(stepUps.id, id))
    : []
  const fault = findProofFault(foundRow?.row, boundRequest, foundRow?.isOld ?? true)
  if (fault || !foundRow?.row.method) return { fault: fault ?? 'unknown' }
  return { stepUp: { id, method: foundRow.row.method, bound: boundRequest } }
}

const refusalTexts: Readonly<Record<string, string>> = {
  expired: 'That confirmation has expired. Nothing was sent: confirm once more',
  used: 'That confirmation was used already. Nothing was sent: confirm once more',
  other_request: 'That confirmation was for another request. Nothing was sent: confirm this one',
}

const toConfirmText = (id: OperationId) => `Required to ${getOperation(id).verbPhrase}.`

/** Shown in the step-up dialog. Without `operation`, the dialog shows the verb phrase. */
export type ChallengeSubject = Pick<StepUpSubject, 'amount' | 'payee'> & { operation?: string }

/** The proof may be `minutes` old; 0 requires a new proof for this request. */
export type NeededProof = ChallengeSubject & { minutes: number }

/**
 * Returns a recent proof, or one for this request, which `consumeStepUp` must then consume. Throws
 * `step_up_needed` with a challenge if there is no valid proof. An invalid proof gets an audit row.
 */
export async function requireStepUp(
  request: Request,
  boundRequest: BoundRequest,
  { minutes, ...named }: NeededProof,
): Promise<StepUpProof> {
  const db = await getDatabase()
  const kinds = await readFactorKinds(db, boundRequest.actor.id)
  const { password: hasPassword, ssoJustNow } = await findFactorSubstitutes(db, boundRequest.actor)
  const methods = listProofMethods(kinds, boundRequest, hasPassword)
  const { verbPhrase } = getOperation(boundRequest.operation)
  const challengeInput = {
    kinds,
    methods,
    subject: { person: boundRequest.actor.name, operation: verbPhrase, ...named },
  }
  const proofId = request.headers.get(proofHeader)
  if (proofId !== null) {
    const checkResult = await checkStepUp(db, proofId, boundRequest)
    if ('stepUp' in checkResult) return checkResult.stepUp
    await recordProofFault(boundRequest, checkResult.fault)
    return throwChallenge(
      db,
      boundRequest,
      challengeInput,
      refusalTexts[checkResult.fault] ?? toConfirmText(boundRequest.operation),
    )
  }
  if (ssoJustNow && canProveWithoutFactor(kinds, boundRequest))
    return { id: null, method: 'sso', bound: boundRequest }
  const proofMethod = await findRecentProof(db, boundRequest, methods, minutes)
  return proofMethod
    ? { id: null, method: proofMethod, bound: boundRequest }
    : throwChallenge(db, boundRequest, challengeInput, toConfirmText(boundRequest.operation))
}

/**
 * Must run in the transaction of the request. Throws `step_up_needed` if another request consumed
 * the proof, or if it expired.
 */
export async function consumeStepUp(tx: Db, { id, bound }: StepUpProof): Promise<void> {
  if (id === null) return
  const usedRows = await tx
    .update(stepUps)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(stepUps.id, id),
        isOwnChallenge(bound.actor),
        eq(stepUps.payloadHash, bound.payloadHash),
        isNull(stepUps.usedAt),
        sql`${stepUps.provenAt} is not null`,
        gt(stepUps.expiresAt, sql`now()`),
      ),
    )
    .returning({ id: stepUps.id })
  if (usedRows.length > 0) return
  throw new AppError(
    'step_up_needed',
    'That confirmation was used already or has expired. Nothing was sent: try again',
  )
}

/** Called when the person's factors change. */
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
