import 'server-only'
import { and, desc, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { OwnSession, SessionLeft } from '@/lib/operations/profile'
import { type AuditCode, appendAudit } from '@/lib/server/audit/chain'
import { doneBy } from '@/lib/server/audit/client'
import { type Actor, forgetSessionsOf } from '@/lib/server/auth/session-rows'
import { sessions } from '@/lib/server/store/schema/people'
import { type Db, database } from '@/lib/server/store/store'

/** The id of a session in the profile and the audit: the first 16 characters of its token's hash. */
const idOf = sql<string>`left(${sessions.idHash}, 16)`

const openOf = ({ id }: Actor) => and(eq(sessions.personId, id), isNull(sessions.revokedAt), gt(sessions.expiresAt, sql`now()`))

const notIdle = gt(sessions.lastSeenAt, sql`now() - interval '15 minutes'`)

/** Returns the person's sessions that have not ended, the current one first. */
export async function ownSessions(actor: Actor): Promise<OwnSession[]> {
  const db = await database()
  const rows = await db
    .select({ id: idOf, row: sessions })
    .from(sessions)
    .where(and(openOf(actor), notIdle))
    .orderBy(desc(eq(idOf, actor.sessionHash)), desc(sessions.lastSeenAt))
  return rows.map(({ id, row }) => ({
    id,
    current: id === actor.sessionHash,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    browser: row.browser,
    system: row.system,
  }))
}

/** Returns the seconds until the current session ends, by the clock of the database. Throws `unauthenticated` if it has ended. */
export async function sessionLeft(actor: Actor): Promise<SessionLeft> {
  const db = await database()
  const seconds = (at: SQL) => sql<number>`floor(extract(epoch from ${at} - now()))::int`
  const [row] = await db
    .select({ idle_in: seconds(sql`${sessions.lastSeenAt} + interval '15 minutes'`), ends_in: seconds(sql`${sessions.expiresAt}`) })
    .from(sessions)
    .where(and(openOf(actor), eq(idOf, actor.sessionHash)))
  if (!row) throw new AppError('unauthenticated', 'Your session has ended: sign in again. Your entries are kept')
  return row
}

/** Ends the person's open sessions that match `which`, in the caller's transaction. Returns their number. */
export async function endOwn(tx: Db, actor: Actor, which?: SQL): Promise<number> {
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(openOf(actor), which))
    .returning({ id: idOf })
  return ended.length
}

export const otherSessions = (actor: Actor): SQL => ne(idOf, actor.sessionHash)

async function end(actor: Actor, code: AuditCode, which?: SQL, subject?: string): Promise<{ ended: number }> {
  const db = await database()
  const ended = await db.transaction(async (tx) => {
    const count = await endOwn(tx, actor, which)
    if (count > 0) await appendAudit(tx, { code, ...doneBy(actor), ...(subject ? { subject } : {}) })
    return count
  })
  forgetSessionsOf(actor.id)
  return { ended }
}

/** Ends one of the person's own sessions. Throws `changed` if it has ended or belongs to another person. */
export async function endSession(actor: Actor, id: string): Promise<{ ended: number }> {
  const done = await end(actor, 'profile.end_session.applied', eq(idOf, id), id)
  if (done.ended === 0) throw new AppError('changed', 'This session has ended already. Nothing was changed: refresh and review')
  return done
}

/** Ends all of the person's sessions (`all`), or all but the current one (`others`). */
export const endSessions = (actor: Actor, which: 'others' | 'all') =>
  end(actor, 'profile.end_sessions.applied', which === 'others' ? otherSessions(actor) : undefined)
