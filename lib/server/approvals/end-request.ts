import 'server-only'
import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { notSentStates } from '@/lib/operations/answer'
import type { DecisionDocument } from '@/lib/operations/documents'
import {
  type Action,
  type ExtraRowsWriter,
  type NewAction,
  notifyActionChanged,
  refuseIfOtherActionSettled,
  toAuditEntry,
  toLeaseColumns,
} from '@/lib/server/actions/action-log'
import { listDecisionDocuments } from '@/lib/server/actions/proof-documents'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { getKeyFingerprint } from '@/lib/server/service/client'
import { sha256 } from '@/lib/server/store/hashes'
import { actions } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'

type EndedRequestState = (typeof notSentStates)[number]

const endedRequestTexts: Readonly<Record<EndedRequestState, string>> = {
  rejected: 'A second person rejected this',
  withdrawn: 'The request was withdrawn',
  expired: 'Nobody approved this within 24 hours',
  void: 'The request is void',
}

const buildWaitingCondition = (id: string) =>
  and(eq(actions.id, id), eq(actions.state, 'awaiting_approval'))

const toApprovalJson = (
  outcome: string,
  by: string | null,
  reason: string | null,
  documents: readonly DecisionDocument[],
) =>
  sql`jsonb_build_object('outcome', ${outcome}::text, 'by', ${by}::text, 'at', now(), 'reason', ${reason}::text, 'documents', ${JSON.stringify(documents)}::jsonb)`

/** Empty if the payment has no documents. */
const toOpenedDocumentsFields = (documents: readonly DecisionDocument[]) =>
  documents.length > 0
    ? {
        opened_documents: documents.flatMap((document) =>
          document.opened_at ? [document.sha256] : [],
        ),
      }
    : {}

const createRequestEndedError = () =>
  new AppError(
    'changed',
    'This request is no longer waiting for approval. Nothing was changed: refresh and review',
  )

async function endRequestInTransaction(
  tx: Db,
  id: string,
  outcome: EndedRequestState,
  actor: Actor | null,
  reason: string | null,
): Promise<Action | null> {
  const endedRequestText = reason
    ? `${endedRequestTexts[outcome]}: ${reason}`
    : endedRequestTexts[outcome]
  const documents =
    actor && outcome === 'rejected' ? await listDecisionDocuments(tx, id, actor.id) : []
  const [row] = await tx
    .update(actions)
    .set({
      state: outcome,
      approval: toApprovalJson(outcome, actor?.id ?? null, reason, documents),
      error: new AppError('not_approved', endedRequestText).toWire(),
      settledAt: sql`now()`,
      // The action is never sent, so its body is deleted.
      body: null,
    })
    .where(
      outcome === 'expired'
        ? and(buildWaitingCondition(id), lte(actions.expiresAt, sql`now()`))
        : buildWaitingCondition(id),
    )
    .returning()
  if (!row) return null
  await appendAudit(tx, {
    ...toAuditEntry(row, outcome),
    ...(actor ? toActorFields(actor) : { actor: null }),
    ...(reason ? { evidence_sha256: sha256(reason) } : {}),
    ...toOpenedDocumentsFields(documents),
  })
  await notifyActionChanged(tx, row)
  return row
}

/**
 * `actor` is null if no person ended the request, for example because it expired. Throws `changed`
 * if the request no longer waits for approval.
 */
export async function endApprovalRequest(
  id: string,
  outcome: EndedRequestState,
  actor: Actor | null,
  reason: string | null,
): Promise<Action> {
  const db = await getDatabase()
  const endedAction = await db.transaction((tx) =>
    endRequestInTransaction(tx, id, outcome, actor, reason),
  )
  if (!endedAction) throw createRequestEndedError()
  return endedAction
}

/**
 * Records an approval and takes the lease of the action. The audit rows and the rows of `alsoWrite`
 * are written in the same transaction (T1 in decision 004). Throws `changed` if another decision
 * came first, the request expired, or another action on the object settled since it was compared.
 */
export async function approveRequest(
  newAction: NewAction,
  approver: Actor,
  alsoWrite: ExtraRowsWriter | null,
): Promise<Action> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    const documents = await listDecisionDocuments(tx, newAction.id, approver.id)
    const [row] = await tx
      .update(actions)
      .set({
        ...toLeaseColumns('write'),
        approval: toApprovalJson('approved', approver.id, null, documents),
        // The approved action is sent with the current API key, and its replays must use the same
        // key.
        serviceKey: getKeyFingerprint(newAction.scope.environment),
      })
      .where(
        and(
          buildWaitingCondition(newAction.id),
          sql`${actions.expiresAt} > now()`,
          eq(actions.bodySha256, newAction.bodySha256),
        ),
      )
      .returning()
    if (!row) throw createRequestEndedError()
    await refuseIfOtherActionSettled(tx, newAction)
    await appendAudit(tx, {
      ...toAuditEntry(row, 'approved'),
      ...toActorFields(approver),
      ...toOpenedDocumentsFields(documents),
    })
    await appendAudit(tx, toAuditEntry(row, 'start'))
    await alsoWrite?.(tx, row)
    await notifyActionChanged(tx, row)
    return row
  })
}

/**
 * Records the first of two approvals. Nothing is sent, and the request waits for the second one.
 * Throws `changed` if the request ended, or another person approved first.
 */
export async function recordFirstApproval(newAction: NewAction, approver: Actor): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(actions)
      .set({ firstApproval: sql`jsonb_build_object('by', ${approver.id}::text, 'at', now())` })
      .where(
        and(
          buildWaitingCondition(newAction.id),
          isNull(actions.firstApproval),
          sql`${actions.expiresAt} > now()`,
          eq(actions.bodySha256, newAction.bodySha256),
        ),
      )
      .returning()
    if (!row) throw createRequestEndedError()
    await appendAudit(tx, { ...toAuditEntry(row, 'first_approved'), ...toActorFields(approver) })
    await notifyActionChanged(tx, row)
  })
}

const batchSize = 100

export async function expireApprovalRequests(): Promise<void> {
  const db = await getDatabase()
  const dueRequests = await db
    .select({ id: actions.id })
    .from(actions)
    .where(and(eq(actions.state, 'awaiting_approval'), lte(actions.expiresAt, sql`now()`)))
    .limit(batchSize)
  for (const { id } of dueRequests)
    await db.transaction((tx) => endRequestInTransaction(tx, id, 'expired', null, null))
}

const expiryIntervalMs = 30_000

/** Runs every 30 seconds. Between the runs, `approveRequest` refuses an expired request. */
export function startApprovalExpiry(): { stop: () => void } {
  const timer = setInterval(
    () =>
      void expireApprovalRequests().catch((error: unknown) =>
        log.error({ event: 'approvals.expiry_failed', code: getErrorCode(error) }),
      ),
    expiryIntervalMs,
  )
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
