import 'server-only'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { parseReason } from '@/lib/domain/reasons'
import { AppError } from '@/lib/errors'
import type { ReadId } from '@/lib/operations/service-operations'
import { type AuditEntry, appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { markErrorRecorded } from '@/lib/server/audit/refusals'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { readService } from '@/lib/server/service/service-read'
import { sha256 } from '@/lib/server/store/hashes'
import { reveals } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { readReasonHeader } from './new-action'
import { respond } from './respond'

/** Reads of unmasked data: enough for a day's review queue, too few to copy all customers. */
const maxRevealsPerHour = 30

/** The input is already parsed and the permission checked. */
export type RevealRequest = {
  request: Request
  operation: ReadId
  input: Record<string, unknown>
  actor: Actor
  scope: ScopedAccount
  target: string
}

type RevealOutcome = 'applied' | 'refused'

function toRevealAuditEntry(
  { operation, actor, scope, target }: RevealRequest,
  reason: string,
  outcome: RevealOutcome,
): AuditEntry {
  return {
    code: `${operation}.${outcome}`,
    ...toActorFields(actor),
    environment: scope.environment,
    account: scope.accountId,
    target,
    reason_code: parseReason(reason)?.code ?? 'NONE',
    reason_sha256: sha256(reason),
  }
}

/**
 * Returns how many reveals the person has left. If none is left, `wait` is the seconds until the
 * next one is allowed. Uses the database clock.
 */
async function readRevealAllowance(
  tx: Db,
  actorId: string,
): Promise<{ left: number; wait: number }> {
  const recentReveals = await tx
    .select({
      left: sql<number>`ceil(extract(epoch from ${reveals.at} + interval '1 hour' - now()))::int`,
    })
    .from(reveals)
    .where(and(eq(reveals.actorId, actorId), gt(reveals.at, sql`now() - interval '1 hour'`)))
    .orderBy(asc(reveals.at))
  const oldestReveal = recentReveals.at(-maxRevealsPerHour)
  return {
    left: Math.max(maxRevealsPerHour - recentReveals.length, 0),
    wait: oldestReveal ? Math.max(oldestReveal.left, 1) : 0,
  }
}

/**
 * Records the reveal, or returns the seconds to wait (`wait`) if the limit is reached. Locks the
 * person's row, so that parallel requests cannot exceed the limit.
 */
async function countReveal({
  actor,
  scope,
  operation,
  target,
}: RevealRequest): Promise<{ id: string; left: number } | { wait: number }> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    await tx.select({ id: people.id }).from(people).where(eq(people.id, actor.id)).for('update')
    const { left, wait } = await readRevealAllowance(tx, actor.id)
    if (wait > 0) return { wait }
    const [row] = await tx
      .insert(reveals)
      .values({ actorId: actor.id, environment: scope.environment, operation, target })
      .returning({ id: reveals.id })
    if (!row) throw new Error('the reveal was not written')
    return { id: row.id, left: left - 1 }
  })
}

/** Deletes the row of a reveal that showed nothing, so that it does not count. */
async function recordRevealOutcome(
  entry: AuditEntry,
  unusedRevealId: string | null,
): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    if (unusedRevealId) await tx.delete(reveals).where(eq(reveals.id, unusedRevealId))
    await appendAudit(tx, entry)
  })
}

/**
 * Requires a reason. Counts the reveal before the read, and audits it before responding: if the
 * audit row cannot be written, no data is returned.
 */
export async function revealData(revealRequest: RevealRequest): Promise<Response> {
  const reason = readReasonHeader(revealRequest.request)
  const quotaResult = await countReveal(revealRequest)
  if ('wait' in quotaResult) {
    await recordRevealOutcome(
      { ...toRevealAuditEntry(revealRequest, reason, 'refused'), fault: 'too_many' },
      null,
    )
    const detail = `You have used all ${maxRevealsPerHour} reveals of this hour. Wait for the next hour, or ask a colleague`
    throw markErrorRecorded(new AppError('too_many', detail, { retryAfter: quotaResult.wait }))
  }
  const { operation, input, scope, request } = revealRequest
  const { data, meta } = await readService(operation, input as never, scope, request.signal).catch(
    async (error: unknown) => {
      const appError = error instanceof AppError ? error : null
      const requestIdField = appError?.requestId ? { request_id: appError.requestId } : {}
      await recordRevealOutcome(
        {
          ...toRevealAuditEntry(revealRequest, reason, 'refused'),
          ...requestIdField,
          fault: appError?.code ?? 'internal',
        },
        quotaResult.id,
      )
      throw error
    },
  )
  const { snapshot: _, ...plain } = meta
  await recordRevealOutcome(
    {
      ...toRevealAuditEntry(revealRequest, reason, 'applied'),
      request_id: meta.request_id,
      api_request_id: meta.api_request_id ?? null,
    },
    null,
  )
  return respond(200, {
    response_type: 'object',
    meta: { ...plain, reveals_left: quotaResult.left },
    data,
  })
}
