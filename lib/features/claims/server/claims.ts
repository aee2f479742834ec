import 'server-only'
import { and, desc, eq, gt, inArray, like, or, type SQL, sql } from 'drizzle-orm'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { type Claim, type ClaimableResource, claimOperations } from '@/lib/operations/claims'
import type { Environment } from '@/lib/operations/define'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { getGrantedAccounts, getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { DeskCall, DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { lookUpOwner, type StoredOwner } from '@/lib/server/mirror/object-accounts'
import { targetClaims } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'

/**
 * A claim ("I work on this record") ends after this many minutes without renewal. Pages renew it
 * every 30 seconds.
 */
const claimMinutes = 10
/** The most claims in a response. Fewer people than that work at the same time. */
const maxClaims = 500

type ClaimContext = { actor: Actor; environment: Environment }

/**
 * Returns the claims that have not ended, newest first, in accounts in which the person has a role.
 */
async function listVisibleClaims(
  { actor, environment }: ClaimContext,
  claimCondition: SQL,
): Promise<Claim[]> {
  const db = await getDatabase()
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  const claimRows = await db
    .select({
      target: targetClaims.target,
      personId: targetClaims.personId,
      by: people.name,
      since: targetClaims.since,
    })
    .from(targetClaims)
    .innerJoin(people, eq(people.id, targetClaims.personId))
    .where(
      and(
        eq(targetClaims.environment, environment),
        claimCondition,
        gt(targetClaims.endsAt, sql`now()`),
        grantedAccounts ? inArray(targetClaims.accountId, grantedAccounts) : undefined,
      ),
    )
    .orderBy(desc(targetClaims.since))
    .limit(maxClaims)
  return claimRows.map(({ target, personId, by, since }) => ({
    ...{
      id: target.slice(target.indexOf('/') + 1),
      by,
      own: personId === actor.id,
      since: since.toISOString(),
    },
  }))
}

/** Throws `not_found` for an owner without a role, `forbidden` if the person may not decide. */
async function requireClaimOwner(
  { actor, environment, about }: DeskCall<'claims.take'>,
  resource: ClaimableResource,
  target: string,
): Promise<StoredOwner> {
  const owner = await lookUpOwner(environment, target)
  const roles = owner ? getRolesIn(actor.grants, environment, owner.accountId) : []
  if (!owner || roles.length === 0) throw new AppError('not_found', 'There is no such record')
  about({ account: owner.accountId, target })
  const whyForbidden = whyNotAllowed(roles, getServiceOperation(claimOperations[resource]))
  if (whyForbidden) throw new AppError('forbidden', whyForbidden)
  return owner
}

type ClaimRequest = StoredOwner & { target: string; takeOver: boolean }

/** One statement: of two concurrent requests one changes the row, and both read the same owner. */
async function takeClaim(
  { actor, environment }: ClaimContext,
  { target, accountId, takeOver }: ClaimRequest,
): Promise<void> {
  const db = await getDatabase()
  const endsAt = sql`now() + make_interval(mins => ${claimMinutes})`
  const endedClaimCondition = sql`${targetClaims.endsAt} <= now()`
  const ownClaimCondition = eq(targetClaims.personId, actor.id)
  await db
    .insert(targetClaims)
    .values({ environment, target, accountId, personId: actor.id, endsAt })
    .onConflictDoUpdate({
      target: [targetClaims.environment, targetClaims.target],
      set: {
        accountId,
        personId: actor.id,
        since: sql`case when ${ownClaimCondition} and not (${endedClaimCondition}) then ${targetClaims.since} else now() end`,
        endsAt,
      },
      setWhere: takeOver ? undefined : or(ownClaimCondition, endedClaimCondition),
    })
}

/** Claims are advisory: they never block a decision. */
export const claimHandlers: DeskOperationHandlers<
  'claims.read' | 'claims.take' | 'claims.give_back'
> = {
  'claims.read': async (call) => ({
    data: await listVisibleClaims(call, like(targetClaims.target, `${call.input.resource}/%`)),
  }),
  'claims.take': async (call) => {
    const { resource, id, take_over: takeOver } = call.input
    const target = `${resource}/${id}`
    await takeClaim(call, {
      target,
      ...(await requireClaimOwner(call, resource, target)),
      takeOver,
    })
    const [claim] = await listVisibleClaims(call, eq(targetClaims.target, target))
    if (!claim) throw new AppError('changed', 'The record was given back meanwhile. Claim it again')
    return { data: claim }
  },
  'claims.give_back': async ({ actor, environment, input: { resource, id } }) => {
    const db = await getDatabase()
    const target = `${resource}/${id}`
    await db
      .delete(targetClaims)
      .where(
        and(
          eq(targetClaims.environment, environment),
          eq(targetClaims.target, target),
          eq(targetClaims.personId, actor.id),
        ),
      )
    return { data: null }
  },
}
