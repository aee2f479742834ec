import 'server-only'
import { and, asc, desc, eq, gt, isNull, max, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { GrantRequestView, GrantView, PersonDetail, PersonView } from '@/lib/operations/people'
import { listGrantViews } from '@/lib/server/auth/grant-views'
import { listSignInMethods } from '@/lib/server/auth/people'
import { type Actor, openSessionCondition } from '@/lib/server/auth/session-rows'
import { readFactorCounts } from '@/lib/server/auth/step-up/factors'
import { env } from '@/lib/server/config/env'
import { oneTimeLinks, people, sessions } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { listGrantRequests } from './grant-requests'

const toIsoTime = (at: Date | null | undefined) => at?.toISOString() ?? null

type PersonRow = Omit<typeof people.$inferSelect, 'ssoIssuer' | 'demo'>

/** SQL condition: no demo users, unless the embedded sandbox is used. */
export const buildNotDemoCondition = () => (env().embedded ? undefined : eq(people.demo, false))

export const toPersonState = (
  row: Pick<PersonRow, 'disabledAt' | 'passwordHash' | 'ssoSubject'>,
): PersonView['state'] => {
  if (row.disabledAt) return 'deactivated'
  return listSignInMethods(row).length === 0 ? 'invited' : 'active'
}

type PersonRights = { grants: GrantView[] | undefined; requests: GrantRequestView[] | undefined }

const toPersonView = (
  row: PersonRow,
  lastSeenAt: Date | null,
  { grants = [], requests = [] }: PersonRights,
  actor: Actor,
): PersonView => ({
  id: row.id,
  name: row.name,
  email: row.email,
  own: row.id === actor.id,
  state: toPersonState(row),
  signs_in_by: listSignInMethods(row),
  groups_fault: row.ssoGroupsFault,
  created_at: row.createdAt.toISOString(),
  last_seen_at: toIsoTime(lastSeenAt),
  grants,
  grant_requests: requests,
})

export async function listPeopleViews(actor: Actor): Promise<PersonView[]> {
  const db = await getDatabase()
  const [grantsByPerson, requests] = [await listGrantViews(db), await listGrantRequests(db, actor)]
  const lastSeenByPerson = db
    .select({ personId: sessions.personId, at: max(sessions.lastSeenAt).as('at') })
    .from(sessions)
    .groupBy(sessions.personId)
    .as('seen')
  const personRows = await db
    .select({ person: people, at: lastSeenByPerson.at })
    .from(people)
    .leftJoin(lastSeenByPerson, eq(lastSeenByPerson.personId, people.id))
    .where(buildNotDemoCondition())
    .orderBy(asc(sql`lower(${people.name})`), asc(people.id))
  return personRows.map(({ person, at }) =>
    toPersonView(
      person,
      at,
      { grants: grantsByPerson.get(person.id), requests: requests.get(person.id) },
      actor,
    ),
  )
}

export async function readPersonDetail(id: string, actor: Actor): Promise<PersonDetail> {
  const db = await getDatabase()
  const [row] = await db
    .select()
    .from(people)
    .where(and(eq(people.id, id), buildNotDemoCondition()))
  if (!row) throw new AppError('not_found', 'There is no such person')
  const [lastSeenRow] = await db
    .select({ at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(eq(sessions.personId, id))
  const openSessions = await db
    .select({
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.personId, id), openSessionCondition))
    .orderBy(desc(sessions.lastSeenAt))
  const [link] = await db
    .select({ expiresAt: oneTimeLinks.expiresAt })
    .from(oneTimeLinks)
    .where(
      and(
        eq(oneTimeLinks.personId, id),
        isNull(oneTimeLinks.usedAt),
        gt(oneTimeLinks.expiresAt, sql`now()`),
      ),
    )
  const { passkeys, totp } = await readFactorCounts(db, id)
  const grantsAndRequests = {
    grants: (await listGrantViews(db, id)).get(id),
    requests: (await listGrantRequests(db, actor, id)).get(id),
  }
  return {
    ...toPersonView(row, lastSeenRow?.at ?? null, grantsAndRequests, actor),
    sessions: openSessions.map(({ createdAt, lastSeenAt, expiresAt }) => ({
      created_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    })),
    link_until: toIsoTime(link?.expiresAt),
    factors: { passkeys, totp },
  }
}
