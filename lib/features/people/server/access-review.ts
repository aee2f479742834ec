import 'server-only'
import { asc, count, eq, max, sql } from 'drizzle-orm'
import { signInMethodLabels } from '@/lib/features/people/rules'
import type { AccessReview, ReviewedPerson } from '@/lib/operations/people'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { listGrantViews } from '@/lib/server/auth/grant-views'
import { listSignInMethods } from '@/lib/server/auth/people'
import type { Actor } from '@/lib/server/auth/session-rows'
import { formatCsvLines } from '@/lib/server/http/csv-lines'
import { createFileResponse } from '@/lib/server/http/file-answer'
import { passkeys, people, sessions, totpSecrets } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { buildNotDemoCondition, toPersonState } from './people'

/** Days without activity after which access counts as unused. */
const unusedAfterDays = 90

async function listReviewedPeople(db: Db): Promise<ReviewedPerson[]> {
  const lastSeenByPerson = db
    .select({ personId: sessions.personId, at: max(sessions.lastSeenAt).as('seen_at') })
    .from(sessions)
    .groupBy(sessions.personId)
    .as('seen')
  const passkeyCountByPerson = db
    .select({ personId: passkeys.personId, many: count().as('keys') })
    .from(passkeys)
    .groupBy(passkeys.personId)
    .as('held_keys')
  const unusedColumn = sql<boolean>`coalesce(${lastSeenByPerson.at}, ${people.createdAt}) < now() - make_interval(days => ${unusedAfterDays})`
  const personRows = await db
    .select({
      person: people,
      at: lastSeenByPerson.at,
      keys: passkeyCountByPerson.many,
      app: totpSecrets.personId,
      unused: unusedColumn,
    })
    .from(people)
    .leftJoin(lastSeenByPerson, eq(lastSeenByPerson.personId, people.id))
    .leftJoin(passkeyCountByPerson, eq(passkeyCountByPerson.personId, people.id))
    .leftJoin(totpSecrets, eq(totpSecrets.personId, people.id))
    .where(buildNotDemoCondition())
    .orderBy(asc(sql`lower(${people.name})`), asc(people.id))
  const grantsByPerson = await listGrantViews(db)
  return personRows.map(({ person, at, keys: many, app, unused }) => ({
    id: person.id,
    name: person.name,
    email: person.email,
    state: toPersonState(person),
    signs_in_by: listSignInMethods(person),
    passkeys: many ?? 0,
    authenticator_app: app !== null,
    created_at: person.createdAt.toISOString(),
    last_seen_at: at?.toISOString() ?? null,
    unused_90_days: unused,
    grants: (grantsByPerson.get(person.id) ?? []).map(({ id: _, ...grant }) => grant),
  }))
}

const toYesNo = (value: boolean) => (value ? 'yes' : 'no')

const csvHeaderCells = [
  'person_id',
  'name',
  'email',
  'state',
  'signs_in_by',
  'passkeys',
  'authenticator_app',
  'created_at_utc',
  'last_seen_at_utc',
  'unused_90_days',
  'role',
  'environment',
  'account',
  'ends_at_utc',
  'expired',
  'granted_by',
  'granted_at_utc',
]

function toGrantCsvRows({ grants, ...person }: ReviewedPerson): unknown[][] {
  const personCells = [
    person.id,
    person.name,
    person.email,
    person.state,
    person.signs_in_by.map((way) => signInMethodLabels[way]).join(', ') || 'nothing yet',
    person.passkeys,
    toYesNo(person.authenticator_app),
    person.created_at,
    person.last_seen_at ?? 'never',
    toYesNo(person.unused_90_days),
  ]
  if (grants.length === 0) return [[...personCells, 'none', '', '', '', '', '', '']]
  return grants.map((grant) => [
    ...personCells,
    grant.role,
    grant.environment,
    grant.account ?? 'the whole platform',
    grant.expires_at ?? 'no end',
    toYesNo(grant.expired),
    grant.granted_by ?? (grant.from_sso ? 'a group of single sign-on' : 'a command'),
    grant.created_at,
  ])
}

/** The audit log records the export before the file is returned. */
export async function exportAccessReview(
  actor: Actor,
  format: 'csv' | 'json',
  requestId: string,
): Promise<Response> {
  const db = await getDatabase()
  const accessReview = await db.transaction(async (tx): Promise<AccessReview> => {
    const reviewedPeople = await listReviewedPeople(tx)
    await appendAudit(tx, {
      code: 'people.access_review.applied',
      ...toActorFields(actor),
      written: reviewedPeople.length,
    })
    return { made_at: new Date().toISOString(), people: reviewedPeople }
  })
  const fileText =
    format === 'json'
      ? JSON.stringify(accessReview, null, 2)
      : `\uFEFF${formatCsvLines([csvHeaderCells, ...accessReview.people.flatMap(toGrantCsvRows)])}`
  const contentType =
    format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8'
  return createFileResponse(fileText, {
    name: `access-review-${accessReview.made_at.slice(0, 10)}.${format}`,
    type: contentType,
    requestId,
  })
}
