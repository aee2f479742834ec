import 'server-only'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { type ScopedRight, whyNotGrant } from '@/lib/features/people/rules'
import type { GrantRequestView } from '@/lib/operations/people'
import { readApprovingRoles } from '@/lib/server/approvals/policy'
import { appendAudit } from '@/lib/server/audit/chain'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import { type Actor, dropCachedSessions } from '@/lib/server/auth/session-rows'
import { grantRequests, people } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'
import {
  listHeldGrants,
  listPlatformAdmins,
  lockPerson,
  readAdminRights,
  runPeopleChange,
  storeGrant,
  throwForbiddenIf,
  throwForbiddenIfSelf,
  toPeopleAuditEntry,
  toRight,
  toRightAuditFields,
} from './rights'

/**
 * True if another admin must confirm a grant, because its role can approve. False if no other admin
 * may grant the right.
 */
async function needsAnotherAdmin(tx: Db, actor: Actor, right: ScopedRight): Promise<boolean> {
  if (!(await readApprovingRoles(tx, actor.id)).has(right.role)) return false
  const otherAdminIds = new Set(
    (await listPlatformAdmins(tx)).map(({ personId }) => personId).filter((id) => id !== actor.id),
  )
  for (const id of otherAdminIds)
    if (whyNotGrant(await listHeldGrants(tx, id), right) === null) return true
  return false
}

/**
 * Grants a right and returns null. If another admin must confirm it, stores a request instead and
 * returns its id.
 */
export async function grantOrRequestRight(
  tx: Db,
  actor: Actor,
  personId: string,
  right: ScopedRight,
): Promise<string | null> {
  if (!(await needsAnotherAdmin(tx, actor, right))) {
    await storeGrant(tx, actor, personId, right)
    await appendAudit(
      tx,
      toPeopleAuditEntry('people.grant.applied', actor, personId, toRightAuditFields(right)),
    )
    return null
  }
  const { role, environment, accountId, expiresAt } = right
  const sameRightCondition = and(
    eq(grantRequests.personId, personId),
    eq(grantRequests.role, role),
    eq(grantRequests.environment, environment),
    accountId ? eq(grantRequests.accountId, accountId) : isNull(grantRequests.accountId),
  )
  await tx.delete(grantRequests).where(sameRightCondition)
  const requestValues = {
    personId,
    role,
    environment,
    accountId,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  }
  const [request] = await tx
    .insert(grantRequests)
    .values({ ...requestValues, requestedBy: actor.id })
    .returning({ id: grantRequests.id })
  if (!request) throw new Error('the request was not written')
  await appendAudit(
    tx,
    toPeopleAuditEntry('people.grant.asked', actor, personId, toRightAuditFields(right)),
  )
  return request.id
}

/** Deletes a grant request and returns it. Throws `changed` if another admin decided it already. */
async function deleteGrantRequest(
  tx: Db,
  personId: string,
  id: string,
): Promise<typeof grantRequests.$inferSelect> {
  const [row] = await tx
    .delete(grantRequests)
    .where(and(eq(grantRequests.id, id), eq(grantRequests.personId, personId)))
    .returning()
  if (!row)
    throw new AppError(
      'changed',
      'This role was decided meanwhile. Nothing was changed: refresh and review',
    )
  return row
}

/**
 * Confirms a role that another admin requested. Both admins must be allowed to grant it now. Throws
 * `forbidden` and `changed`.
 */
export async function confirmGrant(
  actor: Actor,
  personId: string,
  requestId: string,
): Promise<void> {
  await runPeopleChange(async (tx) => {
    await lockPerson(tx, personId)
    throwForbiddenIfSelf(actor, personId, 'confirm their own roles')
    const request = await deleteGrantRequest(tx, personId, requestId)
    const right = toRight(request)
    throwForbiddenIf(
      request.requestedBy === actor.id
        ? 'You granted this role: another admin must confirm it.'
        : null,
    )
    throwForbiddenIf(whyNotGrant(await readAdminRights(tx, actor), right))
    const whyRefused = whyNotGrant(await readAdminRights(tx, { id: request.requestedBy }), right)
    throwForbiddenIf(
      whyRefused &&
        'The admin who granted this role no longer holds it. Reject it, and grant it yourself.',
    )
    await storeGrant(tx, { id: request.requestedBy }, personId, right)
    await appendAudit(
      tx,
      toPeopleAuditEntry(
        'people.confirm_grant.applied',
        actor,
        personId,
        toRightAuditFields(right),
      ),
    )
  })
  dropCachedSessions(personId)
}

/**
 * Rejects another admin's request for a role, or withdraws the actor's own request. Throws
 * `forbidden` and `changed`.
 */
export async function rejectGrant(
  actor: Actor,
  personId: string,
  requestId: string,
): Promise<void> {
  await runPeopleChange(async (tx) => {
    await lockPerson(tx, personId)
    const right = toRight(await deleteGrantRequest(tx, personId, requestId))
    throwForbiddenIf(whyNotGrant(await readAdminRights(tx, actor), { ...right, expiresAt: 0 }))
    await appendAudit(
      tx,
      toPeopleAuditEntry('people.reject_grant.applied', actor, personId, toRightAuditFields(right)),
    )
  })
}

/**
 * Returns the requests for roles, by the id of the person who would get the role; only those for
 * `personId` if it is given.
 */
export async function listGrantRequests(
  db: Db,
  actor: Actor,
  personId?: string,
): Promise<Map<string, GrantRequestView[]>> {
  const rows = await db
    .select({ request: grantRequests, by: people.name })
    .from(grantRequests)
    .innerJoin(people, eq(people.id, grantRequests.requestedBy))
    .where(personId ? eq(grantRequests.personId, personId) : undefined)
    .orderBy(asc(grantRequests.createdAt))
  const requestsByPerson = new Map<string, GrantRequestView[]>()
  for (const { request, by } of rows) {
    const view: GrantRequestView = {
      id: request.id,
      role: request.role,
      environment: request.environment,
      account: request.accountId && formatAccountId(request.accountId),
      expires_at: request.expiresAt?.toISOString() ?? null,
      created_at: request.createdAt.toISOString(),
      requested_by: by,
      own: request.requestedBy === actor.id,
    }
    requestsByPerson.set(request.personId, [
      ...(requestsByPerson.get(request.personId) ?? []),
      view,
    ])
  }
  return requestsByPerson
}
