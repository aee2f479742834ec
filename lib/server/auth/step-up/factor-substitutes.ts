import 'server-only'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/server/auth/session-rows'
import { people, sessions } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'

/** A sign-in at the identity provider counts as recent if it is not older than this time. */
const ssoPeriodStart = sql`now() - interval '10 minutes'`

/**
 * Finds what can replace a second factor: a password, and a recent sign-in at the identity
 * provider. Accept them only for a person without a second factor.
 */
export async function findFactorSubstitutes(
  db: Db,
  { id, sessionHash }: Actor,
): Promise<{ password: boolean; ssoJustNow: boolean }> {
  const [row] = await db
    .select({
      password: sql<boolean>`${people.passwordHash} is not null`,
      // Ignores a sign-in from a provider whose clock is ahead: it would count for too long.
      ssoJustNow: sql<boolean>`coalesce(${sessions.ssoAuthenticatedAt} between ${ssoPeriodStart} and now() + interval '1 minute', false)`,
    })
    .from(people)
    .innerJoin(
      sessions,
      and(
        eq(sessions.personId, people.id),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
    .where(and(eq(people.id, id), eq(sql`left(${sessions.idHash}, 16)`, sessionHash)))
  return row ?? { password: false, ssoJustNow: false }
}
