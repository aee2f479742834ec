import 'server-only'
import { and, desc, eq, gt, inArray, like, or, type SQL, sql } from 'drizzle-orm'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { type Claim, type ClaimableResource, claimOperations } from '@/lib/operations/claims'
import type { Environment } from '@/lib/operations/define'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { getGrantedAccounts, getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { DeskCall, OperationRuns } from '@/lib/server/http/desk-call'
import { lookUpAccount } from '@/lib/server/mirror/object-accounts'
import { claims } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'

/**
 * Minutes that a claim ("I work on this record") lasts without renewal. The open page renews it
 * every 30 seconds.
 */
const claimMinutes = 10
/** Maximum number of claims to read. Fewer people than that work at the same time. */
const maxClaims = 500

type ClaimContext = { actor: Actor; environment: Environment }

/**
 * Returns the claims that match a condition and have not ended, newest first, in accounts in which
 * the person has a role.
 */
async function listVisibleClaims(
  { actor, environment }: ClaimContext,
  claimCondition: SQL,
): Promise<Claim[]> {
  const db = await getDatabase()
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  const rows = await db
    .select({
      target: claims.target,
      personId: claims.personId,
      by: people.name,
      since: claims.since,
    })
    .from(claims)
    .innerJoin(people, eq(people.id, claims.personId))
    .where(
      and(
        eq(claims.environment, environment),
        claimCondition,
        gt(claims.endsAt, sql`now()`),
        grantedAccounts ? inArray(claims.accountId, grantedAccounts) : undefined,
      ),
    )
    .orderBy(desc(claims.since))
    .limit(maxClaims)
  return rows.map(({ target, personId, by, since }) => ({
    ...{
      id: target.slice(target.indexOf('/') + 1),
      by,
      own: personId === actor.id,
      since: since.toISOString(),
    },
  }))
}

/**
 * Returns the account of a record that the person may claim. Throws `not_found` if the account is
 * unknown or the person has no role in it, and `forbidden` if the person may not decide on the
 * record.
 */
async function requireClaimAccount(
  { actor, environment, about }: DeskCall<'claims.take'>,
  resource: ClaimableResource,
  target: string,
): Promise<string> {
  const account = await lookUpAccount(environment, target)
  const roles = account ? getRolesIn(actor.grants, environment, account) : []
  if (!account || roles.length === 0) throw new AppError('not_found', 'There is no such record')
  about({ account, target })
  const whyForbidden = whyNotAllowed(roles, getServiceOperation(claimOperations[resource]))
  if (whyForbidden) throw new AppError('forbidden', whyForbidden)
  return account
}

type ClaimRequest = { target: string; account: string; takeOver: boolean }

/**
 * Takes or renews a claim in one statement: of two concurrent requests only one changes the row,
 * and both then read the same owner.
 */
async function takeClaim(
  { actor, environment }: ClaimContext,
  { target, account, takeOver }: ClaimRequest,
): Promise<void> {
  const db = await getDatabase()
  const endsAt = sql`now() + make_interval(mins => ${claimMinutes})`
  const isEndedCondition = sql`${claims.endsAt} <= now()`
  const isOwnCondition = eq(claims.personId, actor.id)
  await db
    .insert(claims)
    .values({ environment, target, accountId: account, personId: actor.id, endsAt })
    .onConflictDoUpdate({
      target: [claims.environment, claims.target],
      set: {
        accountId: account,
        personId: actor.id,
        since: sql`case when ${isOwnCondition} and not (${isEndedCondition}) then ${claims.since} else now() end`,
        endsAt,
      },
      setWhere: takeOver ? undefined : or(isOwnCondition, isEndedCondition),
    })
}

/**
 * Handlers of the claim operations. Claims are advisory: they never block a decision. Only the
 * service and the action log can block one.
 */
export const claimRuns: OperationRuns<'claims.read' | 'claims.take' | 'claims.give_back'> = {
  'claims.read': async (call) => ({
    data: await listVisibleClaims(call, like(claims.target, `${call.input.resource}/%`)),
  }),
  'claims.take': async (call) => {
    const { resource, id, take_over: takeOver } = call.input
    const target = `${resource}/${id}`
    await takeClaim(call, {
      target,
      account: await requireClaimAccount(call, resource, target),
      takeOver,
    })
    const [claim] = await listVisibleClaims(call, eq(claims.target, target))
    if (!claim) throw new AppError('changed', 'The record was given back meanwhile. Claim it again')
    return { data: claim }
  },
  'claims.give_back': async ({ actor, environment, input: { resource, id } }) => {
    const db = await getDatabase()
    const target = `${resource}/${id}`
    await db
      .delete(claims)
      .where(
        and(
          eq(claims.environment, environment),
          eq(claims.target, target),
          eq(claims.personId, actor.id),
        ),
      )
    return { data: null }
  },
}
