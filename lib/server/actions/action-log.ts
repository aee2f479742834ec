import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, eq, gte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import { parseReason } from '@/lib/domain/reasons'
import { formatWarning, toWarningName, type Warning } from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import type { AuthorizationDetails } from '@/lib/operations/payment-input.schema'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { type AuditEntry, appendAudit, type OperationEvent } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { consumeStepUp, type StepUpProof } from '@/lib/server/auth/step-up/require-proof'
import { getIntegration } from '@/lib/server/config/integration'
import { getKeyFingerprint } from '@/lib/server/service/client'
import { encrypt } from '@/lib/server/store/encryption'
import { sha256 } from '@/lib/server/store/hashes'
import { buildNotifySql } from '@/lib/server/store/notifications'
import { type AppliedRule, actions } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { encryptAuthorizationDetails } from './authorization-details'
import { extractIds, toBodyAad } from './erase'
import type { Payload } from './payloads'
import { requireWriteQuota } from './quotas'
import { toSeenObjectAad } from './seen-objects'

export const instanceId: string = randomUUID()

/** Seconds until a lease ends: the most seconds of a send, plus a margin for the commit. */
const leaseSeconds = { write: 45, upload: 75 }

/** Uses the database clock, because the clocks of instances can differ. */
export const toLeaseEnd = (kind: keyof typeof leaseSeconds): SQL<Date> =>
  sql<Date>`now() + make_interval(secs => ${leaseSeconds[kind]})`

export type Action = typeof actions.$inferSelect

/** `body` has the exact bytes to send. */
export type NewAction = {
  id: string
  operation: ServiceOperationId
  scope: ScopedAccount
  actor: Actor
  /** `<resource>/<id>` of the object to change; null for a creation. */
  target: string | null
  key: string
  correlationId: string
  fingerprint: string
  method: string
  /** Path at the service, starting with `/v1`. */
  path: string
  contentType: string
  body: Buffer | Payload
  proof: AuthorizationDetails | null
  bodySha256: string
  reason: string | null
  warnings: readonly Warning[]
  snapshotHash: string | null
  /** Database time just before the target was read for comparison; null if it was not compared. */
  comparedAt: Date | null
  /** The target as it was read at `comparedAt`. */
  seen: unknown
  /** Cents that count toward the requester's daily total; null if it moves no amount. */
  moved: number | null
  /** The approval rule that requires a second person; null if none does. */
  rule: AppliedRule | null
  /** Null if the operation requires no proof. Recording the action uses the proof up. */
  stepUp: StepUpProof | null
}

/** `known`: the idempotency key already has an action. `blocked`: the target has an open action. */
export type RecordActionResult = { kind: 'opened' | 'known' | 'blocked'; action: Action }

/** Writes additional rows in the transaction that records an action. */
export type ExtraRowsWriter = (tx: Db, action: Action) => Promise<void>

/** The entry has only the code and a hash of the reason, because the text may contain a name. */
export function toAuditEntry(action: Action, outcome: OperationEvent): AuditEntry {
  const parsedReason = action.reason ? parseReason(action.reason) : null
  return {
    code: `${action.operation as ServiceOperationId}.${outcome}`,
    actor: action.actorId,
    session: action.sessionHash,
    environment: action.environment,
    account: action.accountId,
    target: action.target,
    action: action.id,
    idempotency_key: action.idempotencyKey,
    correlation_id: action.correlationId,
    body_sha256: action.bodySha256,
    snapshot: action.snapshotHash,
    ...(action.warnings ? { warnings: action.warnings.map(({ code }) => code) } : {}),
    ...(action.rule ? { policy: action.rule.version } : {}),
    ...(action.reason
      ? { reason_code: parsedReason?.code ?? 'NONE', reason_sha256: sha256(action.reason) }
      : {}),
  }
}

export async function findActionByKey(db: Db, key: string): Promise<Action | null> {
  const [row] = await db.select().from(actions).where(eq(actions.idempotencyKey, key))
  return row ?? null
}

const approvalEnd = sql<Date>`now() + interval '24 hours'`

export const toLeaseColumns = (kind: keyof typeof leaseSeconds) =>
  ({ state: 'sending', leaseOwner: instanceId, leaseUntil: toLeaseEnd(kind) }) satisfies Partial<
    PgInsertValue<typeof actions>
  >

/** The bytes of a file are in their own table. */
const toBodyColumns = ({ id, body }: NewAction) =>
  Buffer.isBuffer(body)
    ? { body: encrypt(body, toBodyAad(id)), mentions: extractIds(body.toString('utf8')) }
    : { body: null, mentions: [] }

function toActionRow(newAction: NewAction): PgInsertValue<typeof actions> {
  const payloadFile = Buffer.isBuffer(newAction.body) ? null : newAction.body
  return {
    id: newAction.id,
    environment: newAction.scope.environment,
    operation: newAction.operation,
    accountId: newAction.scope.accountId,
    target: newAction.target,
    actorId: newAction.actor.id,
    sessionHash: newAction.actor.sessionHash,
    idempotencyKey: newAction.key,
    correlationId: newAction.correlationId,
    fingerprint: newAction.fingerprint,
    method: newAction.method,
    path: newAction.path,
    contentType: newAction.contentType,
    ...toBodyColumns(newAction),
    payloadId: payloadFile?.id ?? null,
    proof: newAction.proof && encryptAuthorizationDetails(newAction.id, newAction.proof),
    bodySha256: newAction.bodySha256,
    reason: newAction.reason,
    warnings:
      newAction.warnings.length > 0
        ? newAction.warnings.map((each) => ({
            code: toWarningName(each),
            sentence: formatWarning(each),
          }))
        : null,
    snapshotHash: newAction.snapshotHash,
    serviceKey: getKeyFingerprint(newAction.scope.environment),
    integration: getIntegration(newAction.scope.environment),
    // Only one open action per object may be exclusive. Uploads and creations may run in parallel.
    exclusive: payloadFile === null && newAction.target !== null,
    moved: newAction.moved,
    seen: newAction.seen
      ? encrypt(Buffer.from(JSON.stringify(newAction.seen)), toSeenObjectAad(newAction.id))
      : null,
    ...(newAction.rule
      ? { rule: newAction.rule, state: 'awaiting_approval', expiresAt: approvalEnd }
      : toLeaseColumns(payloadFile ? 'upload' : 'write')),
  }
}

/**
 * Records the action and its first audit row in one transaction (T1 in decision 004). If this
 * throws, the caller must send nothing. The unique idempotency key lets only one of several
 * identical requests create a row; the open-target index allows only one open action per object.
 * `alsoWrite` runs in the same transaction.
 */
export async function recordAction(
  newAction: NewAction,
  alsoWrite: ExtraRowsWriter | null = null,
): Promise<RecordActionResult> {
  const db = await getDatabase()
  for (let tries = 0; tries < 3; tries += 1) {
    const recordResult = await db.transaction((tx) => tryRecordAction(tx, newAction, alsoWrite))
    if (recordResult) return recordResult
  }
  throw new AppError(
    'action_open',
    'Other actions on this object are in progress: refresh, then try again',
  )
}

/**
 * Throws `changed` if another action on the target settled after the target was compared with what
 * the requester saw: the comparison may be stale. The error rolls the recording back.
 */
export async function refuseIfOtherActionSettled(tx: Db, newAction: NewAction): Promise<void> {
  if (!newAction.comparedAt || !newAction.target) return
  const [laterAction] = await tx
    .select({ id: actions.id })
    .from(actions)
    .where(
      and(
        eq(actions.environment, newAction.scope.environment),
        eq(actions.target, newAction.target),
        ne(actions.id, newAction.id),
        gte(actions.settledAt, newAction.comparedAt),
      ),
    )
    .limit(1)
  if (laterAction)
    throw new AppError(
      'changed',
      'Someone else acted on this record at the same time. Nothing was sent: refresh and review',
    )
}

/** Notifies all instances when the transaction commits. */
export async function notifyActionChanged(
  tx: Db,
  { id, environment, accountId, target }: Action,
): Promise<void> {
  const changedIds = [id, ...(target?.split('/').slice(1) ?? [])]
  await tx.execute(
    buildNotifySql({
      about: 'rows',
      environment,
      resource: 'actions',
      account: accountId,
      ids: changedIds,
      shown_by: null,
    }),
  )
}

/** Returns the action that must settle before a new action on the same target can be recorded. */
export async function findOpenAction(
  db: Db,
  { scope, target }: Pick<NewAction, 'scope' | 'target'>,
): Promise<Action | null> {
  if (!target) return null
  const openCondition = sql`${actions.exclusive} and ${actions.state} in ('awaiting_approval', 'sending', 'unknown', 'needs_human')`
  const [blockingAction] = await db
    .select()
    .from(actions)
    .where(
      and(eq(actions.environment, scope.environment), eq(actions.target, target), openCondition),
    )
  return blockingAction ?? null
}

/** Throws `step_up_needed` (a rollback) if the proof is not valid. */
async function consumeStepUpProof(
  tx: Db,
  { stepUp }: NewAction,
): Promise<Pick<AuditEntry, 'step_up'>> {
  if (!stepUp) return {}
  await consumeStepUp(tx, stepUp)
  return { step_up: stepUp.method }
}

/** Returns null if the conflicting action settled after the insert had failed: then try again. */
async function tryRecordAction(
  tx: Db,
  newAction: NewAction,
  alsoWrite: ExtraRowsWriter | null,
): Promise<RecordActionResult | null> {
  const [openedAction] = await tx
    .insert(actions)
    .values(toActionRow(newAction))
    .onConflictDoNothing()
    .returning()
  if (openedAction) {
    await refuseIfOtherActionSettled(tx, newAction)
    const stepUpFields = await consumeStepUpProof(tx, newAction)
    await appendAudit(tx, {
      ...toAuditEntry(openedAction, newAction.rule ? 'asked' : 'start'),
      ...toActorFields(newAction.actor),
      ...stepUpFields,
    })
    // Count only here: `appendAudit` has locked the audit chain, so no parallel write can be
    // missed.
    await requireWriteQuota(tx, newAction.actor.id, 1)
    // If the action needs an approval, `alsoWrite` runs later, when the action is approved.
    if (newAction.rule) await notifyActionChanged(tx, openedAction)
    else await alsoWrite?.(tx, openedAction)
    return { kind: 'opened', action: openedAction }
  }
  const existingAction = await findActionByKey(tx, newAction.key)
  if (existingAction) return { kind: 'known', action: existingAction }
  const conflictingAction = await findOpenAction(tx, newAction)
  return conflictingAction ? { kind: 'blocked', action: conflictingAction } : null
}
