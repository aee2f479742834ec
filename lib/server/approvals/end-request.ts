import 'server-only'
import { and, eq, lte, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { notSentStates } from '@/lib/operations/answer'
import {
  type Action,
  type ExtraRowsWriter,
  type NewAction,
  notifyActionChanged,
  refuseIfActedSince,
  toAuditEntry,
  toLeaseColumns,
} from '@/lib/server/actions/action-log'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { getKeyFingerprint } from '@/lib/server/service/client'
import { sha256 } from '@/lib/server/store/hashes'
import { actions } from '@/lib/server/store/schema/actions'
import { type Db, database } from '@/lib/server/store/store'

type EndedState = (typeof notSentStates)[number]

const endedTexts: Readonly<Record<EndedState, string>> = {
  rejected: 'A second person rejected this',
  withdrawn: 'The request was withdrawn',
  expired: 'Nobody approved this within 24 hours',
  void: 'The request is void',
}

const isWaitingCondition = (id: string) => and(eq(actions.id, id), eq(actions.state, 'awaiting_approval'))

const toApprovalJson = (outcome: string, by: string | null, reason: string | null) =>
  sql`jsonb_build_object('outcome', ${outcome}::text, 'by', ${by}::text, 'at', now(), 'reason', ${reason}::text)`

const createRequestEndedError = () =>
  new AppError('changed', 'This request is no longer waiting for approval. Nothing was changed: refresh and review')

async function endInTransaction(
  tx: Db,
  id: string,
  outcome: EndedState,
  actor: Actor | null,
  reason: string | null,
): Promise<Action | null> {
  const detail = reason ? `${endedTexts[outcome]}: ${reason}` : endedTexts[outcome]
  const [row] = await tx
    .update(actions)
    .set({
      state: outcome,
      approval: toApprovalJson(outcome, actor?.id ?? null, reason),
      error: new AppError('not_approved', detail).toWire(),
      settledAt: sql`now()`,
      // The action is never sent, so its body is deleted.
      body: null,
    })
    .where(outcome === 'expired' ? and(isWaitingCondition(id), lte(actions.expiresAt, sql`now()`)) : isWaitingCondition(id))
    .returning()
  if (!row) return null
  await appendAudit(tx, {
    ...toAuditEntry(row, outcome),
    ...(actor ? toActorFields(actor) : { actor: null }),
    ...(reason ? { evidence_sha256: sha256(reason) } : {}),
  })
  await notifyActionChanged(tx, row)
  return row
}

/**
 * Ends a request for approval without sending its action. `actor` is null if the request ended automatically. Throws `changed` if it no
 * longer waits for approval.
 */
export async function endRequest(id: string, outcome: EndedState, actor: Actor | null, reason: string | null): Promise<Action> {
  const db = await database()
  const row = await db.transaction((tx) => endInTransaction(tx, id, outcome, actor, reason))
  if (!row) throw createRequestEndedError()
  return row
}

/**
 * Records an approval and takes the lease of the action, with the audit rows and those of `alsoWrite`, in one transaction (T1 in decision
 * 004). The first decision wins: throws `changed` if another one came first, the request expired, or another action on its object settled
 * since the comparison.
 */
export async function approveRequest(newAction: NewAction, approver: Actor, alsoWrite: ExtraRowsWriter | null): Promise<Action> {
  const db = await database()
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(actions)
      .set({
        ...toLeaseColumns('write'),
        approval: toApprovalJson('approved', approver.id, null),
        // The action is sent with the current API key, and its replays must use the same key.
        serviceKey: getKeyFingerprint(newAction.scope.environment),
      })
      .where(and(isWaitingCondition(newAction.id), sql`${actions.expiresAt} > now()`, eq(actions.bodySha256, newAction.bodySha256)))
      .returning()
    if (!row) throw createRequestEndedError()
    await refuseIfActedSince(tx, newAction)
    await appendAudit(tx, { ...toAuditEntry(row, 'approved'), ...toActorFields(approver) })
    await appendAudit(tx, toAuditEntry(row, 'start'))
    await alsoWrite?.(tx, row)
    await notifyActionChanged(tx, row)
    return row
  })
}

const batchSize = 100

export async function expireRequests(): Promise<void> {
  const db = await database()
  const dueRequests = await db
    .select({ id: actions.id })
    .from(actions)
    .where(and(eq(actions.state, 'awaiting_approval'), lte(actions.expiresAt, sql`now()`)))
    .limit(batchSize)
  for (const { id } of dueRequests) await db.transaction((tx) => endInTransaction(tx, id, 'expired', null, null))
}

const intervalMs = 30_000

/** Ends expired requests every 30 seconds, until `stop`. Between runs, the database clock refuses an approval of an expired request. */
export function startExpiry(): { stop: () => void } {
  const timer = setInterval(
    () => void expireRequests().catch((error: unknown) => log.error({ event: 'approvals.expiry_failed', code: getErrorCode(error) })),
    intervalMs,
  )
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
