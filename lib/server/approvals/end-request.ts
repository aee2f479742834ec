import 'server-only'
import { and, eq, lte, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { notSentStates } from '@/lib/operations/answer'
import {
  type Action,
  type AlsoWrite,
  auditOf,
  held,
  type NewAction,
  refuseIfActedSince,
  tellOfAction,
} from '@/lib/server/actions/action-log'
import { appendAudit } from '@/lib/server/audit/chain'
import { doneBy } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { keyFingerprint } from '@/lib/server/service/client'
import { sha256 } from '@/lib/server/store/hashes'
import { actions } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'

type Ended = (typeof notSentStates)[number]

const toldAs: Readonly<Record<Ended, string>> = {
  rejected: 'A second person rejected this',
  withdrawn: 'The request was withdrawn',
  expired: 'Nobody approved this within 24 hours',
  void: 'The request is void',
}

const waiting = (id: string) => and(eq(actions.id, id), eq(actions.state, 'awaiting_approval'))

const said = (outcome: string, by: string | null, reason: string | null) =>
  sql`jsonb_build_object('outcome', ${outcome}::text, 'by', ${by}::text, 'at', now(), 'reason', ${reason}::text)`

const gone = () => new AppError('changed', 'This request is no longer waiting for approval. Nothing was changed: refresh and review')

async function endIn(tx: Db, id: string, outcome: Ended, actor: Actor | null, reason: string | null): Promise<Action | null> {
  const detail = reason ? `${toldAs[outcome]}: ${reason}` : toldAs[outcome]
  const [row] = await tx
    .update(actions)
    .set({
      state: outcome,
      approval: said(outcome, actor?.id ?? null, reason),
      error: new AppError('not_approved', detail).toWire(),
      settledAt: sql`now()`,
      // It is never sent, so nothing needs the bytes.
      body: null,
    })
    .where(outcome === 'expired' ? and(waiting(id), lte(actions.expiresAt, sql`now()`)) : waiting(id))
    .returning()
  if (!row) return null
  await appendAudit(tx, {
    ...auditOf(row, outcome),
    ...(actor ? doneBy(actor) : { actor: null }),
    ...(reason ? { evidence_sha256: sha256(reason) } : {}),
  })
  await tellOfAction(tx, row)
  return row
}

/** Ends a request that waits, without anything being sent. `actor` is who did it; null where nobody did. Throws `changed` where it waits no more. */
export async function endRequest(id: string, outcome: Ended, actor: Actor | null, reason: string | null): Promise<Action> {
  const db = await database()
  const row = await db.transaction((tx) => endIn(tx, id, outcome, actor, reason))
  if (!row) throw gone()
  return row
}

/**
 * T1 of an approved request: it is in this process's hands, with its audit rows and what belongs to it, or nothing is. The first of any number of answers
 * wins. Throws `changed` where another was faster, its time is over, or something was done on its object since it was compared.
 */
export async function approveRequest(newAction: NewAction, approver: Actor, alsoWrite: AlsoWrite | null): Promise<Action> {
  const db = await database()
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(actions)
      .set({
        ...held('write'),
        approval: said('approved', approver.id, null),
        // The key of now sends it, and a replay has to be under the same.
        serviceKey: keyFingerprint(newAction.scope.environment),
      })
      .where(and(waiting(newAction.id), sql`${actions.expiresAt} > now()`, eq(actions.bodySha256, newAction.bodySha256)))
      .returning()
    if (!row) throw gone()
    await refuseIfActedSince(tx, newAction)
    await appendAudit(tx, { ...auditOf(row, 'approved'), ...doneBy(approver) })
    await appendAudit(tx, auditOf(row, 'start'))
    await alsoWrite?.(tx, row)
    await tellOfAction(tx, row)
    return row
  })
}

const batch = 100

/** Ends the requests whose time is over. */
export async function expireRequests(): Promise<void> {
  const db = await database()
  const due = await db
    .select({ id: actions.id })
    .from(actions)
    .where(and(eq(actions.state, 'awaiting_approval'), lte(actions.expiresAt, sql`now()`)))
    .limit(batch)
  for (const { id } of due) await db.transaction((tx) => endIn(tx, id, 'expired', null, null))
}

const every = 30_000

/** Looks for requests whose time is over, until `stop`. Those who answer one meanwhile are refused by the store's clock. */
export function startExpiry(): { stop: () => void } {
  const timer = setInterval(
    () => void expireRequests().catch((error: unknown) => log.error({ event: 'approvals.expiry_failed', code: errorCode(error) })),
    every,
  )
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
