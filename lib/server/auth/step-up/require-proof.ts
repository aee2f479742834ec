import 'server-only'
import canonicalize from 'canonicalize'
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import {
  AppError,
  type StepUpMethod,
  type StepUpProofMethod,
  type StepUpSubject,
} from '@/lib/errors'
import { getOperation, type OperationId } from '@/lib/operations/operations'
import type { Actor } from '@/lib/server/auth/session-rows'
import { sha256 } from '@/lib/server/store/hashes'
import { stepUps } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import {
  auditRefusedStepUp,
  type BoundRequest,
  type Challenge,
  canProveWithoutFactor,
  listProofMethods,
  throwChallenge,
} from './challenges'
import { findFactorSubstitutes } from './factor-substitutes'
import { readFactorCounts } from './factors'

/** `id` is null if an earlier proof or a sign-in at the identity provider was recent enough. */
export type StepUpProof = { id: string | null; method: StepUpProofMethod; bound: BoundRequest }

/** Contains the id of the proof when the browser repeats a request after the proof. */
const proofHeader = 'step-up'

/** Headers that, with the input, define what a request does. A proof covers their values too. */
const proofBoundHeaderNames = [
  'idempotency-key',
  'action-reason',
  'action-warnings',
  'action-proof',
  'snapshot-hash',
]

/** This hash binds a proof to its request. */
export function hashPayload(request: Request, input: Record<string, unknown>): string {
  const { pathname, search } = new URL(request.url)
  const boundHeaderValues = proofBoundHeaderNames.map((name) => request.headers.get(name))
  return sha256(
    `paydesk-step-up-1\n${canonicalize([request.method, pathname, search, JSON.parse(JSON.stringify(input)), boundHeaderValues])}`,
  )
}

const buildOwnChallengeCondition = ({ id, sessionHash }: Pick<Actor, 'id' | 'sessionHash'>) =>
  and(eq(stepUps.personId, id), eq(stepUps.sessionHash, sessionHash))

/**
 * Returns the method of a proof that was given in this session and environment within the last
 * `minutes`; null if there is none.
 */
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
        buildOwnChallengeCondition(actor),
        eq(stepUps.environment, environment),
        inArray(stepUps.method, [...methods]),
        gt(stepUps.provenAt, sql`now() - make_interval(mins => ${minutes})`),
      ),
    )
    .limit(1)
  return row?.method ?? null
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

async function verifyStepUpProof(
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

const refusalTextByFault: Readonly<Record<string, string>> = {
  expired: 'That confirmation has expired. Nothing was sent: confirm once more',
  used: 'That confirmation was used already. Nothing was sent: confirm once more',
  other_request: 'That confirmation was for another request. Nothing was sent: confirm this one',
}

const toRequirementText = (id: OperationId) => `Required to ${getOperation(id).verbPhrase}.`

/**
 * Texts of the step-up dialog. Without `operation`, it shows the verb phrase from the operation's
 * definition.
 */
export type ChallengeSubject = Pick<StepUpSubject, 'amount' | 'payee'> & { operation?: string }

/** The proof may be `minutes` old; 0 requires a new proof for this request. */
export type ProofRequirement = ChallengeSubject & { minutes: number }

/**
 * Returns a recent proof, or one for this request, which `consumeStepUp` must then consume. Throws
 * `step_up_needed` with a challenge if there is no valid proof. An invalid proof gets an audit row.
 */
export async function requireStepUp(
  request: Request,
  boundRequest: BoundRequest,
  { minutes, ...named }: ProofRequirement,
): Promise<StepUpProof> {
  const db = await getDatabase()
  const factorCounts = await readFactorCounts(db, boundRequest.actor.id)
  const { password: hasPassword, ssoJustNow } = await findFactorSubstitutes(db, boundRequest.actor)
  const proofMethods = listProofMethods(factorCounts, boundRequest, hasPassword)
  const { verbPhrase } = getOperation(boundRequest.operation)
  const challengeInput = {
    kinds: factorCounts,
    methods: proofMethods,
    subject: { person: boundRequest.actor.name, operation: verbPhrase, ...named },
  }
  const proofId = request.headers.get(proofHeader)
  if (proofId !== null) {
    const verificationResult = await verifyStepUpProof(db, proofId, boundRequest)
    if ('stepUp' in verificationResult) return verificationResult.stepUp
    await auditRefusedStepUp(boundRequest, verificationResult.fault)
    return throwChallenge(
      db,
      boundRequest,
      challengeInput,
      refusalTextByFault[verificationResult.fault] ?? toRequirementText(boundRequest.operation),
    )
  }
  if (ssoJustNow && canProveWithoutFactor(factorCounts, boundRequest))
    return { id: null, method: 'sso', bound: boundRequest }
  const proofMethod = await findRecentProof(db, boundRequest, proofMethods, minutes)
  return proofMethod
    ? { id: null, method: proofMethod, bound: boundRequest }
    : throwChallenge(db, boundRequest, challengeInput, toRequirementText(boundRequest.operation))
}

/**
 * Must run in the transaction of the request. Throws `step_up_needed` if another request consumed
 * the proof, or if it expired.
 */
export async function consumeStepUp(tx: Db, { id, bound }: StepUpProof): Promise<void> {
  if (id === null) return
  const consumedProofRows = await tx
    .update(stepUps)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(stepUps.id, id),
        buildOwnChallengeCondition(bound.actor),
        eq(stepUps.payloadHash, bound.payloadHash),
        isNull(stepUps.usedAt),
        sql`${stepUps.provenAt} is not null`,
        gt(stepUps.expiresAt, sql`now()`),
      ),
    )
    .returning({ id: stepUps.id })
  if (consumedProofRows.length > 0) return
  throw new AppError(
    'step_up_needed',
    'That confirmation was used already or has expired. Nothing was sent: try again',
  )
}
