import 'server-only'
import { and, asc, desc, eq, gt, isNull, max, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { AppError } from '@/lib/errors'
import type { GrantView, PersonDetail, PersonView } from '@/lib/operations/people'
import { accountText } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { grants, oneTimeLinks, people, sessions } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'

const granters = alias(people, 'granters')
const iso = (at: Date | null | undefined) => at?.toISOString() ?? null

type PersonRow = Pick<typeof people.$inferSelect, 'id' | 'name' | 'email' | 'passwordHash' | 'disabledAt' | 'createdAt'>

/** The people there are here: those of the demo only beside the embedded sandbox. */
const here = () => (env().embedded ? undefined : eq(people.demo, false))

async function grantsBy(db: Db, personId?: string): Promise<Map<string, GrantView[]>> {
  const rows = await db
    .select({ grant: grants, by: granters.name, expired: sql<boolean>`coalesce(${grants.expiresAt} <= now(), false)` })
    .from(grants)
    .leftJoin(granters, eq(granters.id, grants.grantedBy))
    .where(personId ? eq(grants.personId, personId) : undefined)
    .orderBy(desc(grants.environment), asc(grants.role), asc(grants.accountId))
  const found = new Map<string, GrantView[]>()
  for (const { grant, by, expired } of rows) {
    const view: GrantView = {
      id: grant.id,
      role: grant.role,
      environment: grant.environment,
      account: grant.accountId && accountText(grant.accountId),
      expires_at: iso(grant.expiresAt),
      expired,
      granted_by: by,
      created_at: grant.createdAt.toISOString(),
    }
    found.set(grant.personId, [...(found.get(grant.personId) ?? []), view])
  }
  return found
}

const stateOf = ({ disabledAt, passwordHash }: PersonRow): PersonView['state'] => {
  if (disabledAt) return 'deactivated'
  return passwordHash === null ? 'invited' : 'active'
}

const viewOf = (row: PersonRow, lastSeenAt: Date | null, held: GrantView[], actor: Actor): PersonView => ({
  id: row.id,
  name: row.name,
  email: row.email,
  own: row.id === actor.id,
  state: stateOf(row),
  created_at: row.createdAt.toISOString(),
  last_seen_at: iso(lastSeenAt),
  grants: held,
})

/** Everybody who may sign in or could, by name. */
export async function peopleViews(actor: Actor): Promise<PersonView[]> {
  const db = await database()
  const held = await grantsBy(db)
  const seen = db
    .select({ personId: sessions.personId, at: max(sessions.lastSeenAt).as('at') })
    .from(sessions)
    .groupBy(sessions.personId)
    .as('seen')
  const rows = await db
    .select({ person: people, at: seen.at })
    .from(people)
    .leftJoin(seen, eq(seen.personId, people.id))
    .where(here())
    .orderBy(asc(sql`lower(${people.name})`), asc(people.id))
  return rows.map(({ person, at }) => viewOf(person, at, held.get(person.id) ?? [], actor))
}

/** One person with the sessions that have not ended, and until when their link can be used. Throws `not_found`. */
export async function personDetail(id: string, actor: Actor): Promise<PersonDetail> {
  const db = await database()
  const [row] = await db
    .select()
    .from(people)
    .where(and(eq(people.id, id), here()))
  if (!row) throw new AppError('not_found', 'There is no such person')
  const [last] = await db
    .select({ at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(eq(sessions.personId, id))
  const open = await db
    .select({ createdAt: sessions.createdAt, lastSeenAt: sessions.lastSeenAt, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(
      and(
        eq(sessions.personId, id),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
        gt(sessions.lastSeenAt, sql`now() - interval '15 minutes'`),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt))
  const [link] = await db
    .select({ expiresAt: oneTimeLinks.expiresAt })
    .from(oneTimeLinks)
    .where(and(eq(oneTimeLinks.personId, id), isNull(oneTimeLinks.usedAt), gt(oneTimeLinks.expiresAt, sql`now()`)))
  return {
    ...viewOf(row, last?.at ?? null, (await grantsBy(db, id)).get(id) ?? [], actor),
    sessions: open.map(({ createdAt, lastSeenAt, expiresAt }) => ({
      created_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    })),
    link_until: iso(link?.expiresAt),
  }
}
