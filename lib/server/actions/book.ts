import 'server-only'
import { and, eq, gte, ne, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import { parseReason } from '@/lib/domain/decision-reasons'
import { AppError } from '@/lib/errors'
import type { OperationId } from '@/lib/operations/rows'
import { type AuditEntry, appendAudit } from '@/lib/server/audit/chain'
import { doneBy } from '@/lib/server/audit/client'
import type { OperationEvent } from '@/lib/server/audit/codes'
import { encrypt } from '@/lib/server/encryption'
import type { ScopedAccount } from '@/lib/server/scoped-account'
import { keyFingerprint } from '@/lib/server/service/client'
import type { Actor } from '@/lib/server/session-rows'
import { sha256 } from '@/lib/server/sha256'
import { actions } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import { instance, leaseFor } from './lease'
import { bodyPlace, idsIn } from './mentions'
import type { Payload } from './payloads'
import { refuseOverQuota } from './quota'

/** A row of the action book. */
export type Action = typeof actions.$inferSelect

/** A write that was checked and may be booked: who, what, on what, and the exact bytes. */
export type Draft = {
  id: string
  operation: OperationId
  scope: ScopedAccount
  actor: Actor
  /** `<resource>/<id>` of the object that is written to; null for what is only being made. */
  target: string | null
  key: string
  correlationId: string
  fingerprint: string
  method: string
  /** The path the service gets, from `/v1` on. */
  path: string
  contentType: string
  body: Buffer | Payload
  bodySha256: string
  reason: string | null
  snapshotHash: string | null
  /** When, by the store's clock, the object was about to be read and found to be what the person saw; null where that was not compared. */
  comparedAt: Date | null
}

/** What booking came to: a new row, the row that has this key already, or the open row that holds the target. */
export type Booked = { kind: 'opened' | 'known' | 'blocked'; action: Action }

/** What is written in the transaction that books an action: it stands and falls with it. */
export type Beside = (tx: Db, action: Action) => Promise<void>

/** What every audit row of an action says about it. The reason is kept as its code and a hash: its free text may hold a name. */
export function auditOf(action: Action, outcome: OperationEvent): AuditEntry {
  const reason = action.reason ? parseReason(action.reason) : null
  return {
    code: `${action.operation as OperationId}.${outcome}`,
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
    ...(action.reason ? { reason_code: reason?.code ?? 'NONE', reason_sha256: sha256(action.reason) } : {}),
  }
}

/** The action that owns a key, whoever wrote it. */
export async function actionOfKey(db: Db, key: string): Promise<Action | null> {
  const [row] = await db.select().from(actions).where(eq(actions.idempotencyKey, key))
  return row ?? null
}

function valuesOf(draft: Draft): PgInsertValue<typeof actions> {
  const file = Buffer.isBuffer(draft.body) ? null : draft.body
  return {
    id: draft.id,
    environment: draft.scope.environment,
    operation: draft.operation,
    accountId: draft.scope.accountId,
    target: draft.target,
    actorId: draft.actor.id,
    sessionHash: draft.actor.sessionHash,
    idempotencyKey: draft.key,
    correlationId: draft.correlationId,
    fingerprint: draft.fingerprint,
    method: draft.method,
    path: draft.path,
    contentType: draft.contentType,
    body: Buffer.isBuffer(draft.body) ? encrypt(draft.body, bodyPlace(draft.id)) : null,
    payloadId: file?.id ?? null,
    bodySha256: draft.bodySha256,
    mentions: Buffer.isBuffer(draft.body) ? idsIn(draft.body.toString('utf8')) : [],
    reason: draft.reason,
    snapshotHash: draft.snapshotHash,
    serviceKey: keyFingerprint(draft.scope.environment),
    // Files may arrive side by side, and objects be made side by side; all else on an object waits its turn.
    exclusive: file === null && draft.target !== null,
    state: 'sending',
    leaseOwner: instance,
    leaseUntil: leaseFor(file ? 'upload' : 'write'),
  }
}

/**
 * T1: writes the action and its START audit row together, or neither. The unique key lets one of any number of equal requests through; the
 * open-target index lets one action at a time work on an object. Throws when the store or the audit row cannot be written: then nothing may
 * be sent. `beside` writes what belongs to the action in the same transaction, and what it throws takes the booking back.
 */
export async function bookAction(draft: Draft, beside: Beside | null = null): Promise<Booked> {
  const db = await database()
  for (let tries = 0; tries < 3; tries += 1) {
    const booked = await db.transaction((tx) => bookOnce(tx, draft, beside))
    if (booked) return booked
  }
  throw new AppError('action_open', 'Other actions on this object keep coming: look at it again, then try again')
}

/**
 * The comparison is only as new as its reading: another action that settled since may have changed the object after it. Throws `changed`, which
 * takes the booking back.
 */
async function refuseIfActedSince(tx: Db, draft: Draft): Promise<void> {
  if (!draft.comparedAt || !draft.target) return
  const [since] = await tx
    .select({ id: actions.id })
    .from(actions)
    .where(
      and(
        eq(actions.environment, draft.scope.environment),
        eq(actions.target, draft.target),
        ne(actions.id, draft.id),
        gte(actions.settledAt, draft.comparedAt),
      ),
    )
    .limit(1)
  if (since) throw new AppError('changed', 'Somebody acted on this while you did. Nothing was sent: look at it as it is now')
}

/** Null when the action that held the target settled between our insert and our look. */
async function bookOnce(tx: Db, draft: Draft, beside: Beside | null): Promise<Booked | null> {
  const [opened] = await tx.insert(actions).values(valuesOf(draft)).onConflictDoNothing().returning()
  if (opened) {
    await refuseIfActedSince(tx, draft)
    await appendAudit(tx, { ...auditOf(opened, 'start'), ...doneBy(draft.actor) })
    // Counted behind the lock of the audit chain: of any number at once none is overlooked.
    await refuseOverQuota(tx, draft.actor.id, 1)
    await beside?.(tx, opened)
    return { kind: 'opened', action: opened }
  }
  const known = await actionOfKey(tx, draft.key)
  if (known) return { kind: 'known', action: known }
  if (!draft.target) return null
  const open = sql`${actions.exclusive} and ${actions.state} in ('sending', 'unknown', 'needs_human')`
  const [blocking] = await tx
    .select()
    .from(actions)
    .where(and(eq(actions.environment, draft.scope.environment), eq(actions.target, draft.target), open))
  return blocking ? { kind: 'blocked', action: blocking } : null
}
