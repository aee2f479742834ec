import 'server-only'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { ClientOrigin } from '@/lib/server/audit/client'
import { env, getTimeSettings } from '@/lib/server/config/env'
import { sha256 } from '@/lib/server/store/hashes'
import { people, sessions } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { type Grant, listGrants } from './people'

/** The person of a session, as read from the store at most a second ago. */
type SessionPerson = {
  id: string
  name: string
  email: string
  sessionHash: string
  grants: readonly Grant[]
}

/** `client` is the origin of the current request. */
export type Actor = SessionPerson & { client?: ClientOrigin }

export const notIdleCondition = gt(sessions.lastSeenAt, sql`now() - interval '15 minutes'`)

export const openSessionCondition = and(
  isNull(sessions.revokedAt),
  gt(sessions.expiresAt, sql`now()`),
  notIdleCondition,
)

const maxCachedSessions = 5000

type CachedSession = { actor: SessionPerson | null; at: number; touchedAt: number }
const cachedSessions = new Map<string, CachedSession>()

async function readActor(sessionHash: string): Promise<SessionPerson | null> {
  const db = await getDatabase()
  const [row] = await db
    .select({ id: people.id, name: people.name, email: people.email, demo: people.demo })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .where(and(eq(sessions.idHash, sessionHash), isNull(people.disabledAt), openSessionCondition))
  if (!row || (row.demo && !env().embedded)) return null
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    sessionHash: sessionHash.slice(0, 16),
    grants: await listGrants(db, row.id),
  }
}

async function touchSession(sessionHash: string): Promise<void> {
  const db = await getDatabase()
  await db.update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.idHash, sessionHash))
}

/**
 * Null if the session is unknown, ended, idle for 15 minutes or older than 8 hours. `isActive` must
 * be true only if the person caused the request, because polling must not keep a session alive.
 */
export async function findActor(token: string, isActive: boolean): Promise<SessionPerson | null> {
  const sessionHash = sha256(token)
  const nowMs = performance.now()
  const cachedSession = cachedSessions.get(sessionHash)
  const isFresh = cachedSession && nowMs - cachedSession.at < getTimeSettings().pauses.session
  const actor = isFresh ? cachedSession.actor : await readActor(sessionHash)
  let touchedAt = cachedSession?.touchedAt ?? Number.NEGATIVE_INFINITY
  if (actor && isActive && nowMs - touchedAt > 30_000) {
    touchedAt = nowMs
    await touchSession(sessionHash)
  }
  if (!isFresh) cacheSession(sessionHash, { actor, at: nowMs, touchedAt })
  else if (cachedSession) cachedSession.touchedAt = touchedAt
  return actor
}

function cacheSession(sessionHash: string, entry: CachedSession): void {
  cachedSessions.delete(sessionHash)
  cachedSessions.set(sessionHash, entry)
  const oldestHash =
    cachedSessions.size > maxCachedSessions ? cachedSessions.keys().next().value : undefined
  if (oldestHash !== undefined) cachedSessions.delete(oldestHash)
}

/** Call this after a session ended, so that its next request to this process is refused at once. */
export const dropCachedSession = (token: string): boolean => cachedSessions.delete(sha256(token))

/** Call this after this process changed the sessions or rights of the person. */
export function dropCachedSessions(personId: string): void {
  for (const [hash, { actor }] of cachedSessions)
    if (actor?.id === personId) cachedSessions.delete(hash)
}
