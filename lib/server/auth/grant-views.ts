import 'server-only'
import { asc, desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { GrantView } from '@/lib/operations/people'
import { grants, people } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'
import { formatAccountId } from './scoped-account'

const granters = alias(people, 'granters')

/** Includes expired grants. Without `personId`, returns the grants of all people. */
export async function listGrantViews(db: Db, personId?: string): Promise<Map<string, GrantView[]>> {
  const grantRows = await db
    .select({
      grant: grants,
      by: granters.name,
      expired: sql<boolean>`coalesce(${grants.expiresAt} <= now(), false)`,
    })
    .from(grants)
    .leftJoin(granters, eq(granters.id, grants.grantedBy))
    .where(personId ? eq(grants.personId, personId) : undefined)
    .orderBy(desc(grants.environment), asc(grants.role), asc(grants.accountId))
  const grantsByPerson = new Map<string, GrantView[]>()
  for (const { grant, by, expired } of grantRows) {
    const view: GrantView = {
      id: grant.id,
      role: grant.role,
      environment: grant.environment,
      account: grant.accountId && formatAccountId(grant.accountId),
      expires_at: grant.expiresAt?.toISOString() ?? null,
      expired,
      granted_by: by,
      from_sso: grant.fromSso,
      created_at: grant.createdAt.toISOString(),
    }
    grantsByPerson.set(grant.personId, [...(grantsByPerson.get(grant.personId) ?? []), view])
  }
  return grantsByPerson
}
