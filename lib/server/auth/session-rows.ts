import 'server-only'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Client } from '@/lib/server/audit/client'
import { env, times } from '@/lib/server/config/env'
import { sha256 } from '@/lib/server/store/hashes'
import { people, sessions } from '@/lib/server/store/schema/people'
import { database } from '@/lib/server/store/store'
import { type Grant, grantsOf } from './people'

/** A signed-in person with their rights, read from the store at most a second ago. */
type Known = { id: string; name: string; email: string; sessionHash: string; grants: readonly Grant[] }

/** The signed-in person, with the origin of the current request. */
export type Actor = Known & { client?: Client }

const idle = sql`now() - interval '15 minutes'`
const keptAtMost = 5000

type Kept = { actor: Known | null; at: number; touchedAt: number }
const cachedSessions = new Map<string, Kept>()

async function readActor(sessionHash: string): Promise<Known | null> {
  const db = await database()
  const [row] = await db
    .select({ id: people.id, name: people.name, email: people.email, demo: people.demo })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .where(
      and(
        eq(sessions.idHash, sessionHash),
        isNull(sessions.revokedAt),
        isNull(people.disabledAt),
        gt(sessions.expiresAt, sql`now()`),
        gt(sessions.lastSeenAt, idle),
      ),
    )
  if (!row || (row.demo && !env().embedded)) return null
  return { id: row.id, name: row.name, email: row.email, sessionHash: sessionHash.slice(0, 16), grants: await grantsOf(db, row.id) }
}

async function touch(sessionHash: string): Promise<void> {
  const db = await database()
  await db.update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.idHash, sessionHash))
}

/**
 * Returns the person of a session token, or null if the session is unknown, ended, idle for 15 minutes or older than 8 hours. `active` is
 * true if the person caused the request: polling does not keep a session alive.
 */
export async function actorOfToken(token: string, active: boolean): Promise<Known | null> {
  const sessionHash = sha256(token)
  const time = performance.now()
  const cachedSession = cachedSessions.get(sessionHash)
  const isFresh = cachedSession && time - cachedSession.at < times().pauses.session
  const actor = isFresh ? cachedSession.actor : await readActor(sessionHash)
  let touchedAt = cachedSession?.touchedAt ?? Number.NEGATIVE_INFINITY
  if (actor && active && time - touchedAt > 30_000) {
    touchedAt = time
    await touch(sessionHash)
  }
  if (!isFresh) remember(sessionHash, { actor, at: time, touchedAt })
  else if (cachedSession) cachedSession.touchedAt = touchedAt
  return actor
}

function remember(sessionHash: string, entry: Kept): void {
  cachedSessions.delete(sessionHash)
  cachedSessions.set(sessionHash, entry)
  const oldest = cachedSessions.size > keptAtMost ? cachedSessions.keys().next().value : undefined
  if (oldest !== undefined) cachedSessions.delete(oldest)
}

/** Removes from the cache a session that this process just ended, so that its next request is refused at once. */
export const forgetSession = (token: string): boolean => cachedSessions.delete(sha256(token))

/** Removes from the cache all sessions of a person, after this process changed their sessions or rights. */
export function forgetSessionsOf(personId: string): void {
  for (const [hash, { actor }] of cachedSessions) if (actor?.id === personId) cachedSessions.delete(hash)
}
