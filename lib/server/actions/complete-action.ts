import 'server-only'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { parseReason } from '@/lib/domain/reasons'
import type { AppError } from '@/lib/errors'
import { resendWindowHours } from '@/lib/operations/answer'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { appendAudit } from '@/lib/server/audit/chain'
import { getTimeSettings } from '@/lib/server/config/env'
import { createRequestId } from '@/lib/server/service/request'
import { encrypt } from '@/lib/server/store/encryption'
import { actions, attempts } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'
import {
  type Action,
  instanceId,
  notifyActionChanged,
  toAuditEntry,
  toLeaseEnd,
} from './action-log'
import type { SendOutcome } from './classify-answer'
import { extractIds, extractIdsFromEncrypted, toAnswerAad, toBodyAad } from './erase'
import { settlePayload } from './payloads'

const readObjectId = (data: unknown): string | null => {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : null
  return typeof id === 'string' ? id : null
}

/**
 * Returns `<resource>/<id>` of the created object. The account if several objects were created;
 * null if none was.
 */
export function findCreatedTarget(
  { operation, accountId }: Pick<Action, 'operation' | 'accountId'>,
  data: unknown,
): string | null {
  const { creates } = getServiceOperation(operation as ServiceOperationId)
  if (creates === 'several') return accountId ? `accounts/${accountId}` : null
  const createdObjectId = creates && readObjectId(data)
  return createdObjectId ? `${creates}/${createdObjectId}` : null
}

export type Attempt = typeof attempts.$inferSelect

export type AttemptEnding = {
  status: number | null
  fault: string | null
  apiRequestId: string | null
  replayed: boolean
}

/** Another process took over the action. This process must not write the results. */
export class LeaseLostError extends Error {}

/**
 * SQL condition: this process may send the action. Its lease must be valid, and the first send at
 * most `resendWindowHours` ago. The database checks both, because a process may have been suspended past
 * either limit.
 */
const sendableCondition = sql`${actions.leaseUntil} > now() and coalesce(${actions.firstSentAt} > now() - make_interval(hours => ${resendWindowHours}), true)`

const buildOwnLeaseCondition = (action: Action) =>
  and(
    eq(actions.id, action.id),
    eq(actions.fence, action.fence),
    eq(actions.leaseOwner, instanceId),
  )

export async function listAttempts(db: Db, actionId: string): Promise<Attempt[]> {
  return db
    .select()
    .from(attempts)
    .where(eq(attempts.actionId, actionId))
    .orderBy(asc(attempts.number))
}

/** Commits the attempt and a longer lease before any byte is sent. Send nothing if it throws. */
export async function beginAttempt(action: Action, attemptNumber: number): Promise<Attempt> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    const leasedRows = await tx
      .update(actions)
      .set({
        leaseUntil: toLeaseEnd(action.payloadId ? 'upload' : 'write'),
        firstSentAt: sql`coalesce(${actions.firstSentAt}, now())`,
      })
      .where(and(buildOwnLeaseCondition(action), sendableCondition))
      .returning({ id: actions.id })
    if (leasedRows.length === 0) throw new LeaseLostError()
    const [attempt] = await tx
      .insert(attempts)
      .values({ actionId: action.id, number: attemptNumber, requestId: createRequestId() })
      .returning()
    if (!attempt) throw new Error('the attempt row was not written')
    return attempt
  })
}

export async function endAttempt(tx: Db, attempt: Attempt, ending: AttemptEnding): Promise<void> {
  await tx
    .update(attempts)
    .set({ ...ending, endedAt: sql`now()` })
    .where(and(eq(attempts.actionId, attempt.actionId), eq(attempts.number, attempt.number)))
}

type HistoryEntry = { message?: string }
type ObjectHistory = { status_history?: HistoryEntry[]; status_details?: HistoryEntry }

/**
 * True if the newest history entry of the object contains the reason of the action. Null if the
 * operation sends no reason to the service, or the object has no history.
 */
function isEffectVerified(action: Action, data: unknown): boolean | null {
  const isReasonSent = getServiceOperation(action.operation as ServiceOperationId).reason === 'sent'
  if (!isReasonSent || !action.reason || !parseReason(action.reason)) return null
  const { status_history: history, status_details: details } = data as ObjectHistory
  const newestEntry = history?.at(-1) ?? details
  return newestEntry ? newestEntry.message === action.reason : null
}

const toWireError = (error: AppError) => error.toWire()

/** Repeated requests get this response. Null for a credential, which is never stored. */
function encryptAnswer({ id, operation }: Action, data: unknown): Buffer | null {
  if (getServiceOperation(operation as ServiceOperationId).credential) return null
  return encrypt(Buffer.from(JSON.stringify(data)), toAnswerAad(id))
}

const listMentionedIds = ({ id, mentions, body }: Action, data?: unknown): string[] =>
  extractIds(
    (mentions ?? extractIdsFromEncrypted(body, toBodyAad(id))).join(),
    JSON.stringify(data ?? null),
  )

function toOutcomeColumns(
  action: Action,
  outcome: SendOutcome,
  status: number | null,
): PgUpdateSetSource<typeof actions> {
  // Applied, refused and `needs_human` actions are never sent again, so the body is erased.
  const settledColumns = {
    leaseOwner: null,
    leaseUntil: null,
    nextCheckAt: null,
    settledAt: sql`now()`,
    body: null,
    mentions: listMentionedIds(action),
  }
  if (outcome.state === 'applied') {
    const { data, apiRequestId, replayed, status } = outcome.parsed
    return {
      ...settledColumns,
      answer: encryptAnswer(action, data),
      mentions: listMentionedIds(action, data),
      state: 'applied',
      target: action.target ?? findCreatedTarget(action, data),
      error: null,
      answerStatus: status,
      apiRequestId: apiRequestId ?? null,
      replayed,
      effectVerified: isEffectVerified(action, data),
    }
  }
  if (outcome.state === 'refused') {
    const { error } = outcome
    return {
      ...settledColumns,
      state: 'refused',
      error: toWireError(error),
      answerStatus: status,
      apiRequestId: error.apiRequestId ?? null,
    }
  }
  if (outcome.state === 'needs_human')
    return {
      ...settledColumns,
      settledAt: null,
      state: 'needs_human',
      error: toWireError(outcome.error),
    }
  const { delays, hourly } = getTimeSettings().schedule
  const nextCheckDelaySeconds = delays[action.checks] ?? hourly
  return {
    state: 'unknown',
    leaseOwner: null,
    leaseUntil: null,
    nextCheckAt: sql`now() + make_interval(secs => ${nextCheckDelaySeconds})`,
  }
}

async function recordOutcomeAudit(
  tx: Db,
  row: Action,
  outcome: SendOutcome,
  attempt: Attempt | undefined,
): Promise<void> {
  await appendAudit(tx, {
    ...toAuditEntry(row, outcome.state),
    attempts: attempt?.number ?? 0,
    ...(attempt ? { request_id: attempt.requestId } : {}),
    api_request_id: row.apiRequestId,
    replayed: row.replayed,
    verified: row.effectVerified,
    fault: 'fault' in outcome ? outcome.fault : (row.error?.code ?? null),
    ...(row.answerStatus ? { status: row.answerStatus } : {}),
  })
}

/** `sending` does not count: the rows that a send changes cause their own notifications. */
const isOutcomeUnresolved = ({ state }: Action): boolean =>
  state === 'unknown' || state === 'needs_human'

/** Notifies all instances when the transaction commits. */
export async function notifyOutcomeChanged(
  tx: Db,
  previousAction: Action,
  currentAction: Action,
): Promise<void> {
  if (
    previousAction.state === currentAction.state ||
    !(isOutcomeUnresolved(previousAction) || isOutcomeUnresolved(currentAction))
  )
    return
  await notifyActionChanged(tx, currentAction)
}

/**
 * Writes the outcome, its audit row and the end of the attempt in one transaction (T2 in decision
 * 004). An unknown outcome is audited only once. Throws `LeaseLostError` if another process took
 * over. After a store error the action stays open, so that it is checked later.
 */
export async function completeAction(
  action: Action,
  outcome: SendOutcome,
  lastAttempt: { attempt: Attempt; ending: AttemptEnding } | null,
): Promise<Action> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(actions)
      .set(toOutcomeColumns(action, outcome, lastAttempt?.ending.status ?? null))
      .where(buildOwnLeaseCondition(action))
      .returning()
    if (!row) throw new LeaseLostError()
    if (lastAttempt) await endAttempt(tx, lastAttempt.attempt, lastAttempt.ending)
    if (row.state !== 'unknown' || action.state !== 'unknown')
      await recordOutcomeAudit(tx, row, outcome, lastAttempt?.attempt)
    if (row.state !== 'unknown') await settlePayload(tx, row)
    await notifyOutcomeChanged(tx, action, row)
    return row
  })
}
