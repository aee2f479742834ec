import 'server-only'
import { and, eq, exists, inArray, isNull, ne, or } from 'drizzle-orm'
import { deciders } from '@/lib/operations/define'
import { env } from '@/lib/server/env'
import { actions, grants, people } from '@/lib/server/store/schema'
import type { Db } from '@/lib/server/store/store'

/** Of these actions the ones that somebody else than their sender may decide: a person who may sign in and holds the role there. */
export async function decidableByOthers(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const another = db
    .select({ id: grants.id })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(
      and(
        inArray(grants.role, [...deciders]),
        eq(grants.environment, actions.environment),
        or(isNull(grants.accountId), eq(grants.accountId, actions.accountId)),
        ne(people.id, actions.actorId),
        isNull(people.disabledAt),
        env().embedded ? undefined : eq(people.demo, false),
      ),
    )
  const rows = await db
    .select({ id: actions.id })
    .from(actions)
    .where(and(inArray(actions.id, [...ids]), exists(another)))
  return new Set(rows.map(({ id }) => id))
}
