import 'server-only'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/server/auth/session-rows'
import { sessions } from '@/lib/server/store/access-schema'
import { people } from '@/lib/server/store/schema'
import type { Db } from '@/lib/server/store/store'

/** For how long a proof at the identity provider holds where a password would do. */
const ssoHolds = sql`now() - interval '10 minutes'`

/** What somebody without a factor has to prove with: a password of their own, or that the identity provider had them prove who they are a moment ago. */
export async function meansOf(db: Db, { id, sessionHash }: Actor): Promise<{ password: boolean; ssoJustNow: boolean }> {
  const [row] = await db
    .select({
      password: sql<boolean>`${people.passwordHash} is not null`,
      // A provider whose clock is far ahead would have it hold for hours.
      ssoJustNow: sql<boolean>`coalesce(${sessions.ssoAuthenticatedAt} between ${ssoHolds} and now() + interval '1 minute', false)`,
    })
    .from(people)
    .innerJoin(sessions, and(eq(sessions.personId, people.id), isNull(sessions.revokedAt), gt(sessions.expiresAt, sql`now()`)))
    .where(and(eq(people.id, id), eq(sql`left(${sessions.idHash}, 16)`, sessionHash)))
  return row ?? { password: false, ssoJustNow: false }
}
