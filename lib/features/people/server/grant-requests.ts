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
  lockPersonRow,
  readAdminRights,
  runPeopleChange,
  storeGrant,
  throwForbiddenIf,
  throwForbiddenIfSelf,
  toPeopleAuditEntry,
  toRightAuditFields,
  toScopedRight,
} from './rights'

/** True if the role can approve, unless no other admin may grant the right. */
async function needsAnotherAdmin(tx: Db, actor: Actor, right: ScopedRight): Promise<boolean> {
  if (!(await readApprovingRoles(tx, actor.id)).has(right.role)) return false
  const otherAdminIds = new Set(
    (await listPlatformAdmins(tx)).map(({ personId }) => personId).filter((id) => id !== actor.id),
  )
  for (const id of otherAdminIds)
    if (whyNotGrant(await listHeldGrants(tx, id), right) === null) return true
  return false
}

/** Returns null, or the id of a request if another admin must confirm the grant. */
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

/** Throws `changed` if another admin has already decided on the request. */
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

/** Both admins must be allowed to grant the role now. Throws `forbidden` and `changed`. */
export async function confirmGrant(
  actor: Actor,
  personId: string,
  requestId: string,
): Promise<void> {
  await runPeopleChange(async (tx) => {
    await lockPersonRow(tx, personId)
    throwForbiddenIfSelf(actor, personId, 'confirm their own roles')
    const grantRequest = await deleteGrantRequest(tx, personId, requestId)
    const right = toScopedRight(grantRequest)
    throwForbiddenIf(
      grantRequest.requestedBy === actor.id
        ? 'You granted this role: another admin must confirm it.'
        : null,
    )
    throwForbiddenIf(whyNotGrant(await readAdminRights(tx, actor), right))
    const whyRefused = whyNotGrant(
      await readAdminRights(tx, { id: grantRequest.requestedBy }),
      right,
    )
    throwForbiddenIf(
      whyRefused &&
        'The admin who granted this role no longer holds it. Reject it, and grant it yourself.',
    )
    await storeGrant(tx, { id: grantRequest.requestedBy }, personId, right)
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

/** Rejects another admin's request, or withdraws the actor's own. Throws `forbidden`, `changed`. */
export async function rejectGrant(
  actor: Actor,
  personId: string,
  requestId: string,
): Promise<void> {
  await runPeopleChange(async (tx) => {
    await lockPersonRow(tx, personId)
    const right = toScopedRight(await deleteGrantRequest(tx, personId, requestId))
    throwForbiddenIf(whyNotGrant(await readAdminRights(tx, actor), { ...right, expiresAt: 0 }))
    await appendAudit(
      tx,
      toPeopleAuditEntry('people.reject_grant.applied', actor, personId, toRightAuditFields(right)),
    )
  })
}

/** Returns requests by the id of the person who would get the role. */
export async function listGrantRequests(
  db: Db,
  actor: Actor,
  personId?: string,
): Promise<Map<string, GrantRequestView[]>> {
  const requestRows = await db
    .select({ request: grantRequests, by: people.name })
    .from(grantRequests)
    .innerJoin(people, eq(people.id, grantRequests.requestedBy))
    .where(personId ? eq(grantRequests.personId, personId) : undefined)
    .orderBy(asc(grantRequests.createdAt))
  const requestsByPerson = new Map<string, GrantRequestView[]>()
  for (const { request, by } of requestRows) {
    const requestView: GrantRequestView = {
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
      requestView,
    ])
  }
  return requestsByPerson
}
