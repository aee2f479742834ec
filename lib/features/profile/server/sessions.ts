import 'server-only'
import { and, desc, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { OwnSession, SessionTimeLeft } from '@/lib/operations/profile'
import { type AuditCode, appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import {
  type Actor,
  dropCachedSessions,
  notIdleCondition,
  openSessionCondition,
} from '@/lib/server/auth/session-rows'
import { sessions } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

/** The id of a session in the profile and the audit: the start of its token's hash. */
const sessionIdColumn = sql<string>`left(${sessions.idHash}, 16)`

const buildOwnSessionCondition = ({ id }: Actor) => eq(sessions.personId, id)

export async function listOwnSessions(actor: Actor): Promise<OwnSession[]> {
  const db = await getDatabase()
  const sessionRows = await db
    .select({ id: sessionIdColumn, row: sessions })
    .from(sessions)
    .where(and(buildOwnSessionCondition(actor), openSessionCondition))
    .orderBy(desc(eq(sessionIdColumn, actor.sessionHash)), desc(sessions.lastSeenAt))
  return sessionRows.map(({ id, row }) => ({
    id,
    current: id === actor.sessionHash,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    browser: row.browser,
    system: row.system,
  }))
}

/** By the clock of the database. Throws `unauthenticated` if the session has ended. */
export async function readSessionTimeLeft(actor: Actor): Promise<SessionTimeLeft> {
  const db = await getDatabase()
  const toSecondsUntil = (at: SQL) => sql<number>`floor(extract(epoch from ${at} - now()))::int`
  const [row] = await db
    .select({
      idle_in: toSecondsUntil(sql`${sessions.lastSeenAt} + interval '15 minutes'`),
      ends_in: toSecondsUntil(sql`${sessions.expiresAt}`),
    })
    .from(sessions)
    .where(
      and(
        buildOwnSessionCondition(actor),
        openSessionCondition,
        eq(sessionIdColumn, actor.sessionHash),
      ),
    )
  if (!row)
    throw new AppError(
      'unauthenticated',
      'Your session has ended: sign in again. Your entries are kept',
    )
  return row
}

/**
 * Ends the person's sessions that match the condition, and returns how many of them were open. An
 * idle session is marked as ended too, because another instance may have read it from its cache a
 * moment ago.
 */
export async function endMatchingSessions(tx: Db, actor: Actor, condition?: SQL): Promise<number> {
  const revokedRows = await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        buildOwnSessionCondition(actor),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
        condition,
      ),
    )
    .returning({ wasOpen: sql<boolean>`${notIdleCondition}` })
  return revokedRows.filter(({ wasOpen }) => wasOpen).length
}

export const toOtherSessionsCondition = (actor: Actor): SQL =>
  ne(sessionIdColumn, actor.sessionHash)

async function endSessionsWithAudit(
  actor: Actor,
  code: AuditCode,
  condition?: SQL,
  subject?: string,
): Promise<{ ended: number }> {
  const db = await getDatabase()
  const endedSessionCount = await db.transaction(async (tx) => {
    const endedOpenCount = await endMatchingSessions(tx, actor, condition)
    if (endedOpenCount > 0)
      await appendAudit(tx, { code, ...toActorFields(actor), ...(subject ? { subject } : {}) })
    return endedOpenCount
  })
  dropCachedSessions(actor.id)
  return { ended: endedSessionCount }
}

/** Throws `changed` if the session has ended or belongs to another person. */
export async function endOwnSession(actor: Actor, id: string): Promise<{ ended: number }> {
  const endResult = await endSessionsWithAudit(
    actor,
    'profile.end_session.applied',
    eq(sessionIdColumn, id),
    id,
  )
  if (endResult.ended === 0)
    throw new AppError(
      'changed',
      'This session has ended already. Nothing was changed: refresh and review',
    )
  return endResult
}

export const endOwnSessions = (actor: Actor, which: 'others' | 'all') =>
  endSessionsWithAudit(
    actor,
    'profile.end_sessions.applied',
    which === 'others' ? toOtherSessionsCondition(actor) : undefined,
  )
