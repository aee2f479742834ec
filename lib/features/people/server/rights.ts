import 'server-only'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { type PlatformAdmin, type ScopedRight, whyNoAdminLeft } from '@/lib/features/people/rules'
import { environments } from '@/lib/operations/define'
import type { AuditEntry } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { buildUnexpiredCondition, buildUsableGrantCondition } from '@/lib/server/auth/people'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { grants, people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

type GrantRow = typeof grants.$inferSelect

export const toScopedRight = (
  row: Pick<GrantRow, 'role' | 'environment' | 'accountId' | 'expiresAt'>,
): ScopedRight => ({
  role: row.role,
  environment: row.environment,
  accountId: row.accountId,
  expiresAt: row.expiresAt?.getTime() ?? null,
})

/** Returns the platform admins who can sign in now. */
export async function listPlatformAdmins(tx: Db): Promise<PlatformAdmin[]> {
  const adminRows = await tx
    .select({
      personId: grants.personId,
      environment: grants.environment,
      expiresAt: grants.expiresAt,
    })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(and(eq(grants.role, 'admin'), isNull(grants.accountId), buildUsableGrantCondition()))
  return adminRows.map((row) => ({ ...row, expiresAt: row.expiresAt?.getTime() ?? null }))
}

export const listHeldGrants = async (tx: Db, id: string): Promise<ScopedRight[]> =>
  (
    await tx
      .select()
      .from(grants)
      .where(and(eq(grants.personId, id), buildUnexpiredCondition()))
  ).map(toScopedRight)

/** Reads the database, because the rights in the session may be outdated. Empty if deactivated. */
export async function readAdminRights(tx: Db, { id }: Pick<Actor, 'id'>): Promise<ScopedRight[]> {
  const [activePerson] = await tx
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.id, id), isNull(people.disabledAt)))
  return activePerson ? listHeldGrants(tx, id) : []
}

export const throwForbiddenIf = (reason: string | null) => {
  if (reason) throw new AppError('forbidden', reason)
}

export const throwForbiddenIfSelf = (actor: Actor, id: string, forbiddenPhrase: string) =>
  throwForbiddenIf(actor.id === id ? `Nobody can ${forbiddenPhrase}: ask another admin.` : null)

/**
 * A table lock allows only one change at a time across all server instances, so that two changes
 * together cannot remove the last admin. Throws `forbidden` if no admin would be left.
 */
export async function runPeopleChange<T>(run: (tx: Db) => Promise<T>): Promise<T> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${grants} in share row exclusive mode`)
    const adminsBefore = await listPlatformAdmins(tx)
    const changeResult = await run(tx)
    throwForbiddenIf(whyNoAdminLeft(adminsBefore, await listPlatformAdmins(tx), environments))
    return changeResult
  })
}

/** Throws `not_found`, also for demo users unless the embedded sandbox is used. */
export async function lockPersonRow(tx: Db, id: string): Promise<typeof people.$inferSelect> {
  const [row] = await tx.select().from(people).where(eq(people.id, id)).for('update')
  if (!row || (row.demo && !env().embedded))
    throw new AppError('not_found', 'There is no such person')
  return row
}

type PeopleAuditCode =
  | `people.${'invite' | 'link' | 'grant' | 'confirm_grant' | 'reject_grant' | 'take_grant' | 'deactivate' | 'activate' | 'end_sessions' | 'remove_factors'}.applied`
  | 'people.grant.asked'

export const toPeopleAuditEntry = (
  code: PeopleAuditCode,
  actor: Actor,
  subject: string,
  extraFields: Partial<AuditEntry> = {},
): AuditEntry => ({
  code,
  ...toActorFields(actor),
  subject,
  ...extraFields,
})

export const toRightAuditFields = ({
  role,
  environment,
  accountId,
  expiresAt,
}: ScopedRight): Partial<AuditEntry> => ({
  role,
  environment,
  account: accountId,
  until: expiresAt === null ? null : new Date(expiresAt).toISOString(),
})

/** Grants a right to a person, or changes its end. */
export async function storeGrant(
  tx: Db,
  actor: Pick<Actor, 'id'>,
  personId: string,
  right: ScopedRight,
): Promise<void> {
  const { role, environment, accountId } = right
  const sameGrantCondition = and(
    eq(grants.personId, personId),
    eq(grants.role, role),
    eq(grants.environment, environment),
    accountId ? eq(grants.accountId, accountId) : isNull(grants.accountId),
  )
  const expiresAt = right.expiresAt === null ? null : new Date(right.expiresAt)
  await tx.delete(grants).where(sameGrantCondition)
  await tx
    .insert(grants)
    .values({ personId, role, environment, accountId, expiresAt, grantedBy: actor.id })
}
