import 'server-only'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { parseReason } from '@/lib/domain/decision-reasons'
import type { AppError } from '@/lib/errors'
import { fuseHours } from '@/lib/operations/answer'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import { appendAudit } from '@/lib/server/audit/chain'
import { encrypt } from '@/lib/server/encryption'
import { newRequestId } from '@/lib/server/request-id'
import { actions, attempts } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import { type Action, auditOf } from './book'
import { createdBy } from './created'
import type { Outcome } from './judge'
import { instance, leaseFor } from './lease'
import { answerPlace, bodyPlace, idsIn, idsInEncrypted } from './mentions'
import { releasePayload } from './payloads'

/** One time an action's bytes are sent. */
export type Attempt = typeof attempts.$inferSelect

/** What is noted of a sending when it ends, whatever it proves. */
export type Ending = { status: number | null; fault: string | null; apiRequestId: string | null; replayed: boolean }

/** The delays after which the resolver asks again, in seconds; after the last, once an hour. */
const schedule = [5, 15, 60, 300, 900]
const hourly = 3600

/** The lease was lost: another process took the action over while this one was away. Nothing it learnt may be written. */
export class LeaseLost extends Error {}

/** Still held and still young: a process that slept through its lease, or a day, must not send when it wakes. */
const maySend = sql`${actions.leaseUntil} > now() and coalesce(${actions.firstSentAt} > now() - make_interval(hours => ${fuseHours}), true)`

const mine = (action: Action) => and(eq(actions.id, action.id), eq(actions.fence, action.fence), eq(actions.leaseOwner, instance))

/** All attempts of an action, first one first. */
export async function attemptsOf(db: Db, actionId: string): Promise<Attempt[]> {
  return db.select().from(attempts).where(eq(attempts.actionId, actionId)).orderBy(asc(attempts.number))
}

/**
 * Commits an attempt row before any byte leaves and stretches the lease over it. Throws `LeaseLost`, or what the store throws: in both cases
 * nothing may be sent.
 */
export async function beginAttempt(action: Action, number: number): Promise<Attempt> {
  const db = await database()
  return db.transaction(async (tx) => {
    const held = await tx
      .update(actions)
      .set({ leaseUntil: leaseFor(action.payloadId ? 'upload' : 'write'), firstSentAt: sql`coalesce(${actions.firstSentAt}, now())` })
      .where(and(mine(action), maySend))
      .returning({ id: actions.id })
    if (held.length === 0) throw new LeaseLost()
    const [attempt] = await tx.insert(attempts).values({ actionId: action.id, number, requestId: newRequestId() }).returning()
    if (!attempt) throw new Error('the attempt row was not written')
    return attempt
  })
}

/** Notes how an attempt ended while the action goes on. */
export async function endAttempt(tx: Db, attempt: Attempt, ending: Ending): Promise<void> {
  await tx
    .update(attempts)
    .set({ ...ending, endedAt: sql`now()` })
    .where(and(eq(attempts.actionId, attempt.actionId), eq(attempts.number, attempt.number)))
}

type Entry = { message?: string }
type History = { status_history?: Entry[]; status_details?: Entry }

/** Whether the newest entry of the answered object's history is ours; null where the operation leaves no such trace. */
function effectSeen(action: Action, data: unknown): boolean | null {
  const sent = rowOf(action.operation as OperationId).reason === 'sent'
  if (!sent || !action.reason || !parseReason(action.reason)) return null
  const { status_history: history, status_details: details } = data as History
  const newest = history?.at(-1) ?? details
  return newest ? newest.message === action.reason : null
}

const errorOf = (error: AppError) => error.toWire()

/** What stays of an answer: all a screen may show of the object, for a replay; of a credential, nothing. */
function answerKept({ id, operation }: Action, data: unknown): Buffer | null {
  if (rowOf(operation as OperationId).credential) return null
  return encrypt(Buffer.from(JSON.stringify(data)), answerPlace(id))
}

/** The ids in what was sent and, once it is there, in what was answered. */
const mentionsOf = ({ id, mentions, body }: Action, data?: unknown): string[] =>
  idsIn((mentions ?? idsInEncrypted(body, bodyPlace(id))).join(), JSON.stringify(data ?? null))

/** The columns an outcome writes. */
function columnsOf(action: Action, outcome: Outcome, status: number | null): PgUpdateSetSource<typeof actions> {
  // From here on the bytes are sent no more, so nothing needs them.
  const settled = { leaseOwner: null, leaseUntil: null, nextCheckAt: null, settledAt: sql`now()`, body: null, mentions: mentionsOf(action) }
  if (outcome.state === 'applied') {
    const { data, apiRequestId, replayed, status } = outcome.parsed
    return {
      ...settled,
      answer: answerKept(action, data),
      mentions: mentionsOf(action, data),
      state: 'applied',
      target: action.target ?? createdBy(action, data),
      error: null,
      answerStatus: status,
      apiRequestId: apiRequestId ?? null,
      replayed,
      effectVerified: effectSeen(action, data),
    }
  }
  if (outcome.state === 'refused') {
    const { error } = outcome
    return { ...settled, state: 'refused', error: errorOf(error), answerStatus: status, apiRequestId: error.apiRequestId ?? null }
  }
  if (outcome.state === 'needs_human') return { ...settled, settledAt: null, state: 'needs_human', error: errorOf(outcome.error) }
  const wait = schedule[action.checks] ?? hourly
  return { state: 'unknown', leaseOwner: null, leaseUntil: null, nextCheckAt: sql`now() + make_interval(secs => ${wait})` }
}

async function auditOutcome(tx: Db, row: Action, outcome: Outcome, attempt: Attempt | undefined): Promise<void> {
  await appendAudit(tx, {
    ...auditOf(row, outcome.state),
    attempts: attempt?.number ?? 0,
    ...(attempt ? { request_id: attempt.requestId } : {}),
    api_request_id: row.apiRequestId,
    replayed: row.replayed,
    verified: row.effectVerified,
    fault: 'fault' in outcome ? outcome.fault : (row.error?.code ?? null),
    ...(row.answerStatus ? { status: row.answerStatus } : {}),
  })
}

/**
 * T2: writes what is now known, its audit row and the end of the attempt together. An unknown outcome is audited once, when it becomes
 * unknown. Throws `LeaseLost` where another process took over, and what the store throws: the row then stays open by design.
 */
export async function settle(action: Action, outcome: Outcome, last: { attempt: Attempt; ending: Ending } | null): Promise<Action> {
  const db = await database()
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(actions)
      .set(columnsOf(action, outcome, last?.ending.status ?? null))
      .where(mine(action))
      .returning()
    if (!row) throw new LeaseLost()
    if (last) await endAttempt(tx, last.attempt, last.ending)
    if (row.state !== 'unknown' || action.state !== 'unknown') await auditOutcome(tx, row, outcome, last?.attempt)
    if (row.state !== 'unknown') await releasePayload(tx, row.payloadId)
    return row
  })
}
