import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, eq, gte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import { parseReason } from '@/lib/domain/reasons'
import { type Warning, warningName, warningText } from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import type { Proof } from '@/lib/operations/payment-input.schema'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { type AuditEntry, appendAudit, type OperationEvent } from '@/lib/server/audit/chain'
import { doneBy } from '@/lib/server/audit/client'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { consumeStepUp, type StepUp } from '@/lib/server/auth/step-up/challenges'
import { keyFingerprint } from '@/lib/server/service/client'
import { encrypt } from '@/lib/server/store/encryption'
import { sha256 } from '@/lib/server/store/hashes'
import { noticeOf } from '@/lib/server/store/notices'
import { type AppliedRule, actions } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import { bodyPlace, idsIn } from './erase'
import type { Payload } from './payloads'
import { encryptProof } from './proofs'
import { refuseOverQuota } from './quotas'
import { seenPlace } from './seen'

export const instance: string = randomUUID()

/** Seconds a process may hold an action: the longest its sending can take, and a margin for the commit after it. */
const seconds = { write: 45, upload: 75 }

/** The end of a lease that begins now, by the store's clock: instances need not agree on the time. */
export const leaseFor = (kind: keyof typeof seconds): SQL<Date> => sql<Date>`now() + make_interval(secs => ${seconds[kind]})`

export type Action = typeof actions.$inferSelect

/** A write that was checked and may be recorded: who, what, on what, and the exact bytes. */
export type NewAction = {
  id: string
  operation: ServiceOperationId
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
  /** What was said of the file. */
  proof: Proof | null
  bodySha256: string
  reason: string | null
  /** What the person ticked before it was sent. */
  warnings: readonly Warning[]
  snapshotHash: string | null
  /** When, by the store's clock, the object was about to be read and found to be what the person saw; null where that was not compared. */
  comparedAt: Date | null
  /** The object as it was then. */
  seen: unknown
  /** The cents it adds to what its person moved that day; null for what moves no amount. */
  moved: number | null
  /** The rule by which a second person must approve it; null where none is needed. */
  rule: AppliedRule | null
  /** The proof that it is the person's own, which recording uses up; null where its operation asks for none. */
  stepUp: StepUp | null
}

/** What recording came to: a new row, the row that has this key already, or the open row that holds the target. */
export type Recorded = { kind: 'opened' | 'known' | 'blocked'; action: Action }

/** What is written in the transaction that records an action: both are written, or neither. */
export type AlsoWrite = (tx: Db, action: Action) => Promise<void>

/** What every audit row of an action says about it. The reason is kept as its code and a hash: its free text may hold a name. */
export function auditOf(action: Action, outcome: OperationEvent): AuditEntry {
  const reason = action.reason ? parseReason(action.reason) : null
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
    ...(action.reason ? { reason_code: reason?.code ?? 'NONE', reason_sha256: sha256(action.reason) } : {}),
  }
}

/** The action that owns a key, whoever wrote it. */
export async function actionOfKey(db: Db, key: string): Promise<Action | null> {
  const [row] = await db.select().from(actions).where(eq(actions.idempotencyKey, key))
  return row ?? null
}

/** How long a request waits for its approval. */
const approvalEnd = sql<Date>`now() + interval '24 hours'`

/** In the hands of this process, to be sent. */
export const held = (kind: keyof typeof seconds) =>
  ({ state: 'sending', leaseOwner: instance, leaseUntil: leaseFor(kind) }) satisfies Partial<PgInsertValue<typeof actions>>

/** The bytes that are kept with the row, and the ids in them; a file is kept beside it. */
const bodyOf = ({ id, body }: NewAction) =>
  Buffer.isBuffer(body) ? { body: encrypt(body, bodyPlace(id)), mentions: idsIn(body.toString('utf8')) } : { body: null, mentions: [] }

function valuesOf(newAction: NewAction): PgInsertValue<typeof actions> {
  const file = Buffer.isBuffer(newAction.body) ? null : newAction.body
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
    ...bodyOf(newAction),
    payloadId: file?.id ?? null,
    proof: newAction.proof && encryptProof(newAction.id, newAction.proof),
    bodySha256: newAction.bodySha256,
    reason: newAction.reason,
    warnings:
      newAction.warnings.length > 0 ? newAction.warnings.map((each) => ({ code: warningName(each), sentence: warningText(each) })) : null,
    snapshotHash: newAction.snapshotHash,
    serviceKey: keyFingerprint(newAction.scope.environment),
    // Files may arrive side by side, and objects be made side by side; all else on an object waits its turn.
    exclusive: file === null && newAction.target !== null,
    moved: newAction.moved,
    seen: newAction.seen ? encrypt(Buffer.from(JSON.stringify(newAction.seen)), seenPlace(newAction.id)) : null,
    ...(newAction.rule ? { rule: newAction.rule, state: 'awaiting_approval', expiresAt: approvalEnd } : held(file ? 'upload' : 'write')),
  }
}

/**
 * T1: writes the action and its START audit row together, or neither. The unique key lets one of any number of equal requests through; the
 * open-target index lets one action at a time work on an object. Throws when the store or the audit row cannot be written: then nothing may
 * be sent. `alsoWrite` writes what belongs to the action in the same transaction, and what it throws rolls the recording back.
 */
export async function recordAction(newAction: NewAction, alsoWrite: AlsoWrite | null = null): Promise<Recorded> {
  const db = await database()
  for (let tries = 0; tries < 3; tries += 1) {
    const recorded = await db.transaction((tx) => recordOnce(tx, newAction, alsoWrite))
    if (recorded) return recorded
  }
  throw new AppError('action_open', 'Other actions on this object are in progress: refresh, then try again')
}

/**
 * The comparison is only as new as its reading: another action that settled since may have changed the object after it. Throws `changed`, which
 * rolls the recording back.
 */
export async function refuseIfActedSince(tx: Db, newAction: NewAction): Promise<void> {
  if (!newAction.comparedAt || !newAction.target) return
  const [since] = await tx
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
  if (since) throw new AppError('changed', 'Someone else acted on this record at the same time. Nothing was sent: refresh and review')
}

/** Tells all instances that an action is in another state, once the transaction is committed. */
export async function tellOfAction(tx: Db, { id, environment, accountId, target }: Action): Promise<void> {
  const ids = [id, ...(target?.split('/').slice(1) ?? [])]
  await tx.execute(noticeOf({ about: 'rows', environment, resource: 'actions', account: accountId, ids, shown_by: null }))
}

/** The action on a new action's target that has to be settled first; null where there is none. */
export async function openActionOn(db: Db, { scope, target }: Pick<NewAction, 'scope' | 'target'>): Promise<Action | null> {
  if (!target) return null
  const open = sql`${actions.exclusive} and ${actions.state} in ('awaiting_approval', 'sending', 'unknown', 'needs_human')`
  const [blocking] = await db
    .select()
    .from(actions)
    .where(and(eq(actions.environment, scope.environment), eq(actions.target, target), open))
  return blocking ?? null
}

/** Uses up the proof an action came with, and gives what its row says of it. Throws `step_up_needed`, which rolls the recording back. */
async function takeProof(tx: Db, { stepUp }: NewAction): Promise<Pick<AuditEntry, 'step_up'>> {
  if (!stepUp) return {}
  await consumeStepUp(tx, stepUp)
  return { step_up: stepUp.method }
}

/** Null when the action that held the target settled between our insert and our look. */
async function recordOnce(tx: Db, newAction: NewAction, alsoWrite: AlsoWrite | null): Promise<Recorded | null> {
  const [opened] = await tx.insert(actions).values(valuesOf(newAction)).onConflictDoNothing().returning()
  if (opened) {
    await refuseIfActedSince(tx, newAction)
    const proven = await takeProof(tx, newAction)
    await appendAudit(tx, { ...auditOf(opened, newAction.rule ? 'asked' : 'start'), ...doneBy(newAction.actor), ...proven })
    // Counted behind the lock of the audit chain: of any number at once none is overlooked.
    await refuseOverQuota(tx, newAction.actor.id, 1)
    // What belongs to the action is written when it is sent.
    if (newAction.rule) await tellOfAction(tx, opened)
    else await alsoWrite?.(tx, opened)
    return { kind: 'opened', action: opened }
  }
  const known = await actionOfKey(tx, newAction.key)
  if (known) return { kind: 'known', action: known }
  const blocking = await openActionOn(tx, newAction)
  return blocking ? { kind: 'blocked', action: blocking } : null
}
